package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.Documents;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RowTest;
import io.hiroba.records.ValueType;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The filter of a view in its editor.
 *
 * @param lines the conditions that are edited in lines
 * @param others those that are kept or removed whole, such as groups of conditions and values of referenced records: their places
 *     among the conditions, and their words
 * @param conditions all of them as queries have them
 * @param any whether one of them is enough
 */
record ViewFilter(List<Filter.Line> lines, List<Filter.Choice> others, List<JsonNode> conditions, boolean any) {

    ViewFilter {
        lines = List.copyOf(lines);
        others = List.copyOf(others);
        conditions = List.copyOf(conditions);
    }

    static ViewFilter of(ViewScope scope, FilterLines shown) {
        var parts = scope.view().parts().seen();
        if (parts.size() == 1 && parts.getFirst().has("or")) {
            var either = List.copyOf(parts.getFirst().path("or").values());
            var split = split(scope, shown, either);
            if (split.others().isEmpty()) {
                return new ViewFilter(split.lines(), List.of(), either, true);
            }
        }
        return split(scope, shown, parts);
    }

    private static ViewFilter split(ViewScope scope, FilterLines shown, List<JsonNode> conditions) {
        var lines = new ArrayList<Filter.Line>();
        var others = new ArrayList<Filter.Choice>();
        for (int i = 0; i < conditions.size(); i++) {
            var line = line(scope.recordAccess(), scope.reader(), shown, conditions.get(i));
            if (line.isPresent()) {
                lines.add(line.get());
            } else {
                others.add(new Filter.Choice(String.valueOf(i), words(scope, shown, conditions.get(i))));
            }
        }
        return new ViewFilter(lines, others, conditions, false);
    }

    /** What was typed, and the others that were left as they are. */
    static ViewFilter typed(Context ctx, ViewScope scope, FilterLines shown) {
        var before = of(scope, shown);
        var typed = RuleConditions.typed(ctx, scope.recordAccess(), scope.reader(), shown);
        var left = ctx.formParams("part");
        var others = before.others().stream()
                .filter(each -> left.contains(each.value()))
                .toList();
        var conditions =
                typed.tests().stream().map(ViewFilter::json).collect(Collectors.toCollection(ArrayList<JsonNode>::new));
        others.forEach(each -> conditions.add(before.conditions().get(Integer.parseInt(each.value()))));
        return new ViewFilter(typed.lines(), others, conditions, "any".equals(ctx.formParam("match")));
    }

    private static JsonNode json(RowTest test) {
        var json = Documents.exact()
                .createObjectNode()
                .put("attr", test.attribute())
                .put("op", test.operator());
        var comparison = FilterComparison.coded(test.operator()).orElse(FilterComparison.EQ);
        if (comparison.takesSeveral()) {
            var values = json.putArray("value");
            test.values().forEach(values::add);
        } else if (comparison.takesValue()) {
            json.set("value", test.values().getFirst());
        }
        return json;
    }

    /** The condition, with those that its editor did not see; null for none. */
    @Nullable
    JsonNode where(List<JsonNode> unseen) {
        var all = new ArrayList<>(unseen);
        if (any && conditions.size() > 1) {
            all.add(group("or", conditions));
        } else {
            all.addAll(conditions);
        }
        return all.isEmpty() ? null : all.size() == 1 ? all.getFirst() : group("and", all);
    }

    private static ObjectNode group(String connective, List<JsonNode> conditions) {
        var group = Documents.exact().createObjectNode();
        var parts = group.putArray(connective);
        conditions.forEach(parts::add);
        return group;
    }

    boolean hasErrors() {
        return lines.stream().anyMatch(line -> line.error() != null);
    }

    /** The conditions in words. */
    List<String> texts(Reader reader) {
        var texts = new ArrayList<String>();
        lines.forEach(line -> texts.add(line.text()));
        others.forEach(other -> texts.add(other.label()));
        return any
                ? texts.stream().reduce((one, other) -> either(reader, one, other)).stream()
                        .toList()
                : texts;
    }

    private static String either(Reader reader, String one, String other) {
        return reader.text("records.condition-or", "one", one, "other", other);
    }

    /** Empty for what a line cannot say. */
    private static Optional<Filter.Line> line(
            RecordAccess recordAccess, Reader reader, FilterLines shown, JsonNode condition) {
        var attribute =
                recordAccess.attribute(condition.path("attr").asString("")).orElse(null);
        var comparison = FilterComparison.of(condition).orElse(null);
        if (attribute == null
                || comparison == null
                || !FilterComparison.of(attribute).contains(comparison)) {
            return Optional.empty();
        }
        var value = condition.path("value");
        var clause = RuleConditions.clause(attribute, comparison, value, reader);
        boolean isSplit = comparison.takesSeveral()
                && value.valueStream().anyMatch(each -> each.asString().contains(","));
        return isSplit
                        || (comparison.takesValue() && clause.value().isBlank())
                        || clause.error(attribute, reader).isPresent()
                ? Optional.empty()
                : Optional.of(shown.of(attribute, comparison, clause.value(), ""));
    }

    private static String words(ViewScope scope, FilterLines shown, JsonNode condition) {
        var reader = scope.reader();
        if (condition.has("not")) {
            return reader.text("records.condition-not", "condition", words(scope, shown, condition.path("not")));
        }
        for (var group : List.of("and", "or", "c")) {
            if (condition.has(group)) {
                boolean isEither =
                        group.equals("or") || condition.path("l").asString("").equals("or");
                var parts = condition
                        .path(group)
                        .valueStream()
                        .map(part -> words(scope, shown, part))
                        .toList();
                return reader.text(
                        "records.condition-group",
                        "conditions",
                        parts.stream()
                                .reduce((one, other) -> isEither
                                        ? either(reader, one, other)
                                        : reader.text("records.condition-and", "one", one, "other", other))
                                .orElse(""));
            }
        }
        return line(scope.recordAccess(), reader, shown, condition)
                .map(Filter.Line::text)
                .orElseGet(() -> comparison(scope, condition));
    }

    /** A comparison that lines do not have, such as of a value of a referenced record. */
    private static String comparison(ViewScope scope, JsonNode condition) {
        var reader = scope.reader();
        var path = condition.path(condition.has("attr") ? "attr" : "a").asString("");
        int point = path.indexOf('.');
        var first = point < 0 ? path : path.substring(0, point);
        var label = scope.recordAccess()
                .attribute(first)
                .map(each -> point < 0 ? each.label() : each.label() + " → " + path.substring(point + 1))
                .orElse(path);
        var code = condition.path("op").asString(condition.has("attr") ? "eq" : "");
        var value = condition.path(condition.has("attr") ? "value" : "v");
        return reader.text(
                "records.condition-other",
                "attribute",
                label,
                "comparison",
                FilterComparison.coded(code)
                        .map(each -> reader.text(each.label(ValueType.TEXT)))
                        .orElse(code),
                "value",
                CellFormatter.cut(
                        value.isArray()
                                ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))
                                : value.asString("")));
    }
}
