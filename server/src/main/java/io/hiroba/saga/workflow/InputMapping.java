package io.hiroba.saga.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The input of a step: JSON in which texts like {@code $.payload.order.id} and {@code $.steps.charge.items[0]} refer
 * to values of the saga. A missing value is an error, unless the text ends with {@code ?}: then the field is left out. A
 * literal text that begins with {@code $.} is escaped with a second dollar sign: {@code $$.}.
 *
 * <p>The element of a list and its index, {@code $.item} and {@code $.index}, are among the answers under these names, which no
 * step can have.
 */
public record InputMapping(JsonNode template) {

    /** The element of a list that a child saga is for. */
    public static final String ITEM = "$.item";

    /** The index of that element. */
    public static final String INDEX = "$.index";

    private static final String REFERENCE = "$.";
    private static final Pattern LITERAL = Pattern.compile("\\$\\$+\\..*", Pattern.DOTALL);

    /** Thrown where a value that a step needs is missing. */
    public static final class MissingValue extends Exception {

        private static final long serialVersionUID = 1L;

        private final String reference;

        MissingValue(String reference) {
            super(reference, null, false, false);
            this.reference = reference;
        }

        public String reference() {
            return reference;
        }
    }

    /** Resolves the input with {@code payload} and the answers of earlier steps by name. */
    public JsonNode apply(JsonNode payload, Map<String, JsonNode> answers) throws MissingValue {
        return fill(template, payload, answers)
                .orElseGet(() -> JsonMapper.shared().nullNode());
    }

    /** The step whose answer {@code reference} refers to; empty where it refers to the payload. */
    public static Optional<String> stepOf(String reference) {
        var path = path(reference);
        return path.size() >= 2 && path.getFirst().equals("steps") ? Optional.of(path.get(1)) : Optional.empty();
    }

    private static Optional<JsonNode> fill(JsonNode node, JsonNode payload, Map<String, JsonNode> answers)
            throws MissingValue {
        if (node.isString() && node.stringValue().startsWith(REFERENCE)) {
            return resolve(node.stringValue(), payload, answers);
        }
        if (node.isString() && LITERAL.matcher(node.stringValue()).matches()) {
            return Optional.of(JsonMapper.shared()
                    .getNodeFactory()
                    .stringNode(node.stringValue().substring(1)));
        }
        if (node.isObject()) {
            var filled = JsonMapper.shared().createObjectNode();
            for (var entry : node.properties()) {
                fill(entry.getValue(), payload, answers).ifPresent(value -> filled.set(entry.getKey(), value));
            }
            return Optional.of(filled);
        }
        if (node.isArray()) {
            var filled = JsonMapper.shared().createArrayNode();
            for (var element : node) {
                fill(element, payload, answers).ifPresent(filled::add);
            }
            return Optional.of(filled);
        }
        return Optional.of(node);
    }

    private static Optional<JsonNode> resolve(String reference, JsonNode payload, Map<String, JsonNode> answers)
            throws MissingValue {
        var path = path(reference);
        JsonNode node = JsonMapper.shared().missingNode();
        var local = answers.get(REFERENCE + path.getFirst());
        int from = 1;
        if (path.getFirst().equals("payload")) {
            node = payload;
        } else if (local != null) {
            node = local;
        } else if (path.size() >= 2 && answers.containsKey(path.get(1))) {
            node = answers.get(path.get(1));
            from = 2;
        }
        for (var name : path.subList(Math.min(from, path.size()), path.size())) {
            node = node.isArray() && name.matches("\\d{1,6}") ? node.path(Integer.parseInt(name)) : node.path(name);
        }
        if (!node.isMissingNode()) {
            return Optional.of(node);
        }
        if (reference.endsWith("?")) {
            return Optional.empty();
        }
        throw new MissingValue(reference);
    }

    /** {@code $.steps.charge.items[0]?} as steps, charge, items, 0. */
    private static List<String> path(String reference) {
        var names = new ArrayList<String>();
        var end = reference.endsWith("?") ? reference.length() - 1 : reference.length();
        for (var name :
                reference.substring(REFERENCE.length(), end).replace("]", "").split("[.\\[]", -1)) {
            names.add(name);
        }
        return names;
    }
}
