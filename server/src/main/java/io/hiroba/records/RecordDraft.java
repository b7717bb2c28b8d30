package io.hiroba.records;

import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/**
 * A validated record before it is written.
 *
 * @param document its values by their attributes' places
 * @param errors what is wrong with it, by the names that the caller wrote; an empty name is the record as a whole
 */
public record RecordDraft(ArrayNode document, List<FieldError> errors) {

    public RecordDraft {
        errors = List.copyOf(errors);
    }

    public boolean isGood() {
        return errors.isEmpty();
    }
}
