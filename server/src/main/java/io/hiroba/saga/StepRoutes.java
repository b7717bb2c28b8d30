package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The API that searches attempts at steps of any saga. */
final class StepRoutes implements Routes {

    private static final Duration DEFAULT_RANGE = Duration.ofDays(1);

    private final SagaQueries queries;
    private final InstantSource clock;
    private final KeysetList<FoundAttempt, FoundAttempt.Position> list;

    StepRoutes(SagaQueries queries, Cursors cursors, InstantSource clock) {
        this.queries = queries;
        this.clock = clock;
        list = new KeysetList<>(cursors, "saga-steps", 50, 200, StepRoutes::position, StepRoutes::cursor);
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/saga-steps", this::list);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var params = QueryParams.of(ctx);
        // A margin for attempts that begin now on nodes whose clocks are ahead.
        var to = params.time("to", clock.instant().plusSeconds(60));
        var filter = new StepFilter(
                params.text("stepName"),
                params.constant("status", StepStatus.class),
                params.constant("action", StepAction.class),
                params.time("from", to.minus(DEFAULT_RANGE)),
                to);
        var language = RequestLanguage.of(ctx);
        ctx.json(list.page(ctx, (after, limit) -> queries.steps(caller, filter, after, limit))
                .map(found -> FoundAttemptView.of(found, language)));
    }

    private record FoundAttemptView(
            SagaId sagaId,
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

        static FoundAttemptView of(FoundAttempt found, Language language) {
            var error = found.error();
            return new FoundAttemptView(
                    found.sagaId(),
                    found.workflowName(),
                    found.stepIndex(),
                    found.stepName(),
                    found.action(),
                    found.attempt(),
                    found.status(),
                    error == null ? null : error.in(language),
                    found.startedAt(),
                    found.completedAt(),
                    found.retryAt());
        }
    }

    private static Cursor cursor(FoundAttempt last) {
        return Cursor.of(
                last.startedAt().toString(),
                last.sagaId().toString(),
                Integer.toString(last.stepIndex()),
                last.action().name(),
                Integer.toString(last.attempt()));
    }

    private static FoundAttempt.Position position(Cursor cursor) {
        return new FoundAttempt.Position(
                Instant.parse(cursor.text(0)),
                SagaId.parse(cursor.text(1)),
                (int) cursor.number(2),
                StepAction.valueOf(cursor.text(3)),
                (int) cursor.number(4));
    }
}
