package io.hiroba.saga.workflow;

import io.hiroba.platform.expression.Expression;
import io.hiroba.platform.expression.ExpressionException;
import io.hiroba.platform.i18n.Text;
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
 * literal text that begins with {@code $.} is escaped with a second dollar sign: {@code $$.}. A text that begins with
 * {@code =} is an expression in CEL, and one more equals sign makes it literal.
 *
 * <p>The payload of a saga for an element of a list refers to that by {@code $.item} and {@code $.index} too.
 */
public record InputMapping(JsonNode template) {

    static final String EXPRESSION = "=";
    private static final String REFERENCE = "$.";
    private static final Pattern LITERAL = Pattern.compile("(\\$\\$+\\.|==).*", Pattern.DOTALL);

    /** A reference within a text; what stands between the braces is checked when the workflow is registered. */
    private static final Pattern IN_TEXT = Pattern.compile("\\{\\{\\s*+([^{}]*?)\\s*+\\}\\}");

    private static final Pattern OPEN = Pattern.compile("\\{\\{\\s*+\\$\\.");

    private static final Pattern MARKDOWN = Pattern.compile("[\\\\`*_\\[\\]<>#!|~&]");

    /** Thrown where a value that a step needs is missing, or an expression cannot be evaluated. */
    public static final class MissingValue extends Exception {

        private static final long serialVersionUID = 1L;

        private final String reference;
        private final transient Text reason;

        MissingValue(String reference) {
            this(reference, Text.of("saga.journal.input-missing", "reference", reference));
        }

        MissingValue(String reference, Text reason) {
            super(reference, null, false, false);
            this.reference = reference;
            this.reason = reason;
        }

        public Text reason() {
            return reason;
        }

        public String reference() {
            return reference;
        }
    }

    /** Resolves the input with {@code payload} and the answers of earlier steps by name. */
    public JsonNode apply(JsonNode payload, Map<String, JsonNode> answers) throws MissingValue {
        return apply(new SagaValues(payload, answers));
    }

    /** Resolves it with {@code values}. */
    public JsonNode apply(SagaValues values) throws MissingValue {
        return fill(template, values).orElseGet(() -> JsonMapper.shared().nullNode());
    }

    static boolean isExpression(String text) {
        return text.startsWith(EXPRESSION) && !text.startsWith(EXPRESSION + EXPRESSION);
    }

    /** Whether a text is a reference or an expression, and not meant as it is. */
    static boolean isResolved(String text) {
        return text.startsWith(REFERENCE) || isExpression(text);
    }

    /** The references of a text, such as {@code {{$.payload.id}}}. */
    static List<String> references(String text) {
        return IN_TEXT.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /** Whether a reference in a text begins and has no end. */
    static boolean isOpen(String text) {
        return OPEN.matcher(IN_TEXT.matcher(text).replaceAll("")).find();
    }

    /** Replaces the references of a text by their values. */
    public static String text(String template, JsonNode payload, Map<String, JsonNode> answers) throws MissingValue {
        return text(template, payload, answers, false);
    }

    /** As above, where the text is Markdown: values are shown as they are. */
    public static String markdown(String template, JsonNode payload, Map<String, JsonNode> answers)
            throws MissingValue {
        return text(template, payload, answers, true);
    }

    private static String text(String template, JsonNode payload, Map<String, JsonNode> answers, boolean markdown)
            throws MissingValue {
        var filled = new StringBuilder();
        var match = IN_TEXT.matcher(template);
        int from = 0;
        while (match.find()) {
            var value = resolve(match.group(1), new SagaValues(payload, answers))
                    .map(InputMapping::shown)
                    .orElse("");
            filled.append(template, from, match.start()).append(markdown ? escaped(value) : value);
            from = match.end();
        }
        return filled.append(template, from, template.length()).toString();
    }

    private static String shown(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }

    /** On one line and without markup: a value must not look like the words of the workflow. */
    private static String escaped(String value) {
        return MARKDOWN.matcher(value.replaceAll("\\R", " ")).replaceAll("\\\\$0");
    }

    /** The step whose answer {@code reference} refers to; empty where it refers to the payload. */
    public static Optional<String> stepOf(String reference) {
        var path = path(reference);
        return path.size() >= 2 && path.getFirst().equals("steps") ? Optional.of(path.get(1)) : Optional.empty();
    }

    private static Optional<JsonNode> fill(JsonNode node, SagaValues values) throws MissingValue {
        if (node.isString() && node.stringValue().startsWith(REFERENCE)) {
            return resolve(node.stringValue(), values);
        }
        if (node.isString() && isExpression(node.stringValue())) {
            return Optional.of(evaluate(node.stringValue(), values));
        }
        if (node.isString() && LITERAL.matcher(node.stringValue()).matches()) {
            return Optional.of(JsonMapper.shared()
                    .getNodeFactory()
                    .stringNode(node.stringValue().substring(1)));
        }
        if (node.isObject()) {
            var filled = JsonMapper.shared().createObjectNode();
            for (var entry : node.properties()) {
                fill(entry.getValue(), values).ifPresent(value -> filled.set(entry.getKey(), value));
            }
            return Optional.of(filled);
        }
        if (node.isArray()) {
            var filled = JsonMapper.shared().createArrayNode();
            for (var element : node) {
                fill(element, values).ifPresent(filled::add);
            }
            return Optional.of(filled);
        }
        return Optional.of(node);
    }

    private static JsonNode evaluate(String text, SagaValues values) throws MissingValue {
        try {
            var expression = Expression.compile(text.substring(EXPRESSION.length()), values.scope());
            return expression.evaluate(values.variables(expression));
        } catch (ExpressionException e) {
            throw new MissingValue(text, e.reason());
        }
    }

    private static Optional<JsonNode> resolve(String reference, SagaValues values) throws MissingValue {
        var path = path(reference);
        JsonNode node = JsonMapper.shared().missingNode();
        var answer = values.answer();
        var answers = values.answers();
        var element = values.element();
        int from = 1;
        if (path.getFirst().equals("payload")) {
            node = values.payload();
        } else if (path.getFirst().equals("answer") && answer != null) {
            node = answer;
        } else if (path.getFirst().equals(SagaValues.ITEM) && element != null) {
            node = element.item();
        } else if (path.getFirst().equals(SagaValues.INDEX) && element != null) {
            node = element.indexNode();
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
