package io.hiroba.records;

import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/**
 * A validated record before it is written.
 *
 * @param document its values by position
 * @param errors its errors by the names that the caller used; an empty name is the whole record
 */
public record RecordDraft(ArrayNode document, List<FieldError> errors) {

    public RecordDraft {
        errors = List.copyOf(errors);
    }

    public boolean isGood() {
        return errors.isEmpty();
    }
}
