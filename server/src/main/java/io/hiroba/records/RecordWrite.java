package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record of a request that is to be written, and the problem if it is refused. */
final class RecordWrite {

    /** The document after the write. */
    private final RecordRow row;

    /** The stored record; null if it does not exist. */
    private final @Nullable RecordRow before;

    private @Nullable RecordsProblem problem;
    private boolean restored;

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

    /** A deleted record that is written again as it was: those whom it names need not be members any more. */
    static RecordWrite restored(RecordRow row, List<FieldError> errors) {
        var write = new RecordWrite(row, null, errors);
        write.restored = true;
        return write;
    }

    boolean isRestored() {
        return restored;
    }

    RecordRow row() {
        return row;
    }

    /** The texts of {@code attribute} after the write that were not there before: one, or those of a list. */
    List<String> added(SchemaAttribute attribute) {
        var texts = texts(row, attribute);
        if (before != null) {
            texts.removeAll(texts(before, attribute));
        }
        return texts;
    }

    private static List<String> texts(RecordRow row, SchemaAttribute attribute) {
        var texts = new ArrayList<String>();
        var value = Documents.value(row.document(), attribute);
        if (value.isString()) {
            texts.add(value.stringValue());
        } else if (value.isArray()) {
            value.forEach(each -> texts.add(each.asString("")));
        }
        return texts;
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
