package io.hiroba.records.data;

import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.Access;
import io.hiroba.records.Projects;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Records over HTTP, one at a time; a POST may bring many. */
public final class RecordRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/records/{schema}";

    private final Projects projects;
    private final Records records;
    private final Idempotency idempotency;

    public RecordRoutes(Projects projects, Records records, Idempotency idempotency) {
        this.projects = projects;
        this.records = records;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::create);
        routes.get(PATH + "/{row}", this::get);
        routes.put(PATH + "/{row}", this::replace);
        routes.patch(PATH + "/{row}", this::patch);
        routes.delete(PATH + "/{row}", this::delete);
    }

    private void create(Context ctx) {
        var access = Requests.access(projects, ctx).requireEditor();
        var bytes = Requests.bytes(ctx);
        var body = Requests.json(ctx, bytes);
        boolean atomic = Requests.isAtomic(ctx);
        Contention.settled(careful -> {
            idempotency.run(
                    ctx,
                    access.user().hex(),
                    bytes,
                    tx -> body.isArray()
                            ? BatchView.answer(
                                    atomic,
                                    201,
                                    records.create(
                                            tx,
                                            access,
                                            Requests.schema(ctx),
                                            body.valueStream().toList(),
                                            new Manner(atomic, careful, false)))
                            : made(access, ctx, records.create(tx, access, Requests.schema(ctx), body, careful)));
            return true;
        });
    }

    private static Answer made(Access access, Context ctx, RecordView view) {
        var location = "/api/v1/projects/%s/records/%s/%s"
                .formatted(access.project().id().hex(), Requests.schema(ctx), view.id());
        return new Answer(201, Map.of("Location", location, "ETag", view.tag()), Json.text(view));
    }

    private void get(Context ctx) {
        var view = records.get(Requests.access(projects, ctx), Requests.schema(ctx), Requests.row(ctx));
        if (Requests.isKnown(ctx, view.tag())) {
            ctx.header("ETag", view.tag()).status(304);
        } else {
            show(ctx, view);
        }
    }

    private void replace(Context ctx) {
        var access = Requests.access(projects, ctx);
        var values = values(ctx);
        show(ctx, records.replace(access, Requests.schema(ctx), Requests.row(ctx), values, Requests.expected(ctx)));
    }

    private void patch(Context ctx) {
        var access = Requests.access(projects, ctx);
        var values = values(ctx);
        show(ctx, records.patch(access, Requests.schema(ctx), Requests.row(ctx), values, Requests.expected(ctx)));
    }

    private void delete(Context ctx) {
        records.delete(Requests.access(projects, ctx), Requests.schema(ctx), Requests.row(ctx), Requests.expected(ctx));
        ctx.status(204);
    }

    private static JsonNode values(Context ctx) {
        return Requests.json(ctx);
    }

    private static void show(Context ctx, RecordView view) {
        ctx.header("ETag", view.tag()).json(view);
    }
}
