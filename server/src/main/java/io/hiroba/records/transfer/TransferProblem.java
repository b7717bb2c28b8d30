package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;
import java.util.stream.Collectors;

/** The problems of imports and exports. */
final class TransferProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private TransferProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "records." + code, detail, fields);
    }

    private TransferProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("records.problem." + code, arguments), List.of());
    }

    static TransferProblem invalid(String field, Text message) {
        return new TransferProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    /** Also for imports of other projects and members. */
    static TransferProblem noImport() {
        return new TransferProblem(Kind.NOT_FOUND, "no-import");
    }

    static TransferProblem wrongOffset(long received) {
        return new TransferProblem(Kind.CONFLICT, "wrong-offset", "received", Long.toString(received));
    }

    static TransferProblem tooLarge(long limit) {
        return new TransferProblem(Kind.TOO_LARGE, "import-too-large", "max", limit);
    }

    static TransferProblem incomplete(long received, long size) {
        return new TransferProblem(Kind.CONFLICT, "import-incomplete", "received", received, "size", size);
    }

    static TransferProblem empty() {
        return new TransferProblem(
                Kind.CONFLICT, "import-incomplete", Text.of("records.problem.import-empty"), List.of());
    }

    static TransferProblem notUploading(ImportState state) {
        return new TransferProblem(Kind.CONFLICT, "import-state", "state", state.label());
    }

    /** Says which imports to start or to cancel. */
    static TransferProblem tooMany(int most, List<Import> unfinished) {
        var named = unfinished.stream()
                .map(each -> (each.source().isEmpty() ? each.schema() : each.source()) + " ("
                        + each.id().hex() + ")")
                .collect(Collectors.joining(", "));
        return new TransferProblem(Kind.CONFLICT, "too-many-imports", "max", most, "imports", named);
    }

    static TransferProblem broken(MalformedFileException broken) {
        var error = broken.error();
        return new TransferProblem(
                Kind.UNPROCESSABLE, "broken-content", "line", Long.toString(error.line()), "message", error.message());
    }
}
