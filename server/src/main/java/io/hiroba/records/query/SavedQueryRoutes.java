package io.hiroba.records.query;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectId;
import io.hiroba.records.query.SavedQueries.Draft;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Saved queries over HTTP. */
final class SavedQueryRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/saved-queries";
    private static final String ONE = PATH + "/{query}";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final SavedQueries saved;
    private final Idempotency idempotency;
    private final KeysetList<SavedQueries.Shown, Long> list;

    SavedQueryRoutes(SavedQueries saved, Idempotency idempotency, Cursors cursors) {
        this.saved = saved;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "saved-queries",
                cursor -> SavedQueryId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.query().id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, FormerNames.noting(this::create));
        routes.get(PATH, FormerNames.noting(this::list));
        routes.get(ONE, FormerNames.noting(this::get));
        routes.put(ONE, FormerNames.noting(this::replace));
        routes.delete(ONE, FormerNames.noting(this::delete));
        routes.get(ONE + "/records", FormerNames.noting(this::records));
    }

    private record SavedQueryBody(
            String name,
            QueryDefinition query,
            @JsonProperty("notify") @Nullable Boolean notifies,
            @Nullable Boolean shared) {

        Draft draft() {
            return new Draft(name, query, Boolean.TRUE.equals(notifies), Boolean.TRUE.equals(shared));
        }
    }

    /** @param gone whether the caller cannot see something of it, in which case the rest of the query is left out */
    private record SavedView(
            String id,
            String name,
            QueryDefinition query,
            @JsonProperty("notify") boolean notifies,
            boolean shared,
            String ownerId,
            boolean mine,
            Instant createdAt,
            boolean gone) {

        static SavedView of(Caller caller, SavedQuery saved) {
            return of(caller, new SavedQueries.Shown(saved, false));
        }

        static SavedView of(Caller caller, SavedQueries.Shown shown) {
            var saved = shown.query();
            return new SavedView(
                    saved.id().hex(),
                    saved.name(),
                    saved.definition(),
                    saved.notifies(),
                    saved.shared(),
                    saved.owner().hex(),
                    saved.owner().equals(caller.user()),
                    saved.id().createdAt(),
                    shown.gone());
        }
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var project = project(ctx);
        var checked = saved.check(caller, project, draft(ctx));
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var created = saved.create(tx, checked);
            return Answer.created(
                    "/api/v1/projects/%s/saved-queries/%s"
                            .formatted(project.hex(), created.id().hex()),
                    SavedView.of(caller, created));
        });
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var project = project(ctx);
        ctx.json(list.page(ctx, (before, limit) -> saved.list(caller, project, before.orElse(Long.MAX_VALUE), limit))
                .map(each -> SavedView.of(caller, each)));
    }

    private void get(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(SavedView.of(caller, saved.shown(caller, project(ctx), id(ctx))));
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
        ctx.contentType("application/json").result(QueryResultWriter.page(found));
    }

    /** Keeps all digits of the numbers in the condition. */
    private static Draft draft(Context ctx) {
        return Body.exactJson(ctx, ctx.bodyAsBytes(), SavedQueryBody.class).draft();
    }

    private static ProjectId project(Context ctx) {
        return ProjectId.parse(ctx.pathParam("project"));
    }

    private static SavedQueryId id(Context ctx) {
        return SavedQueryId.parse(ctx.pathParam("query"));
    }
}
