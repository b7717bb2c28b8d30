package io.hiroba.agents;

import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.Agents.LimitSettings;
import io.hiroba.agents.Agents.Settings;
import io.hiroba.mcp.ApiTools;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of an agent's settings.
 *
 * @param tools those that it may be given
 * @param wakes what may wake it
 */
public record AgentForm(Form form, List<Choice> tools, List<Choice> wakes) {

    private static final String[] FIELDS = {
        "nickname",
        "model",
        "personality",
        "instructions",
        "tools",
        "callers",
        "turns",
        "seconds",
        "dailyTokens",
        "dailyCost"
    };

    public AgentForm {
        tools = List.copyOf(tools);
        wakes = List.copyOf(wakes);
    }

    /** A tool, or an event that wakes, which may be ticked. */
    public record Choice(String code, String label, boolean isChosen) {}

    /** How many tools are ticked. */
    public long chosenTools() {
        return tools.stream().filter(Choice::isChosen).count();
    }

    /**
     * As the agent is, or for a new one.
     *
     * @param offered the tools that it may be given
     * @param callers as they are typed
     */
    static AgentForm of(@Nullable Found found, List<String> offered, String callers, Reader reader) {
        var limits = found == null ? Agent.Limits.DEFAULT : found.agent().limits();
        var tokens = limits.dailyTokens();
        var cost = limits.dailyCost();
        var form = Form.filled(Map.of(
                "turns",
                Integer.toString(limits.turns()),
                "seconds",
                Integer.toString(limits.seconds()),
                "dailyTokens",
                tokens == null ? "" : Long.toString(tokens),
                "dailyCost",
                cost == null ? "" : plain(cost),
                "model",
                Agent.LIBRARIAN,
                "callers",
                callers));
        if (found == null) {
            var all = Arrays.stream(Wake.values()).map(Wake::code).toList();
            return new AgentForm(form, tools(offered, List.of(), reader), wakes(all, reader));
        }
        var profile = found.profile();
        var agent = found.agent();
        var filled = form.with("nickname", profile.user().nickname().value())
                .with("model", Optional.ofNullable(profile.user().aiModel()).orElse(""))
                .with(
                        "personality",
                        Optional.ofNullable(profile.aiPersonality()).orElse(""))
                .with("instructions", agent.instructions());
        return new AgentForm(
                filled,
                tools(offered, agent.tools(), reader),
                wakes(agent.wake().stream().map(Wake::code).toList(), reader));
    }

    /** As it was sent. */
    static AgentForm sent(Context ctx, List<String> offered, Reader reader) {
        return new AgentForm(
                Form.of(ctx, FIELDS), tools(offered, tools(ctx), reader), wakes(ctx.formParams("wake"), reader));
    }

    /** With the faults at their fields: the API has the bounds in an object of their own. */
    AgentForm with(Problem refusal) {
        var refused = form;
        for (var fault : refusal.fields()) {
            var field = fault.field().replaceFirst("^limits\\.", "");
            if (form.values().containsKey(field)) {
                refused = refused.withError(field, fault.message());
            }
        }
        return new AgentForm(refused.hasErrors() ? refused : form.withProblem(refusal.detail()), tools, wakes);
    }

    private static List<String> tools(Context ctx) {
        return ctx.formParams("tools").stream()
                .flatMap(given -> Arrays.stream(given.split("[,\\s]+", -1)))
                .filter(tool -> !tool.isEmpty())
                .toList();
    }

    /** Those that are offered, and those that it has all the same. */
    private static List<Choice> tools(List<String> offered, Collection<String> chosen, Reader reader) {
        var names = Set.copyOf(chosen);
        return Stream.concat(offered.stream(), chosen.stream())
                .distinct()
                .map(name -> new Choice(
                        name,
                        ApiTools.names().contains(name) && !ApiTools.isOwn(name)
                                ? reader.text("agents.tool." + name.replace('_', '-'))
                                : reader.text("agents.tool.remote", "tool", name),
                        names.contains(name)))
                .toList();
    }

    private static List<Choice> wakes(Collection<String> chosen, Reader reader) {
        var codes = new HashSet<>(chosen);
        return Arrays.stream(Wake.values())
                .map(Wake::code)
                .map(code -> new Choice(code, reader.text("agents.on-" + code), codes.contains(code)))
                .toList();
    }

    /**
     * What was sent.
     *
     * @param callers the ids of those who were typed; null if nothing is said about them
     * @param checks takes what is no number
     * @param isNew whether there is no such agent yet: where nothing is said about it, it is enabled, and woken by everything
     */
    static Settings settings(Context ctx, @Nullable List<String> callers, boolean isNew, FieldChecks checks) {
        var form = Form.of(ctx, FIELDS);
        boolean asksForWakes = !isNew || ctx.formParam("wakes") != null;
        return new Settings(
                form.value("nickname"),
                form.value("model"),
                form.value("personality"),
                form.value("instructions"),
                tools(ctx),
                asksForWakes ? ctx.formParams("wake") : null,
                callers,
                new LimitSettings(
                        number(form, "turns", 9, checks).map(Math::toIntExact).orElse(null),
                        number(form, "seconds", 9, checks).map(Math::toIntExact).orElse(null),
                        number(form, "dailyTokens", 13, checks).orElse(null),
                        sum(form, checks),
                        true,
                        true),
                isNew ? null : (Boolean) (ctx.formParam("enabled") != null));
    }

    private static Optional<Long> number(Form form, String field, int digits, FieldChecks checks) {
        var text = form.value(field).strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return checks.check(() -> Long.valueOf(requireNumber(field, text, "[0-9]{1," + digits + "}")));
    }

    /** Without zeros that say nothing. */
    private static String plain(BigDecimal cost) {
        return cost.signum() == 0 ? "0" : cost.stripTrailingZeros().toPlainString();
    }

    private static @Nullable BigDecimal sum(Form form, FieldChecks checks) {
        var text = form.value("dailyCost").strip();
        return text.isEmpty()
                ? null
                : checks.check(() -> new BigDecimal(requireNumber("dailyCost", text, "[0-9]{1,6}(\\.[0-9]{1,6})?")))
                        .orElse(null);
    }

    private static String requireNumber(String field, String text, String pattern) {
        if (!text.matches(pattern)) {
            throw AgentsProblem.invalid(field, Text.of("agents.field.number"));
        }
        return text;
    }

    /** The names and ids in a text, which commas and line breaks part. */
    static Set<String> names(String typed) {
        return Arrays.stream(typed.split("[,、，\\r\\n]+", -1))
                .map(String::strip)
                .map(name -> name.startsWith("@") ? name.substring(1) : name)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
