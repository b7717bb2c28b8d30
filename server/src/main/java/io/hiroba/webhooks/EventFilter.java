package io.hiroba.webhooks;

import java.util.List;

/**
 * The types of events that somebody wants.
 *
 * @param patterns each a type such as {@code saga.completed}, the beginning of some as {@code saga.*}, or {@code *} for all
 */
record EventFilter(List<String> patterns) {

    static final EventFilter ALL = new EventFilter(List.of("*"));

    EventFilter {
        patterns = List.copyOf(patterns);
    }

    boolean matches(String type) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, type));
    }

    static boolean matches(String pattern, String type) {
        return pattern.equals("*")
                || pattern.equals(type)
                || (pattern.endsWith(".*") && type.startsWith(pattern.substring(0, pattern.length() - 1)));
    }
}
