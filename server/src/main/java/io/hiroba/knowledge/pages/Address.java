package io.hiroba.knowledge.pages;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** An address with its parameters; those that say nothing are left out. */
record Address(String path, Map<String, String> parameters) {

    static Address of(String path) {
        return new Address(path, Map.of());
    }

    Address with(String name, String value) {
        var more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new Address(path, more);
    }

    String text() {
        var query = parameters.entrySet().stream()
                .filter(parameter -> !parameter.getValue().isEmpty())
                .map(parameter -> parameter.getKey() + "=" + Paths.encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? path : path + "?" + query;
    }
}
