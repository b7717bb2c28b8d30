package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Evolution;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Schemas;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Schemas: made, read, and changed after a trial has said what that would do. */
public final class SchemaPages implements Routes {

    private static final int ROOM = 3;

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Schemas schemas;

    public SchemaPages(Shell shell, Times times, Entrance entrance, Schemas schemas) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.schemas = schemas;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.PROJECT + "/-/new-schema", ctx -> {
            var access = entrance.project(ctx).requireOwner();
            fresh(ctx, access, Form.EMPTY, SchemaForm.blank(times.moments(ctx), ROOM));
        });
        routes.post(Paths.PROJECT + "/-/new-schema", this::define);
        routes.get(Paths.PROJECT + "/-/attribute", this::attribute);
        routes.get(Paths.SCHEMA + "/schema", ctx -> {
            var access = entrance.project(ctx);
            var sight = entrance.schema(ctx, access);
            show(ctx, access, sight, filled(sight), form(ctx, access, sight), Trial.NONE);
        });
        routes.post(Paths.SCHEMA + "/schema", this::evolve);
        routes.post(Paths.SCHEMA + "/schema/delete", this::delete);
    }

    /** What a trial of a change said. */
    private record Trial(@Nullable String verdict, boolean isAllowed, List<String> changes) {

        static final Trial NONE = new Trial(null, false, List.of());

        static Trial of(Evolution evolution) {
            if (!evolution.isAllowed()) {
                return new Trial("This cannot be done:", false, reasons(evolution.refused()));
            }
            var changes = evolution.changes();
            return changes.isEmpty()
                    ? new Trial("Nothing would change.", false, List.of())
                    : new Trial("This can be done. It", true, changes);
        }

        /** Faults of an attribute's own stand beside it. */
        static Trial of(Problem refusal) {
            return SchemaForm.isAboutAttributes(refusal)
                    ? new Trial("Look at the attributes below.", false, List.of())
                    : new Trial(refusal.detail(), false, reasons(refusal.fields()));
        }

        private static List<String> reasons(List<FieldError> faults) {
            return faults.stream()
                    .map(fault -> fault.field() + " " + fault.message())
                    .toList();
        }
    }

    private void define(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var form = Form.of(ctx, "name", "aliases");
        var attributes = SchemaForm.read(ctx, List.of(), times.moments(ctx));
        try {
            var made = schemas.define(access, attributes.definition(form.value("name"), form.value("aliases")));
            shell.seeOther(ctx, Paths.schema(access.project().id(), made.name()), "The schema is there.");
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.part(access.project().id(), "new-schema"));
            fresh(ctx, access, refused(form, refusal), attributes.refused(refusal));
        }
    }

    private void evolve(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var sight = entrance.schema(ctx, access);
        var form = Form.of(ctx, "aliases");
        var known = sight.schema();
        var attributes = SchemaForm.read(ctx, known.attributes(), times.moments(ctx));
        boolean trial = ctx.formParam("dryRun") != null;
        try {
            var definition = attributes.definition(known.name(), form.value("aliases"));
            if (trial) {
                var evolution = schemas.preview(access, known.name(), definition);
                show(ctx, access, sight, form, attributes, Trial.of(evolution));
            } else {
                schemas.evolve(access, known.name(), definition);
                shell.seeOther(ctx, path(access, sight), "The schema is changed.");
            }
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, sight) + "/schema");
            show(ctx, access, sight, form, attributes.refused(refusal), Trial.of(refusal));
        }
    }

    private void delete(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var sight = entrance.schema(ctx, access);
        try {
            schemas.delete(access, sight.schema().name());
            shell.seeOther(ctx, Paths.project(access.project().id()), "The schema is deleted.");
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, sight) + "/schema");
            show(ctx, access, sight, filled(sight), form(ctx, access, sight), Trial.of(refusal));
        }
    }

    /** Faults of attributes stand beside them. */
    private static Form refused(Form form, Problem refusal) {
        var placed = form.refused(refusal);
        return placed.problem() != null && SchemaForm.isAboutAttributes(refusal)
                ? form.withProblem("Look at the attributes below.")
                : placed;
    }

    /** Room for one more. */
    private void attribute(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        int place = Optional.ofNullable(ctx.queryParam("place"))
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(Integer::parseInt)
                .orElse(0);
        shell.fragment(ctx, "records/attribute", Map.of("row", AttributeRow.blank(place), "targets", names(access)));
    }

    private void fresh(Context ctx, Access access, Form form, SchemaForm attributes) {
        var sheet = new SchemaSheet(
                ProjectHead.of(access), "", "", attributes.withRoom().rows(), names(access), null, false, List.of());
        shell.page(ctx, "New schema", "records/schema", Map.of("form", form, "sheet", sheet));
    }

    private void show(Context ctx, Access access, Sight sight, Form form, SchemaForm attributes, Trial trial) {
        var name = sight.schema().name();
        var head = ProjectHead.of(access);
        var sheet = new SchemaSheet(
                head,
                name,
                path(access, sight),
                head.mayOwn() ? attributes.withRoom().rows() : attributes.rows(),
                names(access),
                trial.verdict(),
                trial.isAllowed(),
                trial.changes());
        shell.page(ctx, "The schema " + name, "records/schema", Map.of("form", form, "sheet", sheet));
    }

    private SchemaForm form(Context ctx, Access access, Sight sight) {
        return SchemaForm.of(
                sight.shown(),
                target -> entrance.target(access, target).schema().name(),
                times.moments(ctx));
    }

    private static Form filled(Sight sight) {
        return Form.filled(Map.of("aliases", String.join(", ", sight.schema().aliases())));
    }

    private List<String> names(Access access) {
        return schemas.list(access).stream().map(Schema::name).toList();
    }

    private static String path(Access access, Sight sight) {
        return Paths.schema(access.project().id(), sight.schema().name());
    }
}
