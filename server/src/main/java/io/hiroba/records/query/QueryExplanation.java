package io.hiroba.records.query;

import java.util.List;
import java.util.Map;

/** The SQL of a query and PostgreSQL's plan of it. */
record QueryExplanation(String sql, Map<String, Object> parameters, List<String> plan) {

    public QueryExplanation {
        parameters = Map.copyOf(parameters);
        plan = List.copyOf(plan);
    }
}
