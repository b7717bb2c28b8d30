package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaChanges;
import io.hiroba.records.SchemaEvolution;
import io.hiroba.records.Schemas;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The schema editor: creates, shows and changes schemas after a preview of the changes. */
public final class SchemaPages implements Routes {

    private static final int ROOM = 3;

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Schemas schemas;
    private final SchemaChanges changes;

    SchemaPages(Shell shell, Readers readers, PageContext context, Schemas schemas, SchemaChanges changes) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.schemas = schemas;
        this.changes = changes;
    }

    /**
     * A schema in its editor.
     *
     * @param id its id; empty for a new schema
     * @param path the path of its records; empty for a new schema
     * @param targets the schemas that an attribute can refer to
     * @param computed what computed attributes may come from
     * @param asksReuse whether the name that was typed is a former one of another schema
     * @param verdict the result of a dry run; empty without one
     * @param isAllowed whether the change can be applied
     * @param changes the changes, or the reasons of a refusal
     */
    public record View(
            ProjectHeader project,
            String id,
            String name,
            String path,
            List<AttributeRow> rows,
            List<String> targets,
            ComputedChoices computed,
            List<AttributePages.FormerName> former,
            List<AttributePages.RemovedAttribute> removed,
            boolean asksReuse,
            @Nullable Text verdict,
            boolean isAllowed,
            List<Text> changes) {

        public View {
            rows = List.copyOf(rows);
            targets = List.copyOf(targets);
            former = List.copyOf(former);
            removed = List.copyOf(removed);
            changes = List.copyOf(changes);
        }

        public boolean isNew() {
            return path.isEmpty();
        }

        /** The path of one more row. */
        public String row() {
            return project.part("attribute") + (isNew() ? "" : "?schema=" + RecordPaths.encoded(id));
        }

        /** The action of the form. */
        public String action() {
            return isNew() ? project.part("new-schema") : path + "/schema";
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.PROJECT + "/-/new-schema", ctx -> {
            var access = context.project(ctx).requireOwner();
            fresh(ctx, access, Form.EMPTY, SchemaForm.blank(readers.reader(ctx), ROOM));
        });
        routes.post(RecordPaths.PROJECT + "/-/new-schema", this::define);
        routes.get(RecordPaths.PROJECT + "/-/attribute", this::attribute);
        routes.get(RecordPaths.SCHEMA + "/schema", ctx -> {
            var access = context.project(ctx);
            var recordAccess = context.schema(ctx, access);
            show(ctx, access, recordAccess, filled(recordAccess), form(ctx, access, recordAccess), Trial.NONE);
        });
        routes.post(RecordPaths.SCHEMA + "/schema", this::evolve);
        routes.post(RecordPaths.SCHEMA + "/schema/name", this::rename);
    }

    /** The result of a dry run of a change. */
    private record Trial(@Nullable Text verdict, boolean isAllowed, List<Text> changes) {

        static final Trial NONE = new Trial(null, false, List.of());

        /** The name is a former one of another schema. */
        static final Trial REUSE = new Trial(null, true, List.of());

        static Trial of(SchemaEvolution evolution) {
            if (!evolution.isAllowed()) {
                return new Trial(Text.of("records.schema-refused"), false, reasons(evolution.refused()));
            }
            var changes = evolution.changes();
            return changes.isEmpty()
                    ? new Trial(Text.of("records.schema-unchanged"), false, List.of())
                    : new Trial(Text.of("records.schema-allowed"), true, changes);
        }

        /** Errors of an attribute are shown beside it. */
        static Trial of(Problem refusal) {
            return SchemaForm.isAboutAttributes(refusal)
                    ? new Trial(Text.of("records.schema-check"), false, List.of())
                    : new Trial(refusal.detail(), false, reasons(refusal.fields()));
        }

        private static List<Text> reasons(List<FieldError> faults) {
            return faults.stream()
                    .map(fault -> Text.of("records.schema-reason", "field", fault.field(), "message", fault.message()))
                    .toList();
        }
    }

    private void define(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var form = Form.of(ctx, "name", "aliases");
        var attributes = SchemaForm.read(ctx, List.of(), ComputedChoices.NONE, readers.reader(ctx));
        try {
            var created = schemas.define(access, attributes.definition(form.value("name"), form.value("aliases")));
            shell.seeOther(
                    ctx, RecordPaths.schema(access.project().id(), created.name()), Text.of("records.schema-created"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, RecordPaths.part(access.project().id(), "new-schema"));
            fresh(ctx, access, refused(form, refusal), attributes.refused(refusal));
        }
    }

    private void evolve(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var form = Form.of(ctx, "aliases");
        var known = recordAccess.schema();
        var attributes = SchemaForm.read(ctx, known.attributes(), computed(access, recordAccess), readers.reader(ctx));
        boolean trial = ctx.formParam("dryRun") != null;
        try {
            var definition = attributes.definition(known.name(), form.value("aliases"));
            if (trial) {
                var evolution = schemas.preview(access, known.name(), definition);
                show(ctx, access, recordAccess, form, attributes, Trial.of(evolution));
            } else {
                schemas.evolve(access, known.name(), definition);
                shell.seeOther(ctx, path(access, recordAccess), Text.of("records.schema-changed"));
            }
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, recordAccess) + "/schema");
            show(ctx, access, recordAccess, form, attributes.refused(refusal), Trial.of(refusal));
        }
    }

    private void rename(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var form = Form.of(ctx, "name", "title");
        try {
            var renamed = changes.change(
                    access, String.valueOf(recordAccess.schema().id()), AttributePages.change(ctx, form));
            shell.seeOther(
                    ctx,
                    RecordPaths.schema(access.project().id(), renamed.name()) + "/schema",
                    Text.of("records.schema-changed"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, recordAccess) + "/schema");
            var asked = AttributePages.isKept(refusal) ? Trial.REUSE : Trial.NONE;
            show(ctx, access, recordAccess, form.refused(refusal), form(ctx, access, recordAccess), asked);
        }
    }

    /** Errors of attributes are shown beside them. */
    private static Form refused(Form form, Problem refusal) {
        var placed = form.refused(refusal);
        return placed.problem() != null && SchemaForm.isAboutAttributes(refusal)
                ? form.withProblem(Text.of("records.schema-check"))
                : placed;
    }

    /** Adds an empty row. */
    private void attribute(Context ctx) {
        var access = context.project(ctx).requireOwner();
        int place = Optional.ofNullable(ctx.queryParam("place"))
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(Integer::parseInt)
                .orElse(0);
        var computed = Optional.ofNullable(ctx.queryParam("schema"))
                .flatMap(schema -> context.schema(access, schema))
                .map(recordAccess -> computed(access, recordAccess))
                .orElse(ComputedChoices.NONE);
        shell.fragment(
                ctx,
                "records/attribute",
                Map.of("row", AttributeRow.blank(place), "targets", names(access), "computed", computed));
    }

    private void fresh(Context ctx, ProjectAccess access, Form form, SchemaForm attributes) {
        var view = new View(
                ProjectHeader.of(access),
                "",
                "",
                "",
                attributes.withRoom().rows(),
                names(access),
                ComputedChoices.NONE,
                List.of(),
                List.of(),
                false,
                null,
                false,
                List.of());
        shell.page(ctx, Text.of("records.new-schema"), "records/schema", Map.of("form", form, "view", view));
    }

    private void show(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            Form form,
            SchemaForm attributes,
            Trial trial) {
        var name = recordAccess.schema().label();
        var head = ProjectHeader.of(access);
        var view = new View(
                head,
                String.valueOf(recordAccess.schema().id()),
                name,
                path(access, recordAccess),
                head.mayOwn() ? attributes.withRoom().rows() : attributes.rows(),
                names(access),
                computed(access, recordAccess),
                AttributePages.FormerName.of(recordAccess.schema(), null, readers.reader(ctx)),
                AttributePages.RemovedAttribute.of(recordAccess.schema(), readers.reader(ctx)),
                trial.equals(Trial.REUSE),
                trial.verdict(),
                trial.isAllowed() && !trial.equals(Trial.REUSE),
                trial.changes());
        shell.page(
                ctx,
                Text.of("records.schema-title", "name", name),
                "records/schema",
                Map.of("form", form, "view", view));
    }

    private SchemaForm form(Context ctx, ProjectAccess access, RecordAccess recordAccess) {
        return SchemaForm.of(
                recordAccess.shown(),
                target -> context.target(access, target).schema().name(),
                computed(access, recordAccess),
                readers.reader(ctx));
    }

    private ComputedChoices computed(ProjectAccess access, RecordAccess recordAccess) {
        return ComputedChoices.of(recordAccess.schema(), schemas.list(access));
    }

    private static Form filled(RecordAccess recordAccess) {
        var schema = recordAccess.schema();
        return Form.filled(Map.of(
                "name",
                schema.name(),
                "title",
                Objects.requireNonNullElse(schema.title(), ""),
                "aliases",
                String.join(", ", schema.aliases())));
    }

    private List<String> names(ProjectAccess access) {
        return schemas.list(access).stream().map(Schema::name).toList();
    }

    private static String path(ProjectAccess access, RecordAccess recordAccess) {
        return RecordPaths.schema(access.project().id(), recordAccess.schema().name());
    }
}
