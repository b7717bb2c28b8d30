package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Rules;
import io.hiroba.records.schema.Schemas;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.ValueType;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who sees and changes which part of a schema's records, for owners to say. */
public final class RulesPages implements Routes {

    private final Shell shell;
    private final Entrance entrance;
    private final Schemas schemas;

    public RulesPages(Shell shell, Entrance entrance, Schemas schemas) {
        this.shell = shell;
        this.entrance = entrance;
        this.schemas = schemas;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SCHEMA + "/rules", ctx -> {
            var access = entrance.project(ctx).requireOwner();
            var sight = entrance.schema(ctx, access);
            show(ctx, access, sight, filled(sight.schema().rules()));
        });
        routes.post(Paths.SCHEMA + "/rules", this::save);
    }

    private void save(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var sight = entrance.schema(ctx, access);
        var names = Stream.concat(
                        Stream.of("ownRowsOnly", "matching", "trait"),
                        sight.shown().stream().map(each -> "see." + each.name()))
                .toArray(String[]::new);
        var form = Form.of(ctx, names);
        try {
            schemas.setRules(access, sight.schema().name(), rules(sight, form));
            shell.seeOther(ctx, path(access, sight), "The rules hold from now on.");
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access, sight) + "/rules");
            show(ctx, access, sight, form.withProblem(refusal.detail()));
        }
    }

    private static Rules rules(Sight sight, Form form) {
        var hidden = new HashSet<String>();
        var readOnly = new HashSet<String>();
        for (var attribute : sight.shown()) {
            switch (form.value("see." + attribute.name())) {
                case "hide" -> hidden.add(attribute.name());
                case "read" -> readOnly.add(attribute.name());
                default -> {
                    // Seen and changed, as all are at first.
                }
            }
        }
        return new Rules(form.isChecked("ownRowsOnly"), matching(form), hidden, readOnly);
    }

    private static Rules.@Nullable Matching matching(Form form) {
        var attribute = form.value("matching");
        if (attribute.isEmpty()) {
            return null;
        }
        return new Rules.Matching(
                attribute,
                switch (form.value("trait")) {
                    case "email" -> Rules.Trait.EMAIL;
                    default -> Rules.Trait.ID;
                });
    }

    private static Form filled(Rules rules) {
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

    private void show(Context ctx, Access access, Sight sight, Form form) {
        var sheet = new RulesSheet(
                ProjectHead.of(access),
                sight.schema().name(),
                path(access, sight),
                sight.shown().stream().map(Attribute::name).toList(),
                sight.shown().stream()
                        .filter(each -> each.type() == ValueType.TEXT && each.references() == null)
                        .map(Attribute::name)
                        .toList());
        shell.page(ctx, "Who sees what", "records/rules", Map.of("form", form, "sheet", sheet));
    }

    private static String path(Access access, Sight sight) {
        return Paths.schema(access.project().id(), sight.schema().name());
    }
}
