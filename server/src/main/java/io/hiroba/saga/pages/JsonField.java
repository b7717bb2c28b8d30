package io.hiroba.saga.pages;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaProblem;
import tools.jackson.databind.JsonNode;

/** JSON that somebody typed into a form. */
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
            throw SagaProblem.invalid(field, "must be JSON: " + refusal.detail());
        }
    }
}
