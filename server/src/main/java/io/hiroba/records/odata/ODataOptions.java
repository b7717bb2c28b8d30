package io.hiroba.records.odata;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.Navigation;
import io.hiroba.records.odata.EntityModel.SystemProperty;
import io.hiroba.records.query.Condition;
import io.hiroba.records.query.RecordSort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The system query options of a request.
 *
 * @param where null for all records
 * @param select the names of the properties; null for all
 * @param expand the navigation properties with their own {@code $select}
 * @param top null for all
 * @param skipToken the cursor of a next link
 */
record ODataOptions(
        @Nullable Condition where,
        @Nullable Set<String> select,
        List<Expand> expand,
        List<RecordSort> order,
        @Nullable Integer top,
        int skip,
        boolean count,
        @Nullable String skipToken) {

    static final String TOP = "$top";
    static final String SKIP = "$skip";
    static final String COUNT = "$count";
    static final String SKIP_TOKEN = "$skiptoken";

    private static final String SELECT = "$select";
    private static final String EXPAND = "$expand";
    private static final String ORDER = "$orderby";
    private static final String FORMAT = "$format";
    private static final String ALL = "*";
    private static final Set<String> OF_ENTITIES = Set.of(SELECT, EXPAND, FORMAT);
    private static final Set<String> OF_SETS =
            Set.of(SELECT, EXPAND, FORMAT, ODataFilter.OPTION, ORDER, TOP, SKIP, COUNT, SKIP_TOKEN);

    /** The records before a page are read one by one, so a client that wants many follows the next links instead. */
    static final int MAX_SKIP = 10_000;

    ODataOptions {
        expand = List.copyOf(expand);
        order = List.copyOf(order);
    }

    /** A navigation property whose entity is part of the answer. */
    record Expand(
            Navigation navigation,
            EntitySet target,
            @Nullable Set<String> select) {}

    /** The options of a request for an entity set. */
    static ODataOptions ofSet(EntityModel model, EntitySet set, Map<String, String> options) {
        requireKnown(options, OF_SETS);
        var filter = options.get(ODataFilter.OPTION);
        var token = options.get(SKIP_TOKEN);
        return new ODataOptions(
                filter == null ? null : ODataFilter.parse(model, set, filter),
                select(set, options.get(SELECT)),
                expand(model, set, options.get(EXPAND)),
                order(set, options.get(ORDER)),
                options.containsKey(TOP) ? number(options, TOP, Integer.MAX_VALUE) : null,
                number(options, SKIP, MAX_SKIP),
                isTrue(options.getOrDefault(COUNT, "false")),
                token);
    }

    /** The options of a request for one entity. */
    static ODataOptions ofEntity(EntityModel model, EntitySet set, Map<String, String> options) {
        requireKnown(options, OF_ENTITIES);
        return new ODataOptions(
                null,
                select(set, options.get(SELECT)),
                expand(model, set, options.get(EXPAND)),
                List.of(),
                null,
                0,
                false,
                null);
    }

    static void requireKnown(Map<String, String> options, Set<String> known) {
        for (var option : options.entrySet()) {
            if (option.getKey().startsWith("$") && !known.contains(option.getKey())) {
                throw ODataProblem.unsupported(option.getKey(), Text.of("records.odata.option"));
            }
        }
        var format = options.getOrDefault(FORMAT, "json");
        if (!format.equals("json") && !format.startsWith("application/json")) {
            throw ODataProblem.unsupported(FORMAT, Text.of("records.odata.format"));
        }
    }

    private static int number(Map<String, String> options, String option, int most) {
        var text = options.getOrDefault(option, "0");
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > most) {
            throw ODataProblem.invalid(option, Text.of("http.field.number-between", "min", 0, "max", most));
        }
        return Integer.parseInt(text);
    }

    private static boolean isTrue(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ODataProblem.invalid(COUNT, Text.of("http.field.boolean"));
        };
    }

    private static @Nullable Set<String> select(EntitySet set, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        var names = new LinkedHashSet<String>();
        for (var part : text.split(",", -1)) {
            var name = part.strip();
            if (name.equals(ALL)) {
                return null;
            }
            requireProperty(SELECT, name);
            var shown = set.nameOf(name);
            if (shown.isPresent()) {
                names.add(shown.get());
            } else if (set.navigation(name).isEmpty()) {
                throw set.unknown(SELECT, name);
            }
        }
        return names;
    }

    private static List<RecordSort> order(EntitySet set, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return List.of();
        }
        var keys = new ArrayList<RecordSort>();
        for (var part : parts(text)) {
            var words = part.split("\\s+", -1);
            boolean descending = words.length == 2 && words[1].equals("desc");
            if (words.length > 2 || (words.length == 2 && !descending && !words[1].equals("asc"))) {
                throw ODataProblem.invalid(ORDER, Text.of("records.odata.unexpected", "text", part));
            }
            // In OData, what is missing comes before everything else.
            keys.add(new RecordSort(sorted(set, words[0]), descending, !descending));
        }
        return keys;
    }

    private static String sorted(EntitySet set, String name) {
        requireProperty(ORDER, name);
        var system = SystemProperty.named(name).orElse(null);
        boolean isCreation = system == SystemProperty.ID || system == SystemProperty.CREATED_AT;
        // An attribute of this name would be taken for it.
        if (system != null && (!isCreation || set.isAttribute(RecordSort.CREATED))) {
            throw ODataProblem.unsupported(ORDER, Text.of("records.odata.not-sortable", "name", name));
        }
        if (isCreation) {
            return RecordSort.CREATED;
        }
        var property = set.property(name).orElseThrow(() -> set.unknown(ORDER, name));
        if (property.isJson()) {
            throw ODataProblem.unsupported(ORDER, Text.of("records.odata.not-sortable", "name", name));
        }
        return String.valueOf(property.attribute().id());
    }

    /** Refuses paths and functions, which OData has in the place of a property. */
    private static void requireProperty(String option, String name) {
        if (name.indexOf('/') >= 0 || name.indexOf('(') >= 0) {
            throw ODataProblem.unsupported(option, Text.of("records.odata.path", "text", name));
        }
    }

    private static List<Expand> expand(EntityModel model, EntitySet set, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return List.of();
        }
        var expanded = new LinkedHashMap<String, Expand>();
        for (var part : parts(text)) {
            int open = part.indexOf('(');
            var name = open < 0 ? part : part.substring(0, open).strip();
            var nested = open < 0 || !part.endsWith(")") ? "" : part.substring(open + 1, part.length() - 1);
            if (name.equals(ALL)) {
                set.navigations().forEach(each -> expanded.put(each.name(), expand(model, set, each.name(), nested)));
            } else {
                var expand = expand(model, set, name, nested);
                expanded.put(expand.navigation().name(), expand);
            }
        }
        return List.copyOf(expanded.values());
    }

    private static Expand expand(EntityModel model, EntitySet set, String name, String nested) {
        requireProperty(EXPAND, name);
        var navigation = set.navigation(name).orElseThrow(() -> set.unknown(EXPAND, name));
        var target = model.target(navigation);
        if (nested.isBlank()) {
            return new Expand(navigation, target, null);
        }
        var option = nested.strip();
        if (!option.startsWith(SELECT + "=") || option.indexOf(';') >= 0) {
            throw ODataProblem.unsupported(EXPAND, Text.of("records.odata.expand"));
        }
        return new Expand(navigation, target, select(target, option.substring(SELECT.length() + 1)));
    }

    /** Parts between commas that are not inside of parentheses. */
    private static List<String> parts(String text) {
        var parts = new ArrayList<String>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        parts.add(text.substring(start).strip());
        return parts;
    }
}
