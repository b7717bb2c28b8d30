package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SelectOption;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.RecordQuery;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Converts texts that were typed into cells, or pasted from another program, to values. Such a program writes what it shows: a
 * number with its thousands apart, the title of an option or of a record that is referred to.
 */
final class TypedCells {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ProjectAccess access;
    private final PageContext context;
    private final Queries queries;
    private final Reader reader;
    private final Map<String, JsonNode> referred = new HashMap<>();

    /** The orders of month and day in which all days of a column can be read. */
    private final Map<String, Set<DateOrder>> orders = new HashMap<>();

    TypedCells(ProjectAccess access, PageContext context, Queries queries, Reader reader) {
        this.access = access;
        this.context = context;
        this.queries = queries;
        this.reader = reader;
    }

    /** Takes note of a text, before any is read: one day tells the order of month and day for all of its column. */
    void note(SchemaAttribute attribute, String typed) {
        var possible = attribute.type().isTime() ? DateOrder.of(typed) : Set.<DateOrder>of();
        if (!possible.isEmpty()) {
            orders.computeIfAbsent(attribute.name(), any -> EnumSet.allOf(DateOrder.class))
                    .retainAll(possible);
        }
    }

    /**
     * The value of a text; one that does not fit the type is passed on for the validator to report.
     *
     * @throws RecordsProblem if it cannot be any value
     */
    JsonNode json(SchemaAttribute attribute, String typed) {
        if (attribute.references() != null) {
            if (typed.isBlank()) {
                return JSON.nullNode();
            }
            if (!attribute.isList()) {
                return referred(attribute, typed.strip());
            }
            var list = JSON.arrayNode();
            typed.lines()
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .forEach(each -> list.add(referred(attribute, each)));
            return list;
        }
        if (attribute.isPerson()) {
            var people = typed.lines().map(each -> context.member(access, each)).collect(Collectors.joining("\n"));
            return FormValues.json(attribute, people, reader);
        }
        return FormValues.json(attribute, plain(attribute, typed), reader);
    }

    /** A day such as {@code 8/20/2026} in the plain form; another text stays as it is. */
    private String day(SchemaAttribute attribute, String typed) {
        if (DateOrder.of(typed).isEmpty()) {
            return typed;
        }
        var own = orders.getOrDefault(attribute.name(), Set.of());
        // The order of a column that tells it holds for those that may be of either.
        var possible = own.size() > 1 ? told() : own;
        return possible.stream()
                .findFirst()
                .flatMap(order -> order.plain(typed))
                .orElseThrow(() -> RecordsProblem.invalid(attribute.name(), Text.of("records.cell-date-order")));
    }

    /** The one order that the columns have of which the days tell it; none if they differ. */
    private Set<DateOrder> told() {
        var told = EnumSet.noneOf(DateOrder.class);
        orders.values().stream().filter(each -> each.size() == 1).forEach(told::addAll);
        return told.size() == 1 ? told : Set.of();
    }

    private JsonNode referred(SchemaAttribute attribute, String typed) {
        return referred.computeIfAbsent(attribute.name() + " " + typed, any -> target(attribute, typed));
    }

    private String plain(SchemaAttribute attribute, String typed) {
        var text = typed.strip();
        if (attribute.isMultiSelect()) {
            return options(attribute, text);
        }
        if (attribute.isSelect()) {
            return option(attribute, text).map(SelectOption::value).orElse(typed);
        }
        if (attribute.type().isTime()) {
            return day(attribute, typed);
        }
        return attribute.type() == ValueType.BOOL ? flag(text) : typed;
    }

    /** The option with this value, or else with this title. */
    private static Optional<SelectOption> option(SchemaAttribute attribute, String text) {
        return attribute.choices().stream()
                .filter(each -> each.value().equals(text))
                .findFirst()
                .or(() -> attribute.choices().stream()
                        .filter(each -> each.label().equalsIgnoreCase(text))
                        .findFirst());
    }

    /** Options of an editor come one a line, those of other programs with commas or semicolons; an option may have one itself. */
    private static String options(SchemaAttribute attribute, String text) {
        var values = new StringBuilder();
        for (var line : FormValues.lines(text).split("\n", -1)) {
            var parts = option(attribute, line.strip()).isPresent() ? new String[] {line} : line.split("[,;、，；]", -1);
            for (var part : parts) {
                var name = part.strip();
                values.append(option(attribute, name).map(SelectOption::value).orElse(name))
                        .append('\n');
            }
        }
        return values.toString();
    }

    private String flag(String text) {
        if (text.equalsIgnoreCase(reader.text("records.yes"))) {
            return "true";
        }
        if (text.equalsIgnoreCase(reader.text("records.no"))) {
            return "false";
        }
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1", "✓", "x" -> "true";
            case "false", "no", "0" -> "false";
            default -> text;
        };
    }

    /** The record with this id, or else the only one with this title. */
    private JsonNode target(SchemaAttribute reference, String text) {
        var target = context.target(access, RecordTitles.target(reference));
        var title = RecordNames.title(target).orElse(null);
        if (RowId.find(text).isPresent() || title == null) {
            return JSON.stringNode(text);
        }
        var named = Documents.exact()
                .createObjectNode()
                .put("attr", title.name())
                .put("op", "eq")
                .put("value", text);
        var found = queries.page(
                        access.caller(),
                        access.project().id(),
                        RecordQuery.all(target.schema().name())
                                .where(ConditionParser.condition(named))
                                .limit(2))
                .rows();
        return switch (found.size()) {
            case 0 -> throw RecordsProblem.invalid(reference.name(), Text.of("records.cell-no-record", "title", text));
            case 1 -> JSON.stringNode(found.getFirst().id().toString());
            default ->
                throw RecordsProblem.invalid(reference.name(), Text.of("records.cell-several-records", "title", text));
        };
    }
}
