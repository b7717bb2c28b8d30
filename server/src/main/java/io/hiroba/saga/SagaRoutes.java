package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API of sagas. */
final class SagaRoutes implements Routes {

    private static final String PATH = "/api/v1/sagas";

    private final Sagas sagas;
    private final SagaQueries queries;
    private final Idempotency idempotency;
    private final KeysetList<Saga, SagaId> list;

    SagaRoutes(Sagas sagas, SagaQueries queries, Idempotency idempotency, Cursors cursors) {
        this.sagas = sagas;
        this.queries = queries;
        this.idempotency = idempotency;
        list = list(cursors);
    }

    /** The list of sagas, newest first. */
    static KeysetList<Saga, SagaId> list(Cursors cursors) {
        return new KeysetList<>(
                cursors,
                "sagas",
                cursor -> SagaId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().toString()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::start);
        routes.get(PATH, this::list);
        routes.get(PATH + "/{id}", this::get);
        routes.post(PATH + "/{id}/cancel", ctx -> act(ctx, sagas::cancel));
        routes.post(PATH + "/{id}/compensate", ctx -> act(ctx, sagas::compensate));
        routes.post(PATH + "/{id}/retry", ctx -> act(ctx, sagas::retry));
        routes.post(PATH + "/{id}/signals/{name}", this::signal);
    }

    private record StartBody(
            String workflowName,
            @Nullable JsonNode payload,
            @Nullable String correlationId) {

        NewSaga saga(Context ctx) {
            return new NewSaga(
                    workflowName,
                    payload == null ? JsonMapper.shared().createObjectNode() : payload,
                    correlationId,
                    null,
                    ctx.header("traceparent"));
        }
    }

    /** The answer to a start: the saga may be further when it is read. */
    private record StartedView(
            String id, String workflowName, @Nullable String correlationId, SagaStatus status) {}

    private void start(Context ctx) {
        var caller = Caller.of(ctx);
        var saga = Body.json(ctx, StartBody.class).saga(ctx);
        if (ctx.header("Idempotency-Key") != null) {
            idempotency.run(ctx, caller.user().hex(), tx -> {
                var started = started(sagas.start(tx, caller, saga), saga);
                return Answer.created(PATH + "/" + started.id(), started);
            });
            return;
        }
        // Without a key the start needs no transaction of its own, and many share a commit.
        var started = started(sagas.start(caller, saga), saga);
        ctx.status(201).header("Location", PATH + "/" + started.id()).json(started);
    }

    private static StartedView started(SagaId id, NewSaga saga) {
        return new StartedView(id.toString(), saga.workflowName(), saga.correlationId(), SagaStatus.STARTED);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var params = QueryParams.of(ctx);
        var filter = new SagaFilter(
                params.text("workflowName"),
                params.constant("status", SagaStatus.class),
                params.text("correlationId"),
                params.flag("stuck"),
                parent(params.text("parent")));
        var language = RequestLanguage.ACCEPTED.of(ctx);
        ctx.json(list.page(ctx, (after, limit) -> queries.list(caller, filter, after, limit))
                .map(saga -> SagaView.Summary.of(saga, language)));
    }

    private static @Nullable SagaId parent(@Nullable String text) {
        return text == null
                ? null
                : SagaId.find(text).orElseThrow(() -> SagaProblem.invalid("parent", Text.of("saga.field.saga-id")));
    }

    private void get(Context ctx) {
        ctx.json(SagaView.of(queries.details(Caller.of(ctx), id(ctx)), RequestLanguage.ACCEPTED.of(ctx)));
    }

    private void act(Context ctx, BiConsumer<Caller, SagaId> act) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        act.accept(caller, id);
        ctx.status(202).json(SagaView.of(queries.details(caller, id), RequestLanguage.ACCEPTED.of(ctx)));
    }

    private void signal(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var payload =
                ctx.bodyAsBytes().length == 0 ? JsonMapper.shared().createObjectNode() : Body.json(ctx, JsonNode.class);
        sagas.signal(caller, id, ctx.pathParam("name"), payload);
        ctx.status(202).json(SagaView.of(queries.details(caller, id), RequestLanguage.ACCEPTED.of(ctx)));
    }

    private static SagaId id(Context ctx) {
        return SagaId.parse(ctx.pathParam("id"));
    }
}
