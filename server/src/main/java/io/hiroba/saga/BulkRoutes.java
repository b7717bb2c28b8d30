package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of actions on many sagas. */
final class BulkRoutes implements Routes {

    private static final String PATH = "/api/v1/sagas/bulk";

    private final BulkActions bulk;

    BulkRoutes(BulkActions bulk) {
        this.bulk = bulk;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::start);
        routes.get(PATH + "/{job}", ctx -> ctx.json(bulk.find(Caller.of(ctx), job(ctx))));
        routes.post(PATH + "/{job}/stop", ctx -> ctx.json(bulk.stop(Caller.of(ctx), job(ctx))));
    }

    private record FilterBody(
            @Nullable String workflowName,
            @Nullable String status,
            @Nullable String correlationId,
            @Nullable Boolean stuck,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String schedule,
            @Nullable String parent,
            @Nullable List<String> attribute) {

        SagaFilter filter() {
            boolean waiting = SagaFilter.WAITING.equals(status);
            return new SagaFilter(
                            workflowName,
                            status == null || waiting ? null : status(status),
                            correlationId,
                            Boolean.TRUE.equals(stuck))
                    .whereWaiting(waiting)
                    .startedBetween(from, to)
                    .ofSchedule(SagaRoutes.schedule(schedule))
                    .withParent(SagaRoutes.parent(parent))
                    .withAttributes(AttributeFilter.parse(attribute == null ? List.of() : attribute));
        }

        private static SagaStatus status(String given) {
            return Arrays.stream(SagaStatus.values())
                    .filter(each -> each.name().equals(given))
                    .findFirst()
                    .orElseThrow(() -> SagaProblem.invalid("filter.status", Text.of("saga.field.status")));
        }
    }

    private record BulkBody(
            String action,
            FilterBody filter,
            @Nullable String signal,
            @Nullable JsonNode payload,
            @Nullable Integer version,
            @Nullable Boolean dryRun) {

        BulkActions.Request request() {
            for (var each : BulkActions.Action.values()) {
                if (each.name().toLowerCase(Locale.ROOT).equals(action)) {
                    return new BulkActions.Request(each, filter.filter(), signal, payload, version);
                }
            }
            throw SagaProblem.invalid("action", Text.of("saga.field.bulk-action"));
        }
    }

    private void start(Context ctx) {
        var body = Body.json(ctx, BulkBody.class);
        var caller = Caller.of(ctx);
        if (Boolean.TRUE.equals(body.dryRun())) {
            ctx.json(bulk.count(caller, body.request()));
            return;
        }
        var job = bulk.start(caller, body.request());
        ctx.status(202).header("Location", PATH + "/" + job.id()).json(job);
    }

    private static UUID job(Context ctx) {
        return SagaId.find(ctx.pathParam("job")).map(SagaId::value).orElseThrow(SagaProblem::noBulkJob);
    }
}
