package io.hiroba.records.query;

import io.hiroba.platform.db.SqlStatement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bindings of SQL under construction. User input is added by {@link #bind} only; the rest of the text is ours:
 * keywords, {@link io.hiroba.records.ProjectTables} and numbers.
 */
final class SqlBindings {

    private final Map<String, Object> bindings = new LinkedHashMap<>();

    /** Binds {@code value} and returns its placeholder. */
    String bind(Object value) {
        var name = "v" + bindings.size();
        bindings.put(name, value);
        return ":" + name;
    }

    /** Binds a list, which PostgreSQL parses from texts. */
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

    /** For logs and explanations. */
    Map<String, Object> bindings() {
        return bindings;
    }
}
