package io.hiroba.agents;

import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Profile;
import io.hiroba.accounts.User.Kind;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.Users.AgentProfile;
import io.hiroba.agents.Agent.Limits;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRules.GivenTools;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The facade of agents, which admins and members who may make, change and delete, and of their runs, which their callers see and stop. */
final class Agents {

    private static final int MAX_CALLABLE = 200;

    private final Db db;
    private final Users users;
    private final AuditLog audit;
    private final AgentRules rules;
    private final RunDrafts drafts;
    private final AgentMakers makers;
    private final AgentStore store = new AgentStore();
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentStepStore steps = new AgentStepStore();
    private BiPredicate<Reads, Long> awaited = (reads, run) -> true;

    /** As on a node that is alone. */
    Agents(Db db, Users users, AiModels models, AuditLog audit, Set<String> tools) {
        var alone = new AgentMakers(db, InstantSource.system(), audit, models, 5);
        this(
                db,
                users,
                audit,
                new AgentRules(
                        users, models, alone, new GivenTools(tools, tool -> false, List::of, names -> List.of())),
                new RunDrafts(db, new CommitSignal()),
                alone);
    }

    Agents(Db db, Users users, AuditLog audit, AgentRules rules, RunDrafts drafts, AgentMakers makers) {
        this.db = db;
        this.users = users;
        this.audit = audit;
        this.rules = rules;
        this.drafts = drafts;
        this.makers = makers;
    }

    /** An agent with its account. */
    record Found(Agent agent, Profile profile) {}

    /** The settings of an agent to make or change; null leaves one as it is, or takes the usual. */
    record Settings(
            @Nullable String nickname,
            @Nullable String model,
            @Nullable String personality,
            @Nullable String instructions,
            @Nullable List<String> tools,
            @Nullable List<String> wake,
            @Nullable List<String> callers,
            @Nullable LimitSettings limits,
            @Nullable Boolean enabled) {}

    /**
     * The bounds to set; null leaves one as it is.
     *
     * @param anyTokens whether there is to be no bound of tokens where none is given, and so for the cost
     */
    record LimitSettings(
            @Nullable Integer turns,
            @Nullable Integer seconds,
            @Nullable Long dailyTokens,
            @Nullable BigDecimal dailyCost,
            boolean anyTokens,
            boolean anyCost) {

        LimitSettings(
                @Nullable Integer turns,
                @Nullable Integer seconds,
                @Nullable Long dailyTokens,
                @Nullable BigDecimal dailyCost) {
            this(turns, seconds, dailyTokens, dailyCost, false, false);
        }

        Limits on(Limits before) {
            return new Limits(
                    turns == null ? before.turns() : turns,
                    seconds == null ? before.seconds() : seconds,
                    dailyTokens == null && !anyTokens ? before.dailyTokens() : dailyTokens,
                    dailyCost == null && !anyCost ? before.dailyCost() : dailyCost);
        }
    }

    /**
     * Makes an agent: one of the admins, or one of the caller's own if they are a member who may.
     *
     * @param checks with what is known to be wrong with the settings
     */
    Found create(Tx tx, Caller caller, Settings settings, FieldChecks checks) {
        var owner = caller.admin() ? null : caller.user();
        if (owner != null) {
            makers.admit(tx, caller);
        }
        var typedName = checks.check(() -> AgentRules.nickname(AgentRules.required("nickname", settings.nickname())));
        var typedModel =
                checks.check(() -> rules.requireModel(tx, AgentRules.required("model", settings.model()), owner));
        // Checked before there is an account for it.
        var checked = changed(tx, caller, Agent.UNMADE.of(Agent.UNMADE.id(), owner), settings, checks);
        checks.end();
        var nickname = typedName.orElseThrow();
        var model = typedModel.orElseThrow();
        rules.requireNoNamesake(tx, nickname, Agent.UNMADE.id());
        var personality = AgentRules.personality(settings.personality());
        rules.requireRoom(tx, checked, model, personality);
        var id = users.createAgent(tx, new AgentProfile(nickname, model, personality));
        store.insert(tx, checked.of(id, owner));
        var changes = Changes.NONE.with("nickname", null, nickname.value()).with("model", null, model);
        audit.record(tx, caller, Action.AGENT_CREATED, Target.of(id), changes);
        return get(tx, id);
    }

