package io.hiroba.records.views;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Validates the definition of a view and puts ids in the place of names. */
final class ViewCheck {

    private static final Set<String> UNITS = Set.of("day", "week", "month", "year");
    private static final Set<String> FUNCTIONS = Set.of("count", "sum", "avg", "min", "max");
    private static final int MAX_COLUMNS = 500;
    private static final int MAX_SUMS = 9;
    private static final int MAX_SORT = 4;
    private static final int MIN_WIDTH = 40;
    private static final int MAX_WIDTH = 1000;
    private static final int MAX_TEXT = 2000;

    private final ViewAttributes attributes;
    private final Collection<String> before;
    private final List<FieldError> errors = new ArrayList<>();

    /** @param before the ids that the view named until now: they may be gone */
    ViewCheck(ViewAttributes attributes, Collection<String> before) {
        this.attributes = attributes;
        this.before = before;
    }

    ViewDefinition checked(ViewRow.Kind kind, ViewDefinition given) {
        for (var path : ViewAttributes.paths(given.filter())) {
            requireKnown("filter", path);
        }
        ViewAttributes.tests(given.filter()).forEach(attributes::requireSuits);
        sort(given);
        columns(given);
        groups(given);
        settings(kind, given.set());
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.view-invalid"), errors);
        }
        return given.named(
                ViewNames.renamed(given.filter(), path -> attributes.ids(path).orElse(path)),
                path -> attributes.ids(path).orElse(path));
    }

    private void sort(ViewDefinition given) {
        var sort = given.sort();
        if (sort == null) {
            return;
        }
        if (sort.size() > MAX_SORT) {
            wrong("sort", Text.of("records.field.most", "max", MAX_SORT));
        }
        for (var key : sort) {
            requireKnown("sort", key.attr());
            either("sort.dir", key.dir(), "asc", "desc");
            either("sort.nulls", key.nulls(), "last", "first");
        }
    }

    private void columns(ViewDefinition given) {
        if (given.columnList().size() > MAX_COLUMNS) {
            wrong("columns", Text.of("records.field.most", "max", MAX_COLUMNS));
        }
        var seen = new HashSet<String>();
        for (var column : given.columnList()) {
            requireKnown("columns", column.attribute());
            if (!seen.add(attributes.ids(column.attribute()).orElse(column.attribute()))) {
                wrong("columns", Text.of("records.field.named-twice", "name", column.attribute()));
            }
            var width = column.width();
            if (width != null && (width < MIN_WIDTH || width > MAX_WIDTH)) {
                wrong("columns.width", Text.of("http.field.number-between", "min", MIN_WIDTH, "max", MAX_WIDTH));
            }
        }
    }

    private void groups(ViewDefinition given) {
        var group = given.groupBy();
        if (group != null) {
            var by = requireKnown("groupBy", group.attribute());
            if (by != null && !isOrdered(by)) {
                wrong("groupBy", Text.of("records.query.group-json", "attribute", by.name()));
            }
            if (group.unit() != null && !UNITS.contains(group.unit())) {
                wrong("groupBy.unit", Text.of("http.field.one-of", "values", "day, week, month, year"));
            } else if (group.unit() != null && by != null && !by.type().isTime()) {
                wrong("groupBy.unit", Text.of("records.query.group-unit", "attribute", by.name()));
            }
        }
        var sums = given.sums();
        if (sums == null) {
            return;
        }
        if (sums.size() > MAX_SUMS) {
            wrong("sums", Text.of("records.field.most", "max", MAX_SUMS));
        }
        for (var sum : sums) {
            var of = requireKnown("sums", sum.attribute());
            if (!FUNCTIONS.contains(sum.function())) {
                wrong("sums.function", Text.of("http.field.one-of", "values", "count, sum, avg, min, max"));
            } else if (of != null && !suits(sum.function(), of.type())) {
                wrong(
                        "sums.function",
                        Text.of(
                                "records.query.measure-type",
                                "measure",
                                sum.function(),
                                "type",
                                of.type().title()));
            }
        }
    }

    static boolean isOrdered(SchemaAttribute attribute) {
        return attribute.type().isOrdered();
    }

    /** Whether an attribute that the view names suits, or is gone anyway. */
    static boolean isFit(Optional<SchemaAttribute> attribute, Predicate<SchemaAttribute> suits) {
        return attribute.map(suits::test).orElse(true);
    }

    /** The definition without figures and groups of types that do not suit any more, which are added to {@code gone}. */
    static ViewDefinition fit(ViewAttributes attributes, ViewDefinition definition, Set<String> gone) {
        var group = definition.groupBy();
        boolean groups = group == null
                || isFit(
                        attributes.find(group.attribute()),
                        by -> isOrdered(by)
                                && (group.unit() == null || by.type().isTime()));
        if (group != null && !groups) {
            gone.add(group.attribute());
        }
        var sums = new ArrayList<ViewDefinition.Sum>();
        for (var sum : definition.sums() == null ? List.<ViewDefinition.Sum>of() : definition.sums()) {
            if (isFit(attributes.find(sum.attribute()), of -> suits(sum.function(), of.type()))) {
                sums.add(sum);
            } else {
                gone.add(sum.attribute());
            }
        }
        return new ViewDefinition(
                definition.filter(),
                definition.sort(),
                definition.columns(),
                groups ? group : null,
                definition.sums() == null ? null : sums,
                definition.settings());
    }

    private static boolean suits(String function, ValueType type) {
        return switch (function) {
            case "sum", "avg" -> type == ValueType.NUMERIC;
            case "min", "max" -> type != ValueType.BOOL && type.isOrdered();
            default -> true;
        };
    }

    private void settings(ViewRow.Kind kind, ViewDefinition.Settings settings) {
        require("settings.by", settings.by(), kind == ViewRow.Kind.BOARD, SchemaAttribute::isLane);
        require(
                "settings.date",
                settings.date(),
                kind == ViewRow.Kind.CALENDAR,
                each -> each.type().isTime());
        require("settings.title", settings.title(), false, ViewCheck::isOrdered);
        require(
                "settings.cover",
                settings.cover(),
                false,
                each -> each.type() == ValueType.TEXT || each.isAttachments());
        var fields = settings.fields();
        if (fields != null) {
            if (fields.size() > MAX_COLUMNS) {
                wrong("settings.fields", Text.of("records.field.most", "max", MAX_COLUMNS));
            }
            for (var field : fields) {
                requireKnown("settings.fields", field.attribute());
                text("settings.fields.label", field.label());
                text("settings.fields.help", field.help());
            }
        }
        text("settings.heading", settings.heading());
        text("settings.description", settings.description());
        text("settings.thanks", settings.thanks());
    }

    private void require(String field, @Nullable String given, boolean needed, Predicate<SchemaAttribute> suits) {
        if (given == null) {
            if (needed) {
                wrong(field, Text.of("records.field.view-needs"));
            }
            return;
        }
        var attribute = requireKnown(field, given);
        if (attribute != null && !suits.test(attribute)) {
            wrong(field, Text.of("records.field.view-type", "attribute", attribute.name()));
        }
    }

    private @Nullable SchemaAttribute requireKnown(String field, String path) {
        if (attributes.ids(path).isEmpty() && !before.contains(path)) {
            wrong(field, Text.of("records.field.names-no-attribute", "name", path));
        }
        return attributes.find(path).orElse(null);
    }

    private void either(String field, @Nullable String given, String one, String other) {
        if (given != null && !given.equals(one) && !given.equals(other)) {
            wrong(field, Text.of("records.query.either", "one", one, "other", other));
        }
    }

    private void text(String field, @Nullable String given) {
        if (given != null && (given.length() > MAX_TEXT || given.indexOf('\0') >= 0)) {
            wrong(field, Text.of("records.field.view-text", "max", MAX_TEXT));
        }
    }

    private void wrong(String field, Text message) {
        errors.add(new FieldError(field, message));
    }
}
