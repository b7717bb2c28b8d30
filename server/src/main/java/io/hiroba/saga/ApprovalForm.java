package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.saga.workflow.FieldValues;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Step.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Checks the answers to the form of an approval. A text stands for a number, a date or a boolean that it spells. */
final class ApprovalForm {

    /** Before the name of a field, in errors and in forms. */
    static final String PREFIX = "answers.";

    private ApprovalForm() {}

    /** The answers of a form in a browser: fields that are empty are left out, and a box that is not ticked means no. */
    static ObjectNode typed(List<Step.Field> form, Map<String, String> texts) {
        var answers = JsonMapper.shared().createObjectNode();
        for (var field : form) {
            var text = texts.getOrDefault(field.name(), "");
            if (field.type() == FieldType.BOOLEAN) {
                answers.put(field.name(), !text.isEmpty());
            } else if (!text.isBlank()) {
                answers.put(field.name(), text);
            }
        }
        return answers;
    }

    /**
     * The answers with the types of their fields; all errors are one problem.
     *
     * @param complete whether required fields must be answered: who rejects need not
     */
    static ObjectNode checked(List<Step.Field> form, JsonNode given, boolean complete) {
        var errors = new ArrayList<FieldError>();
        var answers = JsonMapper.shared().createObjectNode();
        if (!given.isObject() && !given.isNull() && !given.isMissingNode()) {
            throw SagaProblem.invalid("answers", Text.of("saga.field.answers"));
        }
        var known = form.stream().collect(Collectors.toMap(Step.Field::name, field -> field));
        given.propertyNames().stream()
                .filter(name -> !known.containsKey(name))
                .forEach(name -> errors.add(new FieldError(PREFIX + name, Text.of("saga.field.no-such-field"))));
        for (var field : form) {
            var value = given.path(field.name());
            if (isEmpty(field, value)) {
                if (complete && field.required()) {
                    var rule = field.type() == FieldType.BOOLEAN ? "saga.field.ticked" : "saga.field.required";
                    errors.add(new FieldError(PREFIX + field.name(), Text.of(rule)));
                }
                continue;
            }
            var typed = FieldValues.typed(field, value);
            if (typed == null) {
                errors.add(new FieldError(PREFIX + field.name(), FieldValues.rule(field)));
            } else {
                answers.set(field.name(), typed);
            }
        }
        if (!errors.isEmpty()) {
            throw SagaProblem.badAnswers(errors);
        }
        return answers;
    }

    /** A required box has to be ticked. */
    private static boolean isEmpty(Step.Field field, JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isString() && value.stringValue().isBlank())
                || (field.type() == FieldType.BOOLEAN && field.required() && "false".equals(value.asString("")));
    }
}