    /** Lets an account that has a model answer from now on, unless it does already. */
    void adopt(Caller caller, UserId id) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var user = users.find(tx, id).orElseThrow(AgentsProblem::notFound).user();
            if (user.kind() == Kind.AGENT && store.insert(tx, Agent.UNMADE.of(id, null))) {
                audit.record(tx, caller, Action.AGENT_CREATED, Target.of(id));
            }
        });
    }

    /** Gets ready to check settings, which takes a while once: before a transaction that others wait for. */
    void prepare() {
        rules.prepare();
    }

    Found create(Caller caller, Settings settings) {
        return create(caller, settings, new FieldChecks());
    }

    Found create(Caller caller, Settings settings, FieldChecks checks) {
        prepare();
        return db.inTransaction(tx -> create(tx, caller, settings, checks));
    }

    Found update(Caller caller, UserId id, Settings settings) {
        return update(caller, id, settings, new FieldChecks());
    }

    Found update(Caller caller, UserId id, Settings settings, FieldChecks checks) {
        prepare();
        return db.inTransaction(tx -> {
            var before = store.lock(tx, id).orElseThrow(AgentsProblem::notFound);
            before.requireChangeableBy(caller);
            if (!caller.admin()) {
                makers.requireMaker(tx, caller);
            }
            var profile = users.find(tx, id).orElseThrow(AgentsProblem::notFound);
            var user = profile.user();
            var typedName = settings.nickname();
            var nickname = typedName == null || typedName.equals(user.nickname().value())
                    ? user.nickname()
                    : checks.check(() -> AgentRules.nickname(typedName)).orElse(user.nickname());
            var typedModel = settings.model();
            var model = typedModel == null || typedModel.equals(user.aiModel())
                    ? user.aiModel()
                    : checks.check(() -> rules.requireModel(tx, typedModel, before.owner()))
                            .orElse(typedModel);
            var after = changed(tx, caller, before, settings, checks);
            checks.end();
            if (!nickname.isLike(user.nickname())) {
                rules.requireNoNamesake(tx, nickname, id);
            }
            var personality = settings.personality() == null
                    ? profile.aiPersonality()
                    : AgentRules.personality(settings.personality());
            if (model != null) {
                users.updateAgent(tx, id, new AgentProfile(nickname, model, personality));
            }
            if (!after.limits().equals(before.limits()) || !Objects.equals(model, user.aiModel())) {
                rules.requireRoom(tx, after, model, personality);
            }
            store.update(tx, after);
            var changes = Changes.NONE
                    .with("nickname", user.nickname().value(), nickname.value())
                    .with("model", user.aiModel(), model)
                    .with("enabled", before.enabled(), after.enabled())
                    .with("tools", String.join(" ", before.tools()), String.join(" ", after.tools()));
            audit.record(tx, caller, Action.AGENT_CHANGED, Target.of(id), changes);
            return get(tx, id);
        });
    }

    /** Deletes the agent with its runs, as an admin or its owner. The account stays with its posts, and is deleted as any other. */
    void delete(Caller caller, UserId id) {
        db.useTransaction(tx -> {
            store.lock(tx, id).orElseThrow(AgentsProblem::notFound).requireChangeableBy(caller);
            store.delete(tx, id);
            audit.record(tx, caller, Action.AGENT_DELETED, Target.of(id));
        });
    }

    /** The tools that the caller may give an agent. */
    List<String> offeredTools(Caller caller) {
        return rules.offeredTools(caller.admin());
    }

    /** The ids of those who are typed by nickname or id. */
    List<String> callers(String typed) {
        return db.read(reads -> rules.typedPeople(reads, AgentForm.names(typed)));
    }

    /** The callers of an agent as somebody may type them. */
    String callers(Agent agent) {
        return db.read(reads -> rules.typed(reads, agent.callers()));
    }

    Found get(UserId id) {
        return db.read(reads -> get(reads, id));
    }

    private Found get(Reads reads, UserId id) {
        return found(reads, id).orElseThrow(AgentsProblem::notFound);
    }

    /** The agent of an account, if it is one. */
    Optional<Found> found(Reads reads, UserId id) {
        return store.find(reads, id).flatMap(agent -> users.find(reads, id).map(profile -> new Found(agent, profile)));
    }

    /** @param awaited whether the step of a saga that asks by a run waits for it */
    void connectSteps(BiPredicate<Reads, Long> awaited) {
        this.awaited = awaited;
    }

    /**
     * Whether a run may go on: the agent is enabled, no account suspended, its owner still has the right to agents, and a step that
     * asks waits for it.
     */
    boolean isAwake(Reads reads, AgentRun run) {
        return store.find(reads, run.agent())
                .filter(agent -> isAwake(reads, agent, run))
                .isPresent();
    }

    /** As {@link #isAwake(Reads, AgentRun)}, of an agent that was just read. */
    boolean isAwake(Reads reads, Agent agent, AgentRun run) {
        var owner = agent.owner();
        return agent.enabled()
                && !users.isSuspended(reads, run.agent())
                && !users.isSuspended(reads, run.caller())
                && hasRight(reads, agent)
                && (run.wokenBy() != Wake.STEP || awaited.test(reads, run.id()))
                && (owner == null || !users.isSuspended(reads, owner));
    }

    /** Whether whoever has it may have one: the right of a member can be taken away. */
    boolean hasRight(Reads reads, Agent agent) {
        return agent.owner() == null || makers.isMaker(reads, agent.owner());
    }

    boolean isSuspended(Reads reads, UserId user) {
        return users.isSuspended(reads, user);
    }

    boolean isAgent(UserId id) {
        return db.read(reads -> store.find(reads, id)).isPresent();
    }

    /** The newest first. */
    List<Found> list(Optional<UserId> before, int limit) {
        return db.read(reads ->
                found(reads, store.list(reads, before.map(UserId::value).orElse(Long.MAX_VALUE), limit)));
    }

    /** Those of the admins before those of members, of which there may be many; the newest first. */
    List<Found> ofAdminsFirst(int limit) {
        return db.read(reads -> found(reads, store.ofAdminsFirst(reads, limit)));
    }

    private List<Found> found(Reads reads, List<Agent> agents) {
        var profiles = users.find(reads, agents.stream().map(Agent::id).toList());
        return agents.stream()
                .flatMap(agent -> Stream.ofNullable(profiles.get(agent.id())).map(profile -> new Found(agent, profile)))
                .toList();
    }

    /** The agents with this nickname. */
    List<Agent> named(Reads reads, String nickname) {
        return store.named(reads, nickname);
    }

    /** The agents that answer direct messages of the caller, by name. */
    List<Found> callable(Caller caller) {
        return db.read(reads -> found(reads, store.callable(reads, caller.user(), MAX_CALLABLE))).stream()
                .sorted(Comparator.comparing(
                        found -> found.profile().user().nickname().value()))
                .toList();
    }

    /** The runs of an agent, the newest first: for admins all, for others those that they called for. */
    List<AgentRun> runs(Caller caller, UserId id, Optional<Long> before, int limit) {
        return db.read(reads -> {
            if (store.find(reads, id).isEmpty()) {
                throw AgentsProblem.notFound();
            }
            return runs.list(reads, id, caller.admin() ? null : caller.user(), before.orElse(Long.MAX_VALUE), limit);
        });
    }

    AgentRun run(Caller caller, UserId id, long run) {
        return db.read(reads -> run(reads, caller, id, run));
    }

    private AgentRun run(Reads reads, Caller caller, UserId id, long run) {
        return runs.find(reads, id, run)
                .filter(found -> caller.mayChange(found.caller()))
                .orElseThrow(AgentsProblem::runNotFound);
    }

    /** The run by which a step of a saga asks, for its caller and admins. */
    AgentRun runOfStep(Caller caller, String saga, String step) {
        return db.read(reads -> steps.answer(reads, "%s:%s:EXECUTE".formatted(saga, step))
                        .flatMap(found -> runs.find(reads, found.agent(), found.run())))
                .filter(run -> caller.mayChange(run.caller()))
                .orElseThrow(AgentsProblem::runNotFound);
    }

    /** Stops a run: nothing is posted for it any more, whatever it has done until now. */
    AgentRun stop(Caller caller, UserId id, long run) {
        return db.inTransaction(tx -> {
            run(tx, caller, id, run);
            if (!runs.stop(tx, run, caller.user())) {
                throw AgentsProblem.runEnded();
            }
            var stopped = run(tx, caller, id, run);
            tx.afterCommit(() -> drafts.stopped(stopped));
            return stopped;
        });
    }

    /** Stops a run that nobody waits for any more, with what it asks to approve; false if it has ended. */
    boolean withdraw(UserId id, long run) {
        return db.inTransaction(tx -> {
            boolean stopped = runs.stop(tx, run, null);
            if (stopped) {
                var found = runs.find(tx, id, run).orElseThrow(AgentsProblem::runNotFound);
                tx.afterCommit(() -> drafts.stopped(found));
            }
            return stopped;
        });
    }

    private Agent changed(Reads reads, Caller caller, Agent before, Settings settings, FieldChecks checks) {
        var instructions = Optional.ofNullable(settings.instructions()).map(String::strip);
        var tools = Optional.ofNullable(settings.tools())
                .flatMap(given -> checks.check(() -> rules.requireTools(given, before.tools(), caller.admin())));
        var wake = Optional.ofNullable(settings.wake())
                .flatMap(given ->
                        checks.check(() -> given.stream().map(Wake::parse).collect(Collectors.toSet())));
        var callers = Optional.ofNullable(settings.callers())
                .flatMap(given -> checks.check(() -> rules.requirePeople(reads, given)));
        var limits =
                Optional.ofNullable(settings.limits()).flatMap(given -> checks.check(() -> given.on(before.limits())));
        return checks.check(() -> new Agent(
                        before.id(),
                        instructions.orElse(before.instructions()),
                        tools.orElse(before.tools()),
                        wake.orElse(before.wake()),
                        callers.orElse(before.callers()),
                        limits.orElse(before.limits()),
                        settings.enabled() == null ? before.enabled() : settings.enabled(),
                        before.createdAt(),
                        before.owner()))
                .orElse(before);
    }
}
