package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.saga.SagaProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that the payload of a workflow's sagas has; besides them it may hold anything. One without fields allows any
 * payload.
 */
public record PayloadSchema(List<PayloadField> fields) {

    /** Before the name of a field, in errors and in forms. */
    public static final String PREFIX = "payload.";

    static final PayloadSchema NONE = new PayloadSchema(List.of());

    /**
     * A field of a payload.
     *
     * @param initial the value that it gets where it is missing; null where it gets none
     */
    public record PayloadField(Step.Field field, @Nullable JsonNode initial) {

        private boolean isMissing(JsonNode payload) {
            var value = payload.path(field.name());
            boolean blank = value.isString() && value.stringValue().isBlank() && field.required();
            return value.isMissingNode() || value.isNull() || blank;
        }
    }

    public PayloadSchema {
        fields = List.copyOf(fields);
    }

    /** The payload with its defaults, or a problem {@code saga.bad-payload} that names each wrong field. */
    public JsonNode required(JsonNode payload) {
        var complete = complete(payload);
        var errors = errors(complete);
        if (!errors.isEmpty()) {
            throw SagaProblem.badPayload(errors);
        }
        return complete;
    }

    /** The payload with the defaults of the fields that are missing. */
    public JsonNode complete(JsonNode payload) {
        if (!(payload instanceof ObjectNode given)
                || fields.stream().noneMatch(each -> each.initial() != null && each.isMissing(payload))) {
            return payload;
        }
        var complete = given.deepCopy();
        for (var each : fields) {
            if (each.initial() != null && each.isMissing(payload)) {
                complete.set(each.field().name(), each.initial());
            }
        }
        return complete;
    }

    /** The errors of a payload that is complete; empty where there are none. */
    public List<FieldError> errors(JsonNode payload) {
        if (fields.isEmpty()) {
            return List.of();
        }
        if (!payload.isObject()) {
            return List.of(new FieldError("payload", Text.of("saga.field.answers")));
        }
        var errors = new ArrayList<FieldError>();
        for (var each : fields) {
            var field = each.field();
            if (each.isMissing(payload)) {
                if (field.required()) {
                    errors.add(new FieldError(PREFIX + field.name(), Text.of("saga.field.required")));
                }
            } else if (!FieldValues.fits(field, payload.path(field.name()))) {
                errors.add(new FieldError(PREFIX + field.name(), FieldValues.rule(field)));
            }
        }
        return errors;
    }

    /**
     * The payload that a form in a browser stands for: one that is empty is left out, and a box that is not ticked means no. A text
     * that is none of its field stays one, for the check to find.
     *
     * @param before has what no field shows
     * @param texts by the names of fields
     */
    public ObjectNode typed(JsonNode before, Map<String, String> texts) {
        var payload = before instanceof ObjectNode given
                ? given.deepCopy()
                : JsonMapper.shared().createObjectNode();
        for (var each : fields) {
            var field = each.field();
            var text = texts.getOrDefault(field.name(), "");
            if (field.type() == Step.FieldType.BOOLEAN) {
                payload.put(field.name(), !text.isEmpty());
            } else if (!text.isBlank()) {
                JsonNode given = payload.stringNode(text);
                var value = FieldValues.typed(field, given);
                payload.set(field.name(), value == null ? given : value);
            } else {
                payload.remove(field.name());
            }
        }
        return payload;
    }

    /** The texts of a form that stands for the payload, by the names of fields. */
    public Map<String, String> texts(JsonNode payload) {
        var texts = new LinkedHashMap<String, String>();
        for (var each : fields) {
            var value = payload.path(each.field().name());
            boolean unticked = value.isBoolean() && !value.booleanValue();
            texts.put(each.field().name(), unticked ? "" : value.asString(""));
        }
        return texts;
    }
}
