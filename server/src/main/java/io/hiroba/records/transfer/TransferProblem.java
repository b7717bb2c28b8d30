package io.hiroba.records.transfer;

import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;

/** The problems of imports and exports. */
final class TransferProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private TransferProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "records." + code, detail, fields);
    }

    private TransferProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    static TransferProblem invalid(String field, String message) {
        return new TransferProblem(
                Kind.INVALID, "invalid", "`%s` %s.".formatted(field, message), List.of(new FieldError(field, message)));
    }

    /** Also for imports of other projects and members. */
    static TransferProblem noImport() {
        return new TransferProblem(Kind.NOT_FOUND, "no-import", "There is no such import.");
    }

    static TransferProblem wrongOffset(long received) {
        return new TransferProblem(
                Kind.CONFLICT,
                "wrong-offset",
                "%d bytes of the file are here: go on with those after them, with `Upload-Offset: %d`."
                        .formatted(received, received));
    }

    static TransferProblem tooLarge(long limit) {
        return new TransferProblem(
                Kind.TOO_LARGE, "import-too-large", "The file is larger than %d bytes.".formatted(limit));
    }

    static TransferProblem incomplete(long received, long size) {
        return new TransferProblem(
                Kind.CONFLICT,
                "import-incomplete",
                "Only %d of %d bytes of the file are here.".formatted(received, size));
    }

    static TransferProblem empty() {
        return new TransferProblem(Kind.CONFLICT, "import-incomplete", "Nothing of the file is here yet.");
    }

    static TransferProblem notUploading(ImportState state) {
        return new TransferProblem(
                Kind.CONFLICT,
                "import-state",
                "The import is %s: its file cannot be changed any more.".formatted(state.label()));
    }

    static TransferProblem tooMany(int most) {
        return new TransferProblem(
                Kind.CONFLICT,
                "too-many-imports",
                "You have %d imports in this project that are not over: start or cancel one of them first."
                        .formatted(most));
    }

    static TransferProblem broken(MalformedFileException broken) {
        var error = broken.error();
        return new TransferProblem(
                Kind.UNPROCESSABLE, "broken-content", "Line %d %s.".formatted(error.line(), error.message()));
    }
}
