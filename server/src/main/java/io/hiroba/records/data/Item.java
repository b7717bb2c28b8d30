package io.hiroba.records.data;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Attribute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One record of a request on its way to being written or refused. */
final class Item {

    /** As it is to be. */
    private final Row row;

    /** As it is; none if it is not there. */
    private final @Nullable Row before;

    private @Nullable RecordsProblem problem;

    Item(Row row) {
        this(row, null, List.of());
    }

    Item(Row row, @Nullable Row before, List<FieldError> errors) {
        this.row = row;
        this.before = before;
        if (!errors.isEmpty()) {
            refuse(RecordsProblem.invalid("The record cannot be like that.", errors));
        }
    }

    Row row() {
        return row;
    }

    /** Whether the value of {@code attribute} is to be another. */
    boolean changes(Attribute attribute) {
        return before == null
                || !Documents.value(before.document(), attribute).equals(Documents.value(row.document(), attribute));
    }

    boolean isGood() {
        return problem == null;
    }

    void refuse(RecordsProblem reason) {
        if (problem == null) {
            problem = reason;
        }
    }

    Outcome outcome() {
        return problem == null ? new Outcome.Written(row) : new Outcome.Refused(problem);
    }
}
