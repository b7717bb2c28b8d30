package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentPauseStore.Availability;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** The API of pauses and quiet hours of agents. */
final class AgentPauseRoutes implements Routes {

    private static final String ALL = "/api/v1/admin/agents";
    private static final String ONE = "/api/v1/agents/{id}";
    private static final String QUIET = ONE + "/quiet-hours";

    private final AgentPauses pauses;

    AgentPauseRoutes(AgentPauses pauses) {
        this.pauses = pauses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ALL, ctx -> ctx.json(pauses.all(Caller.of(ctx))));
        routes.post(ALL + "/pause", ctx -> ctx.json(pauses.pauseAll(Caller.of(ctx), isEnd(ctx))));
        routes.post(ALL + "/resume", ctx -> ctx.json(pauses.resumeAll(Caller.of(ctx))));
        routes.get(ONE + "/availability", ctx -> ctx.json(AvailabilityView.of(pauses.of(id(ctx)))));
        routes.post(
                ONE + "/pause",
                ctx -> ctx.json(AvailabilityView.of(pauses.pause(Caller.of(ctx), id(ctx), isEnd(ctx)))));
        routes.post(ONE + "/resume", ctx -> ctx.json(AvailabilityView.of(pauses.resume(Caller.of(ctx), id(ctx)))));
        routes.put(QUIET, this::setQuiet);
        routes.delete(QUIET, ctx -> ctx.json(AvailabilityView.of(pauses.setQuiet(Caller.of(ctx), id(ctx), null))));
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    private record PauseBody(@Nullable Boolean endRuns) {}

    private static boolean isEnd(Context ctx) {
        return ctx.bodyAsBytes().length > 0
                && Boolean.TRUE.equals(Body.json(ctx, PauseBody.class).endRuns());
    }

    private record QuietBody(
            @Nullable String from,
            @Nullable String until,
            @Nullable String timeZone) {}

    private void setQuiet(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, QuietBody.class);
        var quiet = QuietHours.parse(
                required("from", body.from()), required("until", body.until()), required("timeZone", body.timeZone()));
        ctx.json(AvailabilityView.of(pauses.setQuiet(caller, id(ctx), quiet)));
    }

    private static String required(String field, @Nullable String value) {
        if (value == null) {
            throw AgentsProblem.invalid(field, Text.of("http.field.required"));
        }
        return value;
    }

    private record AvailabilityView(
            boolean paused, @Nullable QuietBody quietHours, long openRuns) {

        static AvailabilityView of(Availability availability) {
            var quiet = availability.quiet();
            return new AvailabilityView(
                    availability.paused(),
                    quiet == null
                            ? null
                            : new QuietBody(
                                    quiet.from().toString(),
                                    quiet.until().toString(),
                                    quiet.zone().getId()),
                    availability.open());
        }
    }
}
