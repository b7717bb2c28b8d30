package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record of a request that is to be written, and the problem if it is refused. */
final class RecordWrite {

    /** The document after the write. */
    private final RecordRow row;

    /** The stored record; null if it does not exist. */
    private final @Nullable RecordRow before;

    private @Nullable RecordsProblem problem;

    RecordWrite(RecordRow row) {
        this(row, null, List.of());
    }

    RecordWrite(RecordRow row, @Nullable RecordRow before, List<FieldError> errors) {
        this.row = row;
        this.before = before;
        if (!errors.isEmpty()) {
            refuse(RecordsProblem.invalid(Text.of("records.problem.record-invalid"), errors));
        }
    }

    RecordRow row() {
        return row;
    }

    /** Whether the write changes {@code attribute}. */
    boolean changes(SchemaAttribute attribute) {
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

    WriteResult outcome() {
        return problem == null ? new WriteResult.Written(row) : new WriteResult.Refused(problem);
    }
}
