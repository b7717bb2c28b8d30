package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Attempts at steps of any saga over HTTP. */
public final class StepRoutes implements Routes {

    private static final String LIST = "saga-steps";
    private static final Duration DEFAULT_TIME = Duration.ofDays(1);

    private final SagaQueries queries;
    private final Cursors cursors;
    private final InstantSource clock;

    public StepRoutes(SagaQueries queries, Cursors cursors, InstantSource clock) {
        this.queries = queries;
        this.cursors = cursors;
        this.clock = clock;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/saga-steps", this::list);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, 50, 200);
        var after = cursors.read(LIST, request).map(StepRoutes::position);
        var given = new Parameters(ctx);
        // What began this moment counts as well, whatever the clocks of the nodes say.
        var to = given.time("to", clock.instant().plusSeconds(60));
        var filter = new StepFilter(
                given.text("stepName"),
                given.one("status", StepStatus.class),
                given.one("action", StepAction.class),
                given.time("from", to.minus(DEFAULT_TIME)),
                to);
        var found = queries.steps(caller, filter, after, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(StepItem::of));
    }

    private String cursor(FoundStep last) {
        return cursors.write(
                LIST,
                Cursor.of(
                        last.startedAt().toString(),
                        last.saga().toString(),
                        Integer.toString(last.stepIndex()),
                        last.action().name(),
                        Integer.toString(last.attempt())));
    }

    private static FoundStep.Position position(Cursor cursor) {
        return new FoundStep.Position(
                Instant.parse(cursor.text(0)),
                SagaId.parse(cursor.text(1)),
                (int) cursor.number(2),
                StepAction.valueOf(cursor.text(3)),
                (int) cursor.number(4));
    }

    private record StepItem(
            String sagaId,
            String workflowName,
            int stepIndex,
            String stepName,
            StepAction action,
            int attempt,
            StepStatus status,
            @Nullable String error,
            Instant startedAt,
            @Nullable Instant completedAt,
            @Nullable Instant retryAt) {

        static StepItem of(FoundStep step) {
            return new StepItem(
                    step.saga().toString(),
                    step.workflowName(),
                    step.stepIndex(),
                    step.stepName(),
                    step.action(),
                    step.attempt(),
                    step.status(),
                    step.error(),
                    step.startedAt(),
                    step.completedAt(),
                    step.retryAt());
        }
    }
}
