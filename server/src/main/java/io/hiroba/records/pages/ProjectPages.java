package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.ProjectTemplates;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordQuery;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The list of projects, and of each its schemas and settings. */
public final class ProjectPages implements Routes {

    private static final int PAGE_SIZE = 24;
    private static final int MAX_LIMIT = 100;

    /** The number of records below which they are counted rather than estimated. */
    private final Shell shell;

    private final PageContext context;
    private final Projects projects;
    private final Schemas schemas;
    private final Queries queries;
    private final ProjectTemplates templates;
    private final KeysetList<Projects.Membership, Long> list;
    private final Idempotency idempotency;

    ProjectPages(
            Shell shell,
            PageContext context,
            Projects projects,
            Schemas schemas,
            Queries queries,
            ProjectTemplates templates,
            Platform platform) {
        this.shell = shell;
        this.context = context;
        this.projects = projects;
        this.schemas = schemas;
        this.queries = queries;
        this.templates = templates;
        this.list = new KeysetList<>(
                platform.cursors(),
                "pages.projects",
                PAGE_SIZE,
                MAX_LIMIT,
                cursor -> ProjectId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.project().id().hex()));
        this.idempotency = platform.idempotency();
    }

    /**
     * A schema in a list.
     *
     * @param count the number of records, in words
     * @param attributes their names
     */
    public record SchemaItem(String path, String name, Text count, String attributes) {}

    /**
     * A project in a list.
     *
     * @param schemas how many it has
     */
    public record ProjectItem(String path, String name, String role, int schemas) {}

    /** The rules of a schema by role, in a few words. */
    public record RulesItem(String schema, String path, Text viewers, Text editors) {}

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.ALL, ctx -> list(ctx, Form.filled(Map.of("examples", "true"))));
        routes.post(RecordPaths.ALL, this::create);
        routes.get(RecordPaths.PROJECT, this::show);
        routes.get(RecordPaths.PROJECT + "/-/settings", ctx -> {
            var access = context.project(ctx).requireOwner();
            settings(ctx, access, filled(access));
        });
        routes.post(RecordPaths.PROJECT + "/-/settings", this::change);
        routes.post(RecordPaths.PROJECT + "/-/delete", this::delete);
    }

    private void create(Context ctx) {
        var form = Form.of(ctx, "name", "template", "examples");
        try {
            var caller = Caller.of(ctx);
            var key = Form.of(ctx, "key").value("key");
            // Idempotent: a double click creates one project.
            var created = idempotency.once(ctx, caller.user().hex(), key, tx -> {
                var template = form.value("template");
                var choice = new ProjectTemplates.Choice(
                        template.isEmpty() ? null : template, shell.language(ctx), form.isChecked("examples"));
                var id =
                        templates.create(tx, caller, form.value("name"), choice).id();
                return Answer.created(RecordPaths.project(id), Map.of("id", id.hex()));
            });
            shell.seeOther(ctx, created.headers().getOrDefault("Location", RecordPaths.ALL));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, RecordPaths.ALL);
            list(ctx, form.refused(refusal));
        }
    }

    private void list(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var found = list.page(ctx, (before, limit) -> projects.list(caller, before.orElse(Long.MAX_VALUE), limit));
        var more = found.next() == null ? "" : RecordPaths.ALL + "?after=" + found.next();
        var items = found.items().stream().map(each -> item(caller, each)).toList();
        var key = UUID.randomUUID().toString();
        shell.page(
                ctx,
                Text.of("records.records"),
                "records/list",
                Map.of(
                        "form",
                        form,
                        "projects",
                        items,
                        "more",
                        more,
                        "key",
                        key,
                        "templates",
                        templates.list(shell.language(ctx))));
    }

    private ProjectItem item(Caller caller, Projects.Membership membership) {
        var project = membership.project();
        return new ProjectItem(
                RecordPaths.project(project.id()),
                project.name(),
                ProjectHeader.label(membership.role()),
                schemas.list(new ProjectAccess(caller, project, membership.role()))
                        .size());
    }

    private void show(Context ctx) {
        var access = context.project(ctx);
        var items = schemas.list(access).stream()
                .map(schema -> item(access, schema))
                .toList();
        shell.page(
                ctx,
                Text.verbatim(access.project().name()),
                "records/project",
                Map.of("project", ProjectHeader.of(access), "schemas", items));
    }

    private SchemaItem item(ProjectAccess access, Schema schema) {
        var hidden = schema.binding(access.role()).hidden();
        var found = queries.page(
                access.caller(),
                access.project().id(),
                RecordQuery.all(schema.name()).limit(1).counting(RecordQuery.Count.ESTIMATE));
        return new SchemaItem(
                RecordPaths.schema(access.project().id(), schema.name()),
                schema.label(),
                count(found.count(), found.rows().isEmpty()),
                schema.attributes().stream()
                        .filter(attribute -> !hidden.contains(attribute.name()))
                        .map(SchemaAttribute::label)
                        .collect(Collectors.joining(" · ")));
    }

    private static Text count(QueryResult.@Nullable Counted counted, boolean empty) {
        if (empty) {
            return Text.of("records.count-none-yet");
        }
        return counted == null ? Text.of("records.count-some") : Grid.Count.words(counted);
    }

    private void change(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var form = Form.of(ctx, "name", "autoIndex");
        try {
            projects.change(Caller.of(ctx), access.project().id(), form.value("name"), form.isChecked("autoIndex"));
            shell.seeOther(ctx, RecordPaths.part(access.project().id(), "settings"), Text.of("records.saved"));
        } catch (Problem refusal) {
            refused(ctx, access, form, refusal);
        }
    }

    /** Requires the project's name as confirmation. */
    private void delete(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var typed = ctx.formParam("confirmation");
        var values = new HashMap<>(filled(access).values());
        values.put("confirmation", typed == null ? "" : typed);
        var form = Form.filled(values);
        if (!access.project().name().equals(form.value("confirmation").strip())) {
            refused(ctx, access, form, RecordsProblem.invalid("confirmation", Text.of("records.project-other-name")));
            return;
        }
        projects.delete(Caller.of(ctx), access.project().id());
        shell.seeOther(ctx, RecordPaths.ALL, Text.of("records.project-deleted"));
    }

    private void refused(Context ctx, ProjectAccess access, Form form, Problem refusal) {
        if (!PageContext.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, RecordPaths.part(access.project().id(), "settings"));
        settings(ctx, access, form.refused(refusal));
    }

    private void settings(Context ctx, ProjectAccess access, Form form) {
        shell.page(
                ctx,
                Text.of("records.settings"),
                "records/settings",
                Map.of("project", ProjectHeader.of(access), "form", form, "rules", rules(access)));
    }

    private List<RulesItem> rules(ProjectAccess access) {
        return schemas.list(access).stream()
                .map(schema -> new RulesItem(
                        schema.label(),
                        RecordPaths.schema(access.project().id(), schema.name()),
                        RulesPages.summary(schema.rules().binding(ProjectRole.VIEWER)),
                        RulesPages.summary(schema.rules().binding(ProjectRole.EDITOR))))
                .toList();
    }

    private static Form filled(ProjectAccess access) {
        var project = access.project();
        return Form.filled(Map.of("name", project.name(), "autoIndex", project.autoIndex() ? "true" : ""));
    }
}
