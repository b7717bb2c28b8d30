package io.hiroba.saga.pages;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaProblem;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads JSON from a field of a form. */
final class JsonField {

    private static final Pattern PLACE = Pattern.compile("\\((line \\d+, column \\d+)\\)");

    private JsonField() {}

    /** Reads it as strictly as the API does; what is empty is an empty object. */
    static JsonNode read(String field, String text) {
        if (text.isBlank()) {
            return Json.mapper().createObjectNode();
        }
        try {
            return Json.read(text, JsonNode.class);
        } catch (Problem refusal) {
            var place = PLACE.matcher(refusal.detail().toString());
            throw SagaProblem.invalid(field, place.find() ? "must be JSON: look at " + place.group(1) : "must be JSON");
        }
    }
}
