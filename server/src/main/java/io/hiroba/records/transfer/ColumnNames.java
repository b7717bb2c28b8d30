package io.hiroba.records.transfer;

import io.hiroba.records.AttributeDefinition;
import io.hiroba.records.SchemaDefinition;
import io.hiroba.records.SchemaNames;
import io.hiroba.records.transfer.TypeInference.Inferred;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Derives attribute names and definitions from the columns of a file. */
final class ColumnNames {

    private ColumnNames() {}

    /** Whether the column is a system column, as in an export with ids. */
    static boolean isOurs(String column) {
        return column.startsWith("_");
    }

    /** The name of the column at {@code place} that has none, which no other has: {@code column 3}. */
    static String unnamed(int place, Predicate<String> isTaken) {
        var plain = "column " + (place + 1);
        var name = plain;
        for (int n = 2; isTaken.test(name); n++) {
            name = plain + " " + n;
        }
        return name;
    }

    /** The names of columns, of which a later one that is called as another has a number: {@code price}, {@code price 2}. */
    static List<String> numbered(List<String> names) {
        var taken = new HashSet<>(names);
        var seen = new HashSet<String>();
        var numbered = new ArrayList<String>();
        for (var name : names) {
            var called = name;
            for (int n = 2; !name.isEmpty() && !seen.add(called); n++) {
                called = name + " " + n;
                if (taken.contains(called)) {
                    called = name;
                }
            }
            numbered.add(called);
        }
        return numbered;
    }

    /**
     * A valid attribute name for each of {@code columns} that is not left out and has none. Columns whose names are valid keep them,
     * whichever others come out the same.
     */
    static Map<String, String> names(Iterable<String> columns, ImportOptions options) {
        var names = new HashMap<String, String>();
        var made = new LinkedHashMap<String, String>();
        var taken = new HashSet<String>();
        int number = 0;
        for (var column : columns) {
            number++;
            var wanted = options.attribute(column);
            if (wanted.isEmpty() || isOurs(column)) {
                names.put(column, "");
                continue;
            }
            var name = SchemaNames.of(wanted);
            if (name.equals(SchemaNames.normalized(wanted)) && taken.add(name.toLowerCase(Locale.ROOT))) {
                names.put(column, name);
            } else {
                made.put(column, name.isEmpty() ? "column" + number : name);
            }
        }
        made.forEach((column, name) -> {
            var free = name;
            for (int n = 2; !taken.add(free.toLowerCase(Locale.ROOT)); n++) {
                free = name + "_" + n;
            }
            names.put(column, free);
        });
        return names;
    }

    /** The titles of attributes that are not named as their columns, which later files are matched by. */
    static Map<String, String> titles(Map<String, String> names, ImportOptions options) {
        var titles = new HashMap<String, String>();
        names.forEach((column, name) -> {
            var title = SchemaNames.titleOf(options.attribute(column));
            if (!name.isEmpty() && !title.isEmpty() && !title.equals(name)) {
                titles.put(name, title);
            }
        });
        return titles;
    }

    static SchemaDefinition definition(String schema, Map<String, Inferred> columns, Map<String, String> names) {
        List<AttributeDefinition> attributes = new ArrayList<>();
        columns.forEach((column, inferred) -> {
            var name = names.getOrDefault(column, column);
            if (!name.isEmpty()) {
                attributes.add(AttributeDefinition.of(name, inferred.type(), inferred.format()));
            }
        });
        return new SchemaDefinition(schema, null, attributes);
    }
}
