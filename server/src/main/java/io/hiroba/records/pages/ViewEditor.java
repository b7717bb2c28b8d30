package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.views.ResolvedView;
import io.hiroba.records.views.ViewDefinition;
import io.hiroba.records.views.ViewDraft;
import io.hiroba.records.views.ViewRow;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a view is edited.
 *
 * @param values what is typed, by field
 * @param problems what is wrong, in words
 */
public record ViewEditor(
        String path, Map<String, String> values, List<Row> columns, Choices choices, List<String> problems) {

    /** How many figures a form has room for. */
    private static final int SUMS = 3;

    private static final List<String> FIELDS = List.of(
            "version",
            "name",
            "kind",
            "visibility",
            "by",
            "date",
            "title",
            "cover",
            "group",
            "unit",
            "heading",
            "description",
            "thanks");

    public ViewEditor {
        values = Map.copyOf(values);
        columns = List.copyOf(columns);
        problems = List.copyOf(problems);
    }

    /** A column: its attribute, its place, and how it is shown. */
    public record Row(
            String id,
            String label,
            int place,
            boolean shown,
            @Nullable Integer width,
            boolean frozen) {}

    /** The attributes that can be chosen for each setting. */
    public record Choices(
            List<Filter.Choice> lanes,
            List<Filter.Choice> dates,
            List<Filter.Choice> texts,
            List<Filter.Choice> groups,
            List<Filter.Choice> sums) {

        static Choices of(ViewScope scope) {
            var reader = scope.reader();
            var sums = new ArrayList<Filter.Choice>();
            for (var attribute : scope.recordAccess().shown()) {
                if (attribute.type() == ValueType.NUMERIC) {
                    for (var function : List.of("sum", "avg", "min", "max")) {
                        sums.add(new Filter.Choice(
                                function + ":" + attribute.id(),
                                reader.text("records.view-sum." + function, "attribute", attribute.label())));
                    }
                }
            }
            return new Choices(
                    choices(scope, SchemaAttribute::isLane),
                    choices(scope, each -> each.type().isTime()),
                    choices(scope, each -> each.type() == ValueType.TEXT && each.references() == null),
                    choices(scope, each -> each.type().isOrdered()),
                    sums);
        }

        private static List<Filter.Choice> choices(ViewScope scope, Predicate<SchemaAttribute> suits) {
            return scope.recordAccess().shown().stream()
                    .filter(suits)
                    .map(each -> new Filter.Choice(String.valueOf(each.id()), each.label()))
                    .toList();
        }
    }

    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    static ViewEditor of(ViewScope scope) {
        var view = scope.view().view();
        var definition = scope.view().definition();
        var settings = definition.set();
        var values = new HashMap<String, String>();
        values.put("version", Integer.toString(view.version()));
        values.put("name", view.name());
        values.put("kind", view.kind().label());
        values.put("visibility", view.shared() ? "project" : "private");
        put(values, "by", settings.by());
        put(values, "date", settings.date());
        put(values, "title", settings.title());
        put(values, "cover", settings.cover());
        put(values, "heading", settings.heading());
        put(values, "description", settings.description());
        put(values, "thanks", settings.thanks());
        var group = definition.groupBy();
        if (group != null) {
            values.put("group", group.attribute());
            put(values, "unit", group.unit());
        }
        var sums = definition.sums() == null ? List.<ViewDefinition.Sum>of() : definition.sums();
        for (int i = 0; i < Math.min(SUMS, sums.size()); i++) {
            values.put("sum" + i, sums.get(i).function() + ":" + sums.get(i).attribute());
        }
        return new ViewEditor(scope.path(), values, rows(scope.view()), Choices.of(scope), List.of());
    }

    private static void put(Map<String, String> values, String field, @Nullable String value) {
        if (value != null) {
            values.put(field, value);
        }
    }

    private static List<Row> rows(ResolvedView view) {
        var rows = new ArrayList<Row>();
        for (var column : view.columns()) {
            rows.add(new Row(
                    String.valueOf(column.attribute().id()),
                    column.attribute().label(),
                    rows.size() + 1,
                    !column.hidden(),
                    column.width(),
                    column.frozen()));
        }
        return rows;
    }

    static ViewEditor typed(Context ctx, ViewScope scope) {
        var values = new HashMap<String, String>();
        FIELDS.forEach(field -> put(values, field, ctx.formParam(field)));
        for (int i = 0; i < SUMS; i++) {
            put(values, "sum" + i, ctx.formParam("sum" + i));
        }
        var rows = rows(scope.view()).stream()
                .map(row -> {
                    var p = "c" + row.id() + ".";
                    return new Row(
                            row.id(),
                            row.label(),
                            Objects.requireNonNullElse(number(ctx.formParam(p + "place")), row.place()),
                            ctx.formParam(p + "shown") != null,
                            number(ctx.formParam(p + "width")),
                            ctx.formParam(p + "frozen") != null);
                })
                .sorted(Comparator.comparingInt(Row::place))
                .toList();
        return new ViewEditor(scope.path(), values, rows, Choices.of(scope), List.of());
    }

    private static @Nullable Integer number(@Nullable String typed) {
        return typed != null && typed.strip().matches("[0-9]{1,6}") ? Integer.valueOf(typed.strip()) : null;
    }

    ViewDraft draft(ViewScope scope) {
        var before = scope.view().view().definition();
        var unit = chosen("unit");
        var group = chosen("group");
        var byTime = group != null
                && scope.view()
                        .attribute(group)
                        .filter(each -> each.type().isTime())
                        .isPresent();
        var shown = scope.view().definition();
        // What this editor cannot see stays as it is.
        var sums = new ArrayList<>(Objects.requireNonNullElse(before.sums(), List.<ViewDefinition.Sum>of()));
        sums.removeAll(Objects.requireNonNullElse(shown.sums(), List.<ViewDefinition.Sum>of()));
        for (int i = 0; i < SUMS; i++) {
            var sum = value("sum" + i);
            if (sum.contains(":")) {
                sums.add(new ViewDefinition.Sum(
                        sum.substring(sum.indexOf(':') + 1), sum.substring(0, sum.indexOf(':'))));
            }
        }
        var settings = new ViewDefinition.Settings(
                chosen(scope, "by", before.set().by()),
                chosen(scope, "date", before.set().date()),
                chosen(scope, "title", before.set().title()),
                chosen(scope, "cover", before.set().cover()),
                before.set().fields(),
                chosen("heading"),
                chosen("description"),
                chosen("thanks"));
        return new ViewDraft(
                value("name"),
                ViewRow.Kind.named(value("kind")).orElse(scope.view().view().kind()),
                value("visibility").equals("project"),
                new ViewDefinition(
                        before.filter(),
                        before.sort(),
                        Stream.concat(
                                        columns.stream()
                                                .map(each -> new ViewDefinition.Column(
                                                        each.id(), !each.shown(), each.width(), each.frozen())),
                                        scope.view().unseen().stream())
                                .toList(),
                        group != null
                                ? new ViewDefinition.Grouping(group, byTime ? unit : null)
                                : shown.groupBy() == null ? before.groupBy() : null,
                        sums,
                        settings));
    }

    /** The attribute that is chosen, or the one of before where this editor cannot see it. */
    private @Nullable String chosen(ViewScope scope, String field, @Nullable String before) {
        var chosen = chosen(field);
        return chosen == null
                        && before != null
                        && scope.view().attribute(before).isEmpty()
                ? before
                : chosen;
    }

    private @Nullable String chosen(String field) {
        var value = value(field).strip();
        return value.isEmpty() ? null : value;
    }

    /** Whether it was made of the view as it is now. */
    boolean isOf(ViewRow view) {
        return value("version").equals(Integer.toString(view.version()));
    }

    ViewEditor withProblem(String words) {
        return new ViewEditor(path, values, columns, choices, List.of(words));
    }

    ViewEditor refused(Problem refusal, Reader reader) {
        var words = refusal.fields().isEmpty()
                ? List.of(reader.text(refusal.detail()))
                : refusal.fields().stream()
                        .map(fault ->
                                reader.text("records.view-refused", "field", fault.field(), "message", fault.message()))
                        .toList();
        return new ViewEditor(path, values, columns, choices, words);
    }
}
