package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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
        routes.post(PATH + "/{id}/resolve", this::resolve);
        routes.patch(PATH + "/{id}", this::changePayload);
        routes.post(PATH + "/{id}/migrate", this::migrate);
        routes.post(PATH + "/{id}/signals/{name}", this::signal);
    }

    private record StartBody(
            String workflowName,
            @Nullable JsonNode payload,
            @Nullable String correlationId,
            @Nullable Integer priority) {

        NewSaga saga(Context ctx) {
            return new NewSaga(
                    workflowName,
                    payload == null ? JsonMapper.shared().createObjectNode() : payload,
                    correlationId,
                    null,
                    ctx.header("traceparent"),
                    priority == null ? NewSaga.DEFAULT_PRIORITY : priority);
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
        boolean waiting = SagaFilter.WAITING.equals(params.text("status"));
        var filter = new SagaFilter(
                params.text("workflowName"),
                params.constant("status", SagaStatus.class, List.of(SagaFilter.WAITING)),
                params.text("correlationId"),
                params.flag("stuck"),
                waiting,
                time(params, "from"),
                time(params, "to"),
                schedule(params.text("schedule")),
                parent(params.text("parent")),
                AttributeFilter.parse(ctx.queryParams("attribute")));
        var language = RequestLanguage.of(ctx);
        boolean totals = params.flag("totals");
        var page = list.page(ctx, (after, limit) -> queries.list(caller, filter, after, limit));
        var names = queries.initiators(page.items());
        ctx.json(new ListView(
                page.items().stream()
                        .map(saga -> SagaView.Summary.of(saga, language, names))
                        .toList(),
                page.next(),
                totals ? queries.totals(caller, filter) : null));
    }

    private static @Nullable Instant time(QueryParams params, String name) {
        return params.text(name) == null ? null : params.time(name, Instant.EPOCH);
    }

    private record ListView(
            List<SagaView.Summary> items,
            @Nullable String next,

            @JsonInclude(JsonInclude.Include.NON_NULL) SagaQueries.@Nullable Totals totals) {}

    static @Nullable Long schedule(@Nullable String id) {
        return id == null ? null : Long.valueOf(Ids.parse(id));
    }

    static @Nullable SagaId parent(@Nullable String text) {
        return text == null
                ? null
                : SagaId.find(text).orElseThrow(() -> SagaProblem.invalid("parent", Text.of("saga.field.saga-id")));
    }

    private void get(Context ctx) {
        ctx.json(SagaView.of(queries.details(Caller.of(ctx), id(ctx)), RequestLanguage.of(ctx)));
    }

    private void act(Context ctx, BiConsumer<Caller, SagaId> act) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        act.accept(caller, id);
        ctx.status(202).json(SagaView.of(queries.details(caller, id), RequestLanguage.of(ctx)));
    }

    private record ResolveBody(
            String action,
            @Nullable String step,
            @Nullable JsonNode answer,
            @Nullable String reason) {

        Sagas.Resolution resolution() {
            for (var each : Sagas.Resolution.Action.values()) {
                if (each.name().toLowerCase(Locale.ROOT).equals(action)) {
                    return new Sagas.Resolution(each, step, answer, reason);
                }
            }
            throw SagaProblem.invalid("action", Text.of("saga.field.resolution"));
        }
    }

    private void resolve(Context ctx) {
        var resolution = Body.json(ctx, ResolveBody.class).resolution();
        act(ctx, (caller, id) -> sagas.resolve(caller, id, resolution));
    }

    private record MigrateBody(int version) {}

    private void migrate(Context ctx) {
        int version = Body.json(ctx, MigrateBody.class).version();
        act(ctx, (caller, id) -> sagas.migrate(caller, id, version));
    }

    private record PayloadBody(JsonNode payload, String reason) {}

    private void changePayload(Context ctx) {
        var body = Body.json(ctx, PayloadBody.class);
        var caller = Caller.of(ctx);
        var id = id(ctx);
        sagas.changePayload(caller, id, body.payload(), body.reason());
        ctx.json(SagaView.of(queries.details(caller, id), RequestLanguage.of(ctx)));
    }

    private void signal(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var payload =
                ctx.bodyAsBytes().length == 0 ? JsonMapper.shared().createObjectNode() : Body.json(ctx, JsonNode.class);
        sagas.signal(caller, id, ctx.pathParam("name"), payload);
        ctx.status(202).json(SagaView.of(queries.details(caller, id), RequestLanguage.of(ctx)));
    }

    private static SagaId id(Context ctx) {
        return SagaId.parse(ctx.pathParam("id"));
    }
}
