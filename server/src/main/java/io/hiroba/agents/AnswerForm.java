package io.hiroba.agents;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The form of an answer that a program reads: the fields of one JSON object. Without fields it is {@code {"answer": text}}. */
record AnswerForm(List<FormField> fields) {

    private static final Pattern FENCE = Pattern.compile("(?s)\\s*```[a-zA-Z]*\\s*(.*?)\\s*```\\s*");
    private static final int MAX_LENGTH = 100_000;
    private static final AnswerForm TEXT =
            new AnswerForm(List.of(new FormField("answer", "", "text", true, List.of())));

    /**
     * A field of a form.
     *
     * @param type {@code text}, {@code number}, {@code boolean}, {@code date} or {@code choice}
     * @param options of a choice; empty otherwise
     */
    record FormField(String name, String label, String type, boolean required, List<String> options) {

        FormField {
            options = List.copyOf(options);
        }

        private String description() {
            return "- %s: %s%s%s%s"
                    .formatted(
                            name,
                            type.equals("date") ? "a date such as 2026-01-31, as text" : type,
                            options.isEmpty() ? "" : ", one of " + String.join(" | ", options),
                            required ? "" : ", may be left out",
                            label.isBlank() ? "" : " (" + label + ")");
        }

        /** What is wrong with a value; null if nothing is. */
        private @Nullable String problem(@Nullable JsonNode value) {
            if (value == null || value.isNull()) {
                return required ? name + " is missing" : null;
            }
            boolean right = switch (type) {
                case "number" -> value.isNumber();
                case "boolean" -> value.isBoolean();
                case "date" -> value.isString() && isDate(value.stringValue());
                case "choice" -> value.isString() && options.contains(value.stringValue());
                default -> value.isString();
            };
            return right ? null : description().substring(2) + " is wrong";
        }

        private static boolean isDate(String text) {
            try {
                LocalDate.parse(text);
                return true;
            } catch (DateTimeException notADate) {
                return false;
            }
        }
    }

    AnswerForm {
        fields = List.copyOf(fields);
    }

    /** The form that a workflow gives, as a list of fields; a text if it gives none. */
    static AnswerForm of(JsonNode fields) {
        if (!fields.isArray() || fields.isEmpty()) {
            return TEXT;
        }
        return new AnswerForm(fields.valueStream()
                .map(field -> new FormField(
                        field.path("name").asString(""),
                        field.path("label").asString(""),
                        field.path("type").asString("text").toLowerCase(Locale.ROOT),
                        field.path("required").asBoolean(false),
                        field.path("options")
                                .valueStream()
                                .map(option -> option.asString(""))
                                .toList()))
                .toList());
    }

    /** As {@link #of} reads it. */
    String json() {
        return JsonMapper.shared().writeValueAsString(fields);
    }

    /** Tells a model how to answer. */
    String instructions() {
        return "Answer with one JSON object and nothing else, without a code fence. Its fields:\n"
                + fields.stream().map(FormField::description).collect(Collectors.joining("\n"));
    }

    /** An answer that was looked at: the object, or what is wrong with it. */
    record Checked(@Nullable ObjectNode answer, String problem) {}

    Checked check(String text) {
        if (text.length() > MAX_LENGTH) {
            return new Checked(null, "It is too long.");
        }
        var fenced = FENCE.matcher(text);
        JsonNode read;
        try {
            read = ApiAgentTools.JSON.readTree(fenced.matches() ? fenced.group(1) : text);
        } catch (JacksonException notJson) {
            return new Checked(null, "It is no JSON object.");
        }
        if (!(read instanceof ObjectNode object)) {
            return new Checked(null, "It is no JSON object.");
        }
        var problems = new ArrayList<String>();
        var answer = JsonMapper.shared().createObjectNode();
        for (var field : fields) {
            var value = object.get(field.name());
            var problem = field.problem(value);
            if (problem != null) {
                problems.add(problem);
            } else if (value != null && !value.isNull()) {
                answer.set(field.name(), bounded(value));
            }
        }
        return problems.isEmpty() ? new Checked(answer, "") : new Checked(null, String.join("; ", problems) + ".");
    }

    /** A number whose exponent would fill a page is none that a program expects. */
    private static JsonNode bounded(JsonNode value) {
        return value.isNumber() && Math.abs((long) new BigDecimal(value.asString()).scale()) > 1000
                ? JsonMapper.shared().getNodeFactory().numberNode(value.doubleValue())
                : value;
    }

    /** Whether a text alone is an answer. */
    boolean isOneText() {
        return fields.size() == 1 && fields.getFirst().type().equals("text");
    }

    /** A text as an answer; empty if the form has more than one text. */
    Optional<String> ofText(String text) {
        return isOneText()
                ? Optional.of(JsonMapper.shared()
                        .createObjectNode()
                        .put(fields.getFirst().name(), text)
                        .toString())
                : Optional.empty();
    }
}
