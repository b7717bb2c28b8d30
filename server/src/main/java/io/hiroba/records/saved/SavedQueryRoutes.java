package io.hiroba.records.saved;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.ProjectId;
import io.hiroba.records.query.RowWriter;
import io.hiroba.records.saved.SavedQueries.Draft;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Saved queries over HTTP. */
public final class SavedQueryRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/saved-queries";
    private static final String ONE = PATH + "/{query}";
    private static final String LIST = "saved-queries";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final SavedQueries saved;
    private final Idempotency idempotency;
    private final Cursors cursors;

    public SavedQueryRoutes(SavedQueries saved, Idempotency idempotency, Cursors cursors) {
        this.saved = saved;
        this.idempotency = idempotency;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::create);
        routes.get(PATH, this::list);
        routes.get(ONE, this::get);
        routes.put(ONE, this::replace);
        routes.delete(ONE, this::delete);
        routes.get(ONE + "/records", this::records);
    }

    private record Asked(
            String name,
            Question query,
            @JsonProperty("notify") @Nullable Boolean notifies,
            @Nullable Boolean shared) {

        Draft draft() {
            return new Draft(name, query, Boolean.TRUE.equals(notifies), Boolean.TRUE.equals(shared));
        }
    }

    private record SavedView(
            String id,
            String name,
            Question query,
            @JsonProperty("notify") boolean notifies,
            boolean shared,
            String ownerId,
            boolean mine,
            Instant createdAt) {

        static SavedView of(Caller caller, SavedQuery saved) {
            return new SavedView(
                    saved.id().hex(),
                    saved.name(),
                    saved.question(),
                    saved.notifies(),
                    saved.shared(),
                    saved.owner().hex(),
                    saved.owner().equals(caller.user()),
                    saved.id().createdAt());
        }
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var project = project(ctx);
        var question = saved.check(caller, project, draft(ctx));
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var made = saved.create(tx, question);
            return Answer.created(
                    "/api/v1/projects/%s/saved-queries/%s"
                            .formatted(project.hex(), made.id().hex()),
                    SavedView.of(caller, made));
        });
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        long before = cursors.read(LIST, request)
                .map(cursor -> SavedQueryId.parse(cursor.text(0)).value())
                .orElse(Long.MAX_VALUE);
        var found = saved.list(caller, project(ctx), before, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(LIST, Cursor.of(last.id().hex())))
                .map(each -> SavedView.of(caller, each)));
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(SavedView.of(caller, saved.get(caller, project(ctx), id(ctx))));
    }

    private void replace(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(SavedView.of(caller, saved.replace(caller, project(ctx), id(ctx), draft(ctx))));
    }

    private void delete(Context ctx) {
        saved.delete(Caller.of(ctx), project(ctx), id(ctx));
        ctx.status(204);
    }

    private void records(Context ctx) {
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var found = saved.results(
                Caller.of(ctx),
                project(ctx),
                id(ctx),
                request.limit(),
                request.after().orElse(null));
        ctx.contentType("application/json").result(RowWriter.page(found));
    }

    /** With all digits of the numbers that are compared with. */
    private static Draft draft(Context ctx) {
        return Body.exactJson(ctx, ctx.bodyAsBytes(), Asked.class).draft();
    }

    private static ProjectId project(Context ctx) {
        return ProjectId.parse(ctx.pathParam("project"));
    }

    private static SavedQueryId id(Context ctx) {
        return SavedQueryId.parse(ctx.pathParam("query"));
    }
}
