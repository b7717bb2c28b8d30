package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.Schemas;
import io.hiroba.records.ValueType;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The editor of a schema's access rules, for owners. */
public final class RulesPages implements Routes {

    private final Shell shell;
    private final PageContext context;
    private final Schemas schemas;

    RulesPages(Shell shell, PageContext context, Schemas schemas) {
        this.shell = shell;
        this.context = context;
        this.schemas = schemas;
    }

    /**
     * The access rules of a schema in their editor.
     *
     * @param texts the attributes that can be compared with a property of the reader
     */
    public record View(ProjectHeader project, String schema, String path, List<String> attributes, List<String> texts) {

        public View {
            attributes = List.copyOf(attributes);
            texts = List.copyOf(texts);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/rules", ctx -> {
            var access = context.project(ctx).requireOwner();
            var recordAccess = context.schema(ctx, access);
            show(ctx, access, recordAccess, filled(recordAccess.schema().rules()));
        });
        routes.post(RecordPaths.SCHEMA + "/rules", this::save);
    }

    private void save(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var names = Stream.concat(
                        Stream.of("ownRowsOnly", "matching", "trait"),
                        recordAccess.shown().stream().map(each -> "see." + each.name()))
                .toArray(String[]::new);
        var form = Form.of(ctx, names);
        try {
            schemas.setRules(access, recordAccess.schema().name(), rules(recordAccess, form));
            shell.seeOther(ctx, path(access, recordAccess), Text.of("records.rules-saved"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, recordAccess) + "/rules");
            show(ctx, access, recordAccess, form.withProblem(refusal.detail()));
        }
    }

    private static AccessRules rules(RecordAccess recordAccess, Form form) {
        var hidden = new HashSet<String>();
        var readOnly = new HashSet<String>();
        for (var attribute : recordAccess.shown()) {
            switch (form.value("see." + attribute.name())) {
                case "hide" -> hidden.add(attribute.name());
                case "read" -> readOnly.add(attribute.name());
                default -> {
                    // Readable and writable, the default.
                }
            }
        }
        return new AccessRules(form.isChecked("ownRowsOnly"), matching(form), hidden, readOnly);
    }

    private static AccessRules.@Nullable Matching matching(Form form) {
        var attribute = form.value("matching");
        if (attribute.isEmpty()) {
            return null;
        }
        return new AccessRules.Matching(
                attribute,
                switch (form.value("trait")) {
                    case "email" -> AccessRules.Trait.EMAIL;
                    default -> AccessRules.Trait.ID;
                });
    }

    private static Form filled(AccessRules rules) {
        var values = new HashMap<String, String>();
        values.put("ownRowsOnly", rules.ownRowsOnly() ? "true" : "");
        var matching = rules.matching();
        if (matching != null) {
            values.put("matching", matching.attribute());
            values.put("trait", matching.equals().name().toLowerCase(Locale.ROOT));
        }
        rules.readOnly().forEach(name -> values.put("see." + name, "read"));
        rules.hidden().forEach(name -> values.put("see." + name, "hide"));
        return Form.filled(values);
    }

    private void show(Context ctx, ProjectAccess access, RecordAccess recordAccess, Form form) {
        var view = new View(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                path(access, recordAccess),
                recordAccess.shown().stream().map(SchemaAttribute::name).toList(),
                recordAccess.shown().stream()
                        .filter(each -> each.type() == ValueType.TEXT && each.references() == null)
                        .map(SchemaAttribute::name)
                        .toList());
        shell.page(ctx, Text.of("records.rules"), "records/rules", Map.of("form", form, "view", view));
    }

    private static String path(ProjectAccess access, RecordAccess recordAccess) {
        return RecordPaths.schema(access.project().id(), recordAccess.schema().name());
    }
}
