package io.hiroba.records.query;

import io.hiroba.platform.db.SqlStatement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bindings of SQL under construction. What anybody wrote goes in by {@link #bind} only; the text around it is ours:
 * keywords, {@link io.hiroba.records.ProjectTables} and numbers.
 */
final class SqlBindings {

    private final Map<String, Object> bindings = new LinkedHashMap<>();

    /** Takes {@code value} along and answers what stands for it in the text. */
    String bind(Object value) {
        var name = "v" + bindings.size();
        bindings.put(name, value);
        return ":" + name;
    }

    /** As {@link #bind}, for a list, which PostgreSQL reads from texts. */
    String bindArray(String sqlType, List<String> values) {
        return "CAST(%s AS %s[])".formatted(bind(values), sqlType);
    }

    <S extends SqlStatement<S>> S bindTo(S statement) {
        bindings.forEach((name, value) -> {
            if (value instanceof List<?> texts) {
                statement.bindArray(name, String.class, texts.toArray());
            } else {
                statement.bindObject(name, value);
            }
        });
        return statement;
    }

    /** For people to read. */
    Map<String, Object> bindings() {
        return bindings;
    }
}
