package io.hiroba.inbox.gitlab.handling;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads what payloads hold, wherever it is and whatever is missing: nothing here fails. */
final class Fields {

    private Fields() {}

    /** The first of these fields that says something, be it a text or a number. */
    static Optional<String> find(JsonNode node, String... names) {
        return Stream.of(names)
                .flatMap(name -> scalar(node.path(name)).stream())
                .findFirst();
    }

    static String text(JsonNode node, String name) {
        return scalar(node.path(name)).orElse("");
    }

    /** As it stands, also if it is only blanks. */
    static String whole(JsonNode node, String name) {
        return storable(node.path(name).stringValue(""));
    }

    private static Optional<String> scalar(JsonNode node) {
        if (node.isString()) {
            var text = storable(node.stringValue("")).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }
        return node.isIntegralNumber() ? Optional.of(node.asString("")) : Optional.empty();
    }

    /** Without what the database cannot hold: NUL, and halves of characters. */
    private static String storable(String text) {
        if (text.codePoints().noneMatch(Fields::isUnstorable)) {
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
                .flatMap(text -> Times.parse(text).stream())
                .findFirst();
    }

    static boolean flag(JsonNode node, String name) {
        return node.path(name).asBoolean(false);
    }

    /** The objects in a list, also where lists lie in lists. */
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
}
