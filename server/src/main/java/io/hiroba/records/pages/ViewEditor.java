package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.views.ResolvedView;
import io.hiroba.records.views.ViewDefinition;
import io.hiroba.records.views.ViewDraft;
import io.hiroba.records.views.ViewRow;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
        String path,
        Map<String, String> values,
        ViewFilter filter,
        List<Row> columns,
        Choices choices,
        List<String> problems) {

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
            "match",
            "sort0",
            "sort1",
            "sort2",
            "sort3",
            "heading",
            "description",
            "thanks");

    public ViewEditor {
        values = Map.copyOf(values);
        columns = List.copyOf(columns);
        problems = List.copyOf(problems);
    }

    /** A column: its attribute, its place, how it is shown, and how a form asks for it. */
    public record Row(
            String id,
            String label,
            int place,
            boolean shown,
            @Nullable Integer width,
            boolean frozen,
            ViewDefinition.Field field) {

        private boolean isPlainField() {
            return field.label() == null && field.help() == null && !Boolean.TRUE.equals(field.required());
        }
    }

    /** The attributes that can be chosen for each setting. */
    public record Choices(
            List<Filter.Choice> lanes,
            List<Filter.Choice> dates,
            List<Filter.Choice> texts,
            List<Filter.Choice> covers,
            List<Filter.Choice> groups,
            List<Filter.Choice> sums,
            List<Filter.Choice> conditions,
            List<Filter.Choice> orders) {

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
                    choices(
                            scope,
                            each -> each.isAttachments()
                                    || (each.type() == ValueType.TEXT && each.references() == null)),
                    choices(scope, each -> each.type().isOrdered()),
                    sums,
                    FilterLines.choices(scope.recordAccess().shown()),
                    Sorting.of(List.of(), scope.recordAccess(), reader).choices());
        }

        private static List<Filter.Choice> choices(ViewScope scope, Predicate<SchemaAttribute> suits) {
            return scope.recordAccess().shown().stream()
                    .filter(suits)
                    .map(each -> new Filter.Choice(String.valueOf(each.id()), each.label()))
                    .toList();
        }
    }

    /** The conditions that are edited in lines. */
    public List<Filter.Line> conditions() {
        return filter.lines();
    }

    /** Those that are kept or removed whole. */
    public List<Filter.Choice> others() {
        return filter.others();
    }

    /** Whether one condition is enough. */
    public boolean isAny() {
        return filter.any();
    }

    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    static ViewEditor of(ViewScope scope, FilterLines lines) {
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
        var sort = scope.view().sort();
        for (int i = 0; i < Math.min(Sorting.MAX_KEYS, sort.size()); i++) {
            values.put("sort" + i, Sorting.key(sort.get(i)));
        }
        return new ViewEditor(
                scope.path(), values, ViewFilter.of(scope, lines), rows(scope.view()), Choices.of(scope), List.of());
    }

    private static void put(Map<String, String> values, String field, @Nullable String value) {
        if (value != null) {
            values.put(field, value);
        }
    }

    private static List<Row> rows(ResolvedView view) {
        var fields = new LinkedHashMap<String, ViewDefinition.Field>();
        fields(view.definition())
                .forEach(each -> view.attribute(each.attribute())
                        .ifPresent(attribute -> fields.put(String.valueOf(attribute.id()), each)));
        // A form has its fields in their order, whatever the columns are.
        boolean isForm = view.view().kind() == ViewRow.Kind.FORM && !fields.isEmpty();
        var order = List.copyOf(fields.keySet());
        var columns = new ArrayList<>(view.columns());
        if (isForm) {
            columns.sort(Comparator.comparingInt(each -> {
                int at = order.indexOf(String.valueOf(each.attribute().id()));
                return at < 0 ? Integer.MAX_VALUE : at;
            }));
        }
        var rows = new ArrayList<Row>();
        for (var column : columns) {
            var id = String.valueOf(column.attribute().id());
            rows.add(new Row(
                    id,
                    column.attribute().label(),
                    rows.size() + 1,
                    isForm ? fields.containsKey(id) : !column.hidden(),
                    column.width(),
                    column.frozen(),
                    fields.getOrDefault(id, new ViewDefinition.Field(id, null, null, null))));
        }
        return rows;
    }

    private static List<ViewDefinition.Field> fields(ViewDefinition definition) {
        return Objects.requireNonNullElse(definition.set().fields(), List.of());
    }

    static ViewEditor typed(Context ctx, ViewScope scope, FilterLines lines) {
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
                            ctx.formParam(p + "frozen") != null,
                            field(ctx, p, row.field()));
                })
                .sorted(Comparator.comparingInt(Row::place))
                .toList();
        return new ViewEditor(
                scope.path(), values, ViewFilter.typed(ctx, scope, lines), rows, Choices.of(scope), List.of());
    }

    /** How a form asks for an attribute; as before where the form that was sent does not say. */
    private static ViewDefinition.Field field(Context ctx, String p, ViewDefinition.Field before) {
        return ctx.formParam(p + "label") == null
                ? before
                : new ViewDefinition.Field(
                        before.attribute(),
                        text(ctx.formParam(p + "label")),
                        text(ctx.formParam(p + "help")),
                        ctx.formParam(p + "required") != null ? true : null);
    }

    private static @Nullable String text(@Nullable String typed) {
        return typed == null || typed.isBlank() ? null : typed.strip();
    }

    /** The fields of a form: its columns, unless one of them is asked for otherwise. Those that this editor cannot see stay. */
    private @Nullable List<ViewDefinition.Field> fields(ViewScope scope, ViewDefinition before) {
        if (!value("kind").equals(ViewRow.Kind.FORM.label())) {
            return before.set().fields();
        }
        var unseen = fields(before).stream()
                .filter(each -> scope.view().attribute(each.attribute()).isEmpty())
                .toList();
        var shown = columns.stream().filter(Row::shown).toList();
        return unseen.isEmpty() && shown.stream().allMatch(Row::isPlainField)
                ? null
                : Stream.concat(shown.stream().map(Row::field), unseen.stream()).toList();
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
                fields(scope, before),
                chosen("heading"),
                chosen("description"),
                chosen("thanks"));
        return new ViewDraft(
                value("name"),
                ViewRow.Kind.named(value("kind")).orElse(scope.view().view().kind()),
                value("visibility").equals("project"),
                new ViewDefinition(
                        values.containsKey("match")
                                ? filter.where(scope.view().parts().unseen())
                                : before.filter(),
                        values.containsKey("sort0") ? sort(scope, before) : before.sort(),
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

    /** The keys that are chosen, and those that this editor cannot see. */
    private List<ViewDefinition.SortKey> sort(ViewScope scope, ViewDefinition before) {
        var kept = Objects.requireNonNullElse(before.sort(), List.<ViewDefinition.SortKey>of());
        var nulls = new HashMap<String, String>();
        scope.view().sort().stream()
                .filter(RecordSort::nullsFirst)
                .forEach(each -> nulls.put(each.attribute(), "first"));
        var chosen = new LinkedHashMap<String, ViewDefinition.SortKey>();
        for (int i = 0; i < Sorting.MAX_KEYS; i++) {
            var key = value("sort" + i);
            boolean descending = key.startsWith("-");
            var name = descending ? key.substring(1) : key;
            if (!name.isEmpty()) {
                chosen.putIfAbsent(
                        name, new ViewDefinition.SortKey(name, descending ? "desc" : "asc", nulls.get(name)));
            }
        }
        var unseen = kept.stream()
                .filter(each -> !scope.access().isOwner() && scope.view().gone().contains(each.attr()));
        return Stream.concat(chosen.values().stream(), unseen).toList();
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
        return new ViewEditor(path, values, filter, columns, choices, List.of(words));
    }

    ViewEditor refused(Problem refusal, Reader reader) {
        var words = refusal.fields().isEmpty()
                ? List.of(reader.text(refusal.detail()))
                : refusal.fields().stream()
                        .map(fault ->
                                reader.text("records.view-refused", "field", fault.field(), "message", fault.message()))
                        .toList();
        return new ViewEditor(path, values, filter, columns, choices, words);
    }
}
