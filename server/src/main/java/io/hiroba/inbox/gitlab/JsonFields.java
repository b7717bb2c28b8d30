package io.hiroba.inbox.gitlab;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads fields of payloads leniently: a missing or malformed field is none. */
final class JsonFields {

    private static final Pattern TIME = Pattern.compile("""
            (?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})\
            (?:[Tt ]\\s*(?<hour>\\d{2}):\\s*(?<minute>\\d{2})(?::\\s*(?<second>\\d{2})(?:[.,](?<part>\\d{1,9}))?)?)?\
            \\s*(?<zone>[Zz]|UTC|GMT|[+-]\\d{2}:?(?:\\d{2})?)?""");
    private static final int MAX_ID_LENGTH = 200;
    private static final int NANO_DIGITS = 9;
    /** The database stores microseconds. */
    private static final int NANOS_OF_MICRO = 1000;

    private JsonFields() {}

    /** The first of these fields that is a number or a text that is not blank. */
    static Optional<String> find(JsonNode node, String... names) {
        return Stream.of(names)
                .flatMap(name -> scalar(node.path(name)).stream())
                .findFirst();
    }

    /** The id of a resource, unless it is longer than the database stores with a prefix. */
    static Optional<String> id(JsonNode node) {
        return find(node, "id").filter(id -> id.length() <= MAX_ID_LENGTH);
    }

    static String text(JsonNode node, String name) {
        return scalar(node.path(name)).orElse("");
    }

    /** The text including white space. */
    static String rawText(JsonNode node, String name) {
        return storable(node.path(name).stringValue(""));
    }

    private static Optional<String> scalar(JsonNode node) {
        if (node.isString()) {
            var text = storable(node.stringValue("")).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }
        return node.isIntegralNumber() ? Optional.of(node.asString("")) : Optional.empty();
    }

    /** Without characters that the database cannot store: NUL and lone surrogates. */
    private static String storable(String text) {
        if (text.codePoints().noneMatch(JsonFields::isUnstorable)) {
            return text;
        }
        return text.codePoints()
                .filter(point -> !isUnstorable(point))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isUnstorable(int point) {
        return point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    static Optional<Long> number(JsonNode node, String... names) {
        return Stream.of(names)
                .flatMap(name -> scalar(node.path(name)).stream())
                .filter(text -> text.matches("-?\\d{1,18}"))
                .map(Long::valueOf)
                .findFirst();
    }

    static Optional<Instant> time(JsonNode node, String... names) {
        return Stream.of(names)
                .flatMap(name -> scalar(node.path(name)).stream())
                .flatMap(text -> parseTime(text).stream())
                .findFirst();
    }

    static boolean flag(JsonNode node, String name) {
        return node.path(name).asBoolean(false);
    }

    /** The objects in a list, also in nested lists. */
    static List<JsonNode> objects(JsonNode list) {
        var found = new ArrayList<JsonNode>();
        for (var node : list.isArray() ? list.values() : List.<JsonNode>of()) {
            if (node.isObject()) {
                found.add(node);
            } else {
                found.addAll(objects(node));
            }
        }
        return found;
    }

    /** Parses the time formats of GitLab; the default zone is UTC. */
    static Optional<Instant> parseTime(String text) {
        var match = TIME.matcher(text.strip());
        if (!match.matches()) {
            return Optional.empty();
        }
        try {
            var local = LocalDateTime.of(
                    parsed(match.group("year")),
                    parsed(match.group("month")),
                    parsed(match.group("day")),
                    parsed(match.group("hour")),
                    parsed(match.group("minute")),
                    Math.min(59, parsed(match.group("second"))),
                    nanos(match.group("part")));
            return Optional.of(local.toInstant(zone(match.group("zone"))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int parsed(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static int nanos(@Nullable String digits) {
        if (digits == null) {
            return 0;
        }
        int nanos = Integer.parseInt(digits + "0".repeat(NANO_DIGITS - digits.length()));
        return nanos - nanos % NANOS_OF_MICRO;
    }

    private static ZoneOffset zone(@Nullable String zone) {
        return zone == null || Character.isLetter(zone.charAt(0)) ? ZoneOffset.UTC : ZoneOffset.of(zone);
    }
}
