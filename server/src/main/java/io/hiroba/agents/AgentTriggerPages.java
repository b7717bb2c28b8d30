package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentTrigger.WeeklyTimes;
import io.hiroba.agents.AgentTriggers.NewTrigger;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The page on which people let an agent be woken for them, by the clock or by items of their inbox. */
public final class AgentTriggerPages implements Routes {

    private static final String PATH = AgentPages.PATH + "/{id}/triggers";

    private final Shell shell;
    private final Readers readers;
    private final Agents agents;
    private final AgentTriggers triggers;

    AgentTriggerPages(Shell shell, Readers readers, Agents agents, AgentTriggers triggers) {
        this.shell = shell;
        this.readers = readers;
        this.agents = agents;
        this.triggers = triggers;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.filled(Map.of("time", "08:00")), Set.of()));
        routes.post(PATH, this::add);
        routes.post(PATH + "/{trigger}/delete", this::delete);
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    private static String path(UserId agent) {
        return AgentPages.PATH + "/" + agent + "/triggers";
    }

    private void show(Context ctx, Form form, Set<String> days) {
        var caller = Caller.of(ctx);
        var found = agents.get(id(ctx));
        var reader = readers.reader(ctx);
        var kinds = AgentTrigger.KINDS.stream()
                .filter(kind -> found.agent().wake().contains(kind))
                .map(Wake::code)
                .toList();
        var filled = form.value("timeZone").isEmpty()
                ? form.with("timeZone", reader.zone().getId())
                : form;
        shell.page(
                ctx,
                Text.of("agents.triggers"),
                "agents/triggers",
                Map.of(
                        "agent",
                        found.profile().user().nickname().value(),
                        "path",
                        path(found.agent().id()),
                        "triggers",
                        triggers.list(caller, found.agent().id()).stream()
                                .map(trigger -> TriggerCard.of(trigger, reader))
                                .toList(),
                        "kinds",
                        kinds,
                        "days",
                        days,
                        "form",
                        filled));
    }

    private void add(Context ctx) {
        var form = Form.of(ctx, "kind", "prompt", "time", "timeZone");
        var days = ctx.formParams("days");
        try {
            var kind = AgentTrigger.kind(form.value("kind"));
            var times =
                    kind == Wake.SCHEDULE ? WeeklyTimes.parse(form.value("time"), days, form.value("timeZone")) : null;
            triggers.add(
                    Caller.of(ctx),
                    id(ctx),
                    new NewTrigger(kind, form.value("prompt").replace("\r\n", "\n"), times));
            shell.seeOther(ctx, path(id(ctx)), Text.of("agents.trigger-added"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), Set.copyOf(days));
        }
    }

    private void delete(Context ctx) {
        triggers.delete(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("trigger")));
        shell.seeOther(ctx, path(id(ctx)), Text.of("agents.trigger-deleted"));
    }

    /** The view of a trigger. */
    public record TriggerCard(String path, String when, String prompt, String last, String failure) {

        /** The codes of the days of a week. */
        public static final List<String> DAYS =
                Arrays.stream(DayOfWeek.values()).map(WeeklyTimes::code).toList();

        static TriggerCard of(AgentTrigger trigger, Reader reader) {
            var last = trigger.lastAt();
            var failure = trigger.failure();
            return new TriggerCard(
                    AgentTriggerPages.path(trigger.agent()) + "/" + Ids.hex(trigger.id()),
                    when(trigger, reader),
                    trigger.prompt(),
                    last == null ? "" : reader.text("agents.trigger-last", "time", reader.ago(last)),
                    failure == null ? "" : reader.text("agents.trigger-failure." + failure));
        }

        private static String when(AgentTrigger trigger, Reader reader) {
            var times = trigger.times();
            if (times == null) {
                return reader.text("agents.on-" + trigger.kind().code());
            }
            return reader.text(
                    "agents.trigger-when",
                    "time",
                    times.time().toString(),
                    "zone",
                    times.zone().getId(),
                    "days",
                    times.dayCodes().stream()
                            .map(day -> reader.text("agents.day." + day))
                            .collect(Collectors.joining(", ")));
        }
    }
}
