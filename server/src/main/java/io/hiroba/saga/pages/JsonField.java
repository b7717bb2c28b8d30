package io.hiroba.saga.pages;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.workflow.PayloadSchema;
import tools.jackson.databind.JsonNode;

/** Reads JSON from a field of a form. */
final class JsonField {

    private JsonField() {}

    /** Reads it as strictly as the API does; what is empty is an empty object. */
    static JsonNode read(String field, String text) {
        if (text.isBlank()) {
            return Json.mapper().createObjectNode();
        }
        try {
            return Json.read(text, JsonNode.class);
        } catch (Problem refusal) {
            var line = refusal.detail().arguments().get("line");
            var column = refusal.detail().arguments().get("column");
            throw SagaProblem.invalid(
                    field,
                    line == null || column == null
                            ? Text.of("saga.field.json")
                            : Text.of("saga.field.json-at", "line", line, "column", column));
        }
    }

    /** As {@link Form#refused}, where the payload is JSON in one field: the faults of its own fields are there, with their names. */
    static Form refused(Form form, String field, Problem refusal) {
        var faults = refusal.fields().stream()
                .filter(fault -> fault.field().startsWith(PayloadSchema.PREFIX))
                .map(fault -> Text.of("saga.field.named", "field", fault.field(), "message", fault.message()))
                .toList();
        return faults.isEmpty()
                ? form.refused(refusal)
                : form.withError(
                        field,
                        faults.size() == 1 ? faults.getFirst() : Text.of("saga.field.several", "faults", faults));
    }
}
