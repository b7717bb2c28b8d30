package io.hiroba.records.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RemovedSchemas;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Map;

/** The question before a schema is deleted, the deleted schemas of a project, and what is told instead of their pages. */
public final class RemovedSchemaPages implements Routes {

    private static final String REMOVED = RecordPaths.PROJECT + "/-/removed";
    private static final String DELETE = RecordPaths.SCHEMA + "/schema/delete";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RemovedSchemas removed;
    private final Users users;

    RemovedSchemaPages(Shell shell, Readers readers, PageContext context, RemovedSchemas removed, Users users) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.removed = removed;
        this.users = users;
    }

    /**
     * A schema that is to be deleted.
     *
     * @param path of its records
     */
    public record Question(ProjectHeader project, String name, String path, RemovedSchemas.Preview preview) {}

    /** A deleted schema in a list. */
    public record Item(String id, String name, Text deleted, String until, Form form) {}

    /**
     * A deleted schema in place of one of its pages.
     *
     * @param mayRestore whether the reader may bring it back
     */
    public record Gone(ProjectHeader project, Item item, boolean mayRestore) {}

    @Override
    public void register(RoutesConfig routes) {
        routes.exception(SchemaRemovedException.class, this::gone);
        routes.get(DELETE, this::ask);
        routes.post(DELETE, this::delete);
        routes.get(REMOVED, ctx -> show(ctx, context.project(ctx).requireOwner(), "", Form.EMPTY));
        routes.post(REMOVED + "/{removed}/restore", this::restore);
        routes.post(REMOVED + "/{removed}/erase", this::erase);
    }

    private void ask(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var schema = context.schema(ctx, access).schema();
        var question = new Question(
                ProjectHeader.of(access),
                schema.label(),
                RecordPaths.schema(access.project().id(), schema.name()),
                removed.preview(access, schema.name()));
        shell.page(
                ctx,
                Text.of("records.removal-title", "name", schema.label()),
                "records/removal",
                Map.of("view", question));
    }

    private void delete(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var schema = context.schema(ctx, access).schema();
        try {
            removed.remove(access, schema.name());
            shell.seeOther(ctx, RecordPaths.part(access.project().id(), "removed"), Text.of("records.schema-deleted"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            // The page says what is in the way.
            shell.refused(ctx, refusal, RecordPaths.schema(access.project().id(), schema.name()) + "/schema/delete");
            ask(ctx);
        }
    }

    private void restore(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var id = ctx.pathParam("removed");
        var form = Form.of(ctx, "name");
        try {
            var restored = removed.restore(access, id, form.value("name").isBlank() ? null : form.value("name"));
            shell.seeOther(
                    ctx,
                    RecordPaths.schema(access.project().id(), restored.name()),
                    Text.of("records.schema-restored"));
        } catch (Problem refusal) {
            refused(ctx, access, id, form, refusal);
        }
    }

    private void erase(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var id = ctx.pathParam("removed");
        try {
            removed.erase(access, id);
            shell.seeOther(ctx, RecordPaths.part(access.project().id(), "removed"), Text.of("records.schema-erased"));
        } catch (Problem refusal) {
            refused(ctx, access, id, Form.EMPTY, refusal);
        }
    }

    private void refused(Context ctx, ProjectAccess access, String id, Form form, Problem refusal) {
        if (!PageContext.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, RecordPaths.part(access.project().id(), "removed"));
        show(ctx, access, id, form.refused(refusal).withProblem(refusal.detail()));
    }

    /** @param refused the id of the one that was not restored or erased, with what was typed */
    private void show(Context ctx, ProjectAccess access, String refused, Form form) {
        var items = removed.list(access).stream()
                .map(each -> item(ctx, each, String.valueOf(each.id()).equals(refused) ? form : Form.EMPTY))
                .toList();
        shell.page(
                ctx,
                Text.of("records.removed-schemas"),
                "records/removed",
                Map.of("project", ProjectHeader.of(access), "items", items));
    }

    private void gone(SchemaRemovedException refusal, Context ctx) {
        var access = refusal.access();
        var gone = new Gone(ProjectHeader.of(access), item(ctx, refusal.removed(), Form.EMPTY), access.isOwner());
        ctx.status(HttpStatus.GONE);
        shell.page(
                ctx,
                Text.of("records.gone-title", "name", refusal.removed().name()),
                "records/gone",
                Map.of("view", gone));
    }

    private Item item(Context ctx, RemovedSchemas.Removed schema, Form form) {
        var reader = readers.reader(ctx);
        return new Item(
                String.valueOf(schema.id()),
                schema.name(),
                Text.of("records.removed-by", "name", name(schema.by()), "when", reader.ago(schema.at())),
                reader.date(schema.until()),
                form);
    }

    private Text name(UserId user) {
        return users.find(user)
                .map(profile -> Text.verbatim(profile.user().nickname().value()))
                .orElseGet(() -> Text.of("records.record-by-deleted"));
    }
}
