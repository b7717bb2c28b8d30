package io.hiroba.agents;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.mcp.ApiTools;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.Normalizer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules for what agents are given: names, models, tools, callers and budgets. */
final class AgentRules {

    private static final int MAX_TOOLS = 60;
    private static final int COST_DECIMALS = 6;

    private final Users users;
    private final AiModels models;
    private final AgentMakers makers;
    private final GivenTools tools;
    private final AgentStore agents = new AgentStore();
    private final AgentMakerStore people = new AgentMakerStore();

    /**
     * The tools that agents may be given.
     *
     * @param ours names of tools of this server
     * @param remote whether a tool of another server is one of them, which admins alone give
     * @param remoteNames those of other servers
     * @param definitions what a model is told of them
     */
    record GivenTools(
            Set<String> ours,
            Predicate<String> remote,
            Supplier<List<String>> remoteNames,
            Function<List<String>, List<ToolDefinition>> definitions) {

        GivenTools {
            ours = Set.copyOf(ours);
        }
    }

    AgentRules(Users users, AiModels models, AgentMakers makers, GivenTools tools) {
        this.users = users;
        this.models = models;
        this.makers = makers;
        this.tools = tools;
    }

    /** Has a tool described: the first takes a while, since all of them are read then. */
    void prepare() {
        var _ = tools.definitions().apply(tools.ours().stream().limit(1).toList());
    }

    /** In the order of their names; those of other servers at the end, for admins alone. */
    List<String> offeredTools(boolean admin) {
        return Stream.concat(
                        tools.ours().stream()
                                .filter(name -> !ApiTools.isOwn(name))
                                .sorted(),
                        admin ? tools.remoteNames().get().stream() : Stream.of())
                .toList();
    }

    /** The ids of people who are typed by id, or by a nickname that one alone has. */
    List<String> typedPeople(Reads reads, Collection<String> typed) {
        return typed.stream()
                .map(name -> {
                    if (Ids.isId(name)) {
                        return name;
                    }
                    var named = people.named(reads, name);
                    if (named.size() != 1) {
                        throw AgentsProblem.invalid("callers", Text.of("agents.field.caller", "name", name));
                    }
                    return named.getFirst().hex();
                })
                .toList();
    }

    /** As {@link #typedPeople} reads them: by nickname where that says who is meant. */
    String typed(Reads reads, List<UserId> callers) {
        return users.find(reads, callers).values().stream()
                .map(Profile::user)
                .map(user -> {
                    var name = user.nickname().value();
                    boolean says = AgentForm.names(name).equals(Set.of(name))
                            && people.named(reads, name).equals(List.of(user.id()));
                    return says ? name : user.id().hex();
                })
                .collect(Collectors.joining(", "));
    }

    List<UserId> requirePeople(Reads reads, List<String> callers) {
        if (callers.size() > Agent.MAX_CALLERS) {
            throw AgentsProblem.invalid("callers", Text.of("agents.field.too-many", "max", Agent.MAX_CALLERS));
        }
        var checks = new FieldChecks();
        var people = callers.stream()
                .distinct()
                .flatMap(id -> checks.check(() -> requirePerson(reads, id)).stream())
                .toList();
        checks.end();
        return people;
    }

    private UserId requirePerson(Reads reads, String id) {
        return Optional.of(id)
                .filter(Ids::isId)
                .map(UserId::parse)
                .filter(user -> users.find(reads, user).isPresent())
                .orElseThrow(() -> AgentsProblem.invalid("callers", Text.of("agents.field.nobody", "id", id)));
    }

    /** @param before what the agent has already: a tool that it would not be given any more may stay, unused */
    List<String> requireTools(List<String> names, List<String> before, boolean admin) {
        if (names.size() > MAX_TOOLS) {
            throw AgentsProblem.invalid("tools", Text.of("agents.field.too-many", "max", MAX_TOOLS));
        }
        var own = names.stream()
                .distinct()
                .filter(name -> ApiTools.isOwn(name) && !before.contains(name))
                .toList();
        if (!own.isEmpty()) {
            throw AgentsProblem.invalid("tools", Text.of("agents.field.own-tool", "tool", String.join(", ", own)));
        }
        var unknown = names.stream()
                .distinct()
                .filter(name -> !tools.ours().contains(name)
                        && !before.contains(name)
                        && !(admin && tools.remote().test(name)))
                .toList();
        if (!unknown.isEmpty()) {
            throw AgentsProblem.invalid("tools", Text.of("agents.field.tool", "tool", String.join(", ", unknown)));
        }
        return names.stream().distinct().toList();
    }

    static String required(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw AgentsProblem.invalid(field, Text.of("http.field.required"));
        }
        return value;
    }

    static @Nullable String personality(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    /** A nickname that can be mentioned: behind an at sign within it a mention would begin anew. */
    static Nickname nickname(String typed) {
        var nickname = Nickname.parse(typed);
        if (Normalizer.normalize(nickname.value(), Normalizer.Form.NFKC).contains("@")) {
            throw AgentsProblem.invalid("nickname", Text.of("agents.field.nickname-at"));
        }
        return nickname;
    }

    /**
     * Two agents of one name, or of names that look alike, would both be silent: nobody could mention either.
     *
     * @param except the agent that is to have it
     */
    void requireNoNamesake(Reads reads, Nickname nickname, UserId except) {
        if (agents.isNamed(reads, nickname.value(), except)) {
            throw AgentsProblem.nameTaken(nickname.value());
        }
    }

    /** The model if an agent of this owner may run on it and a service is configured for it. */
    String requireModel(Tx tx, String model, @Nullable UserId owner) {
        if (owner != null) {
            makers.requireAllowed(tx, model);
        }
        if (model.equals(Agent.LIBRARIAN)) {
            models.ensure(tx, new AiModel(model, BigDecimal.ZERO, BigDecimal.ZERO, ""));
        } else if (!makers.hasService(model) || models.find(tx, model).isEmpty()) {
            var choices = String.join(", ", makers.choices(owner == null, null));
            throw AgentsProblem.invalid("model", Text.of("http.field.one-of", "values", choices));
        }
        return model;
    }

    /** Refuses a budget of a day that not even one call of the model fits in. */
    void requireRoom(Reads reads, Agent agent, @Nullable String model, @Nullable String personality) {
        if (model == null || model.equals(Agent.LIBRARIAN)) {
            return;
        }
        var found = models.find(reads, model);
        if (found.isEmpty()) {
            return;
        }
        var least = ModelReservation.most(
                Stream.concat(found.stream(), makers.standIns(reads, agent, model).stream())
                        .toList(),
                RunContext.shortest(agent, personality, tools.definitions().apply(agent.tools())));
        long tokens = least.tokensIn() + least.tokensOut();
        var dailyTokens = agent.limits().dailyTokens();
        if (dailyTokens != null && dailyTokens < tokens) {
            throw AgentsProblem.invalid("limits.dailyTokens", Text.of("agents.field.least", "min", tokens));
        }
        var dailyCost = agent.limits().dailyCost();
        if (dailyCost != null && dailyCost.compareTo(least.cost()) < 0) {
            var cost = least.cost().setScale(COST_DECIMALS, RoundingMode.UP).stripTrailingZeros();
            throw AgentsProblem.invalid("limits.dailyCost", Text.of("agents.field.least", "min", cost.toPlainString()));
        }
    }
}
