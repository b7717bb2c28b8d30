package io.hiroba.records.data;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.RecordsProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One record of a request on its way to being written or refused. */
final class Item {

    /** As it is to be. */
    private final Row row;

    private @Nullable RecordsProblem problem;

    Item(Row row) {
        this.row = row;
    }

    Item(Row row, List<FieldError> errors) {
        this(row);
        if (!errors.isEmpty()) {
            refuse(RecordsProblem.invalid("The record cannot be like that.", errors));
        }
    }

    Row row() {
        return row;
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
