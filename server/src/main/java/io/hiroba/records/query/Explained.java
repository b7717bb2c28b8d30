package io.hiroba.records.query;

import java.util.List;
import java.util.Map;

/** A query as it was compiled, and how PostgreSQL carried it out. */
public record Explained(String sql, Map<String, Object> parameters, List<String> plan) {

    public Explained {
        parameters = Map.copyOf(parameters);
        plan = List.copyOf(plan);
    }
}
