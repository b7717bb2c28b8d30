package io.hiroba.saga.pages;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaProblem;
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
}
