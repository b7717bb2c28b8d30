package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentTrigger.WeeklyTimes;
import io.hiroba.agents.AgentTriggers.NewTrigger;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of triggers: everybody has their own. */
final class AgentTriggerRoutes implements Routes {

    private static final String PATH = "/api/v1/agents/{id}/triggers";

    private final AgentTriggers triggers;

    AgentTriggerRoutes(AgentTriggers triggers) {
        this.triggers = triggers;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::add);
        routes.delete(PATH + "/{trigger}", this::delete);
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    private record TriggersView(List<TriggerView> items) {}

    private void list(Context ctx) {
        ctx.json(new TriggersView(triggers.list(Caller.of(ctx), id(ctx)).stream()
                .map(TriggerView::of)
                .toList()));
    }

    private record TriggerBody(
            @Nullable String kind,
            @Nullable String prompt,
            @Nullable String time,
            @Nullable List<String> days,
            @Nullable String timeZone) {}

    private void add(Context ctx) {
        var body = Body.json(ctx, TriggerBody.class);
        var kind = AgentTrigger.kind(required("kind", body.kind()));
        var prompt = required("prompt", body.prompt());
        var added = triggers.add(Caller.of(ctx), id(ctx), new NewTrigger(kind, prompt, times(kind, body)));
        ctx.header("Location", ctx.path());
        ctx.status(201).json(TriggerView.of(added));
    }

    private static @Nullable WeeklyTimes times(Wake kind, TriggerBody body) {
        if (kind == Wake.SCHEDULE) {
            return WeeklyTimes.parse(
                    required("time", body.time()),
                    body.days() == null ? List.of() : body.days(),
                    required("timeZone", body.timeZone()));
        }
        requireNone("time", body.time());
        requireNone("days", body.days());
        requireNone("timeZone", body.timeZone());
        return null;
    }

    private static void requireNone(String field, @Nullable Object value) {
        if (value != null) {
            throw AgentsProblem.invalid(field, Text.of("agents.field.times"));
        }
    }

    private static String required(String field, @Nullable String value) {
        if (value == null) {
            throw AgentsProblem.invalid(field, Text.of("http.field.required"));
        }
        return value;
    }

    private void delete(Context ctx) {
        triggers.delete(Caller.of(ctx), id(ctx), Ids.parse(ctx.pathParam("trigger")));
        ctx.status(204);
    }

    private record TriggerView(
            String id,
            String agentId,
            String kind,
            String prompt,
            @Nullable String time,
            @Nullable List<String> days,
            @Nullable String timeZone,
            @Nullable Instant dueAt,
            @Nullable Instant lastAt,
            @Nullable String failure,
            Instant createdAt) {

        static TriggerView of(AgentTrigger trigger) {
            var times = trigger.times();
            return new TriggerView(
                    Ids.hex(trigger.id()),
                    trigger.agent().hex(),
                    trigger.kind().code(),
                    trigger.prompt(),
                    times == null ? null : times.time().toString(),
                    times == null ? null : times.dayCodes(),
                    times == null ? null : times.zone().getId(),
                    trigger.dueAt(),
                    trigger.lastAt(),
                    trigger.failure(),
                    trigger.createdAt());
        }
    }
}
