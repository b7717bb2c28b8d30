package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;

/** The problems of bulk edits. */
final class BulkEditProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private BulkEditProblem(Kind kind, String code, Object... arguments) {
        super(kind, "records." + code, Text.of("records.problem." + code, arguments));
    }

    /** Also for one of another member. */
    static BulkEditProblem none() {
        return new BulkEditProblem(Kind.NOT_FOUND, "no-bulk-edit");
    }

    static BulkEditProblem tooMany(int most) {
        return new BulkEditProblem(Kind.CONFLICT, "too-many-bulk-edits", "max", most);
    }

    /** There is no condition, and nobody said that all records are meant. */
    static BulkEditProblem allRecords() {
        return new BulkEditProblem(Kind.INVALID, "bulk-edit-of-all");
    }

    static BulkEditProblem otherCount(long count) {
        return new BulkEditProblem(Kind.CONFLICT, "bulk-edit-count", "count", count);
    }

    /** It is still under way, was undone, ended too long ago, or wrote nothing. */
    static BulkEditProblem notUndoable() {
        return new BulkEditProblem(Kind.CONFLICT, "bulk-edit-not-undoable");
    }
}
