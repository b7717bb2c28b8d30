package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.tuning.Indexes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** The indexes of a project that follow its use: what there is, what would help and why, by a click. */
public final class IndexPages implements Routes {

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Indexes indexes;

    public IndexPages(Shell shell, Times times, Entrance entrance, Indexes indexes) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.indexes = indexes;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.PROJECT + "/-/indexes", ctx -> show(ctx, entrance.project(ctx), Form.EMPTY));
        routes.post(Paths.PROJECT + "/-/indexes", this::create);
        routes.post(Paths.PROJECT + "/-/indexes/{name}/drop", this::drop);
    }

    private void create(Context ctx) {
        var access = entrance.project(ctx);
        try {
            var schema = Optional.ofNullable(ctx.formParam("schema")).orElse("");
            indexes.create(access, schema, ctx.formParams("attribute"));
            shell.seeOther(ctx, path(access), "The index is being made.");
        } catch (Problem refusal) {
            showAgain(ctx, access, refusal);
        }
    }

    private void drop(Context ctx) {
        var access = entrance.project(ctx);
        try {
            indexes.drop(access, ctx.pathParam("name"));
            shell.seeOther(ctx, path(access), "The index goes.");
        } catch (Problem refusal) {
            showAgain(ctx, access, refusal);
        }
    }

    private void showAgain(Context ctx, Access access, Problem refusal) {
        if (!Entrance.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, path(access));
        show(ctx, access, Form.EMPTY.refused(refusal));
    }

    private void show(Context ctx, Access access, Form form) {
        var overview = indexes.overview(access);
        var when = times.when(ctx);
        shell.page(
                ctx,
                "Indexes",
                "records/indexes",
                Map.of(
                        "project",
                        ProjectHead.of(access),
                        "form",
                        form,
                        "automatic",
                        access.project().autoIndex(),
                        "indexes",
                        overview.indexes().stream()
                                .map(index -> IndexItem.of(index, indexes, when))
                                .toList(),
                        "proposals",
                        overview.proposals().stream().map(ProposalItem::of).toList()));
    }

    private static String path(Access access) {
        return Paths.part(access.project().id(), "indexes");
    }
}
