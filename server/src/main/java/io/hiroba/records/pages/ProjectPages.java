package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.query.Found;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.Query;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Schemas;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A project: its schemas, its name, and its end. */
public final class ProjectPages implements Routes {

    /** Fewer records than these are counted rather than estimated. */
    private static final int FEW = 1_000;

    private final Shell shell;
    private final Entrance entrance;
    private final Projects projects;
    private final Schemas schemas;
    private final Queries queries;

    public ProjectPages(Shell shell, Entrance entrance, Projects projects, Schemas schemas, Queries queries) {
        this.shell = shell;
        this.entrance = entrance;
        this.projects = projects;
        this.schemas = schemas;
        this.queries = queries;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.PROJECT, this::show);
        routes.get(Paths.PROJECT + "/-/settings", ctx -> {
            var access = entrance.project(ctx).requireOwner();
            settings(ctx, access, filled(access));
        });
        routes.post(Paths.PROJECT + "/-/settings", this::change);
        routes.post(Paths.PROJECT + "/-/delete", this::delete);
    }

    private void show(Context ctx) {
        var access = entrance.project(ctx);
        var items = schemas.list(access).stream()
                .map(schema -> item(access, schema))
                .toList();
        shell.page(
                ctx,
                access.project().name(),
                "records/project",
                Map.of("project", ProjectHead.of(access), "schemas", items));
    }

    private SchemaItem item(Access access, Schema schema) {
        var hidden = schema.rules().binding(access.role()).hidden();
        var found = first(access, schema, Query.Count.ESTIMATE);
        var counted = found.count();
        if (counted != null && !counted.exact() && counted.value() < FEW) {
            counted = first(access, schema, Query.Count.EXACT).count();
        }
        return new SchemaItem(
                Paths.schema(access.project().id(), schema.name()),
                schema.name(),
                count(counted, found.rows().isEmpty()),
                schema.attributes().stream()
                        .map(Attribute::name)
                        .filter(name -> !hidden.contains(name))
                        .collect(Collectors.joining(" · ")));
    }

    private Found first(Access access, Schema schema, Query.Count count) {
        return queries.page(
                access.caller(),
                access.project().id(),
                Query.all(schema.name()).limit(1).counting(count));
    }

    private static String count(Found.@Nullable Counted counted, boolean empty) {
        if (empty) {
            return "no records yet";
        }
        return counted == null ? "some records" : counted.text() + (counted.value() == 1 ? " record" : " records");
    }

    private void change(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var form = Form.of(ctx, "name", "autoIndex");
        try {
            projects.change(Caller.of(ctx), access.project().id(), form.value("name"), form.isChecked("autoIndex"));
            shell.seeOther(ctx, Paths.part(access.project().id(), "settings"), "Saved.");
        } catch (Problem refusal) {
            refused(ctx, access, form, refusal);
        }
    }

    /** Deleting asks for the project's name, so that nobody loses one by a click. */
    private void delete(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var typed = ctx.formParam("confirmation");
        var values = new HashMap<>(filled(access).values());
        values.put("confirmation", typed == null ? "" : typed);
        var form = Form.filled(values);
        if (!access.project().name().equals(form.value("confirmation").strip())) {
            refused(ctx, access, form, RecordsProblem.invalid("confirmation", "must be the project's name"));
            return;
        }
        projects.delete(Caller.of(ctx), access.project().id());
        shell.seeOther(ctx, Paths.ALL, "The project is deleted.");
    }

    private void refused(Context ctx, Access access, Form form, Problem refusal) {
        if (!Entrance.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, Paths.part(access.project().id(), "settings"));
        settings(ctx, access, form.refused(refusal));
    }

    private void settings(Context ctx, Access access, Form form) {
        shell.page(ctx, "Settings", "records/settings", Map.of("project", ProjectHead.of(access), "form", form));
    }

    private static Form filled(Access access) {
        var project = access.project();
        return Form.filled(Map.of("name", project.name(), "autoIndex", project.autoIndex() ? "true" : ""));
    }
}
