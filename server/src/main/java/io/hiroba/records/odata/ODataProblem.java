package io.hiroba.records.odata;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** The problems of requests to the OData service. */
final class ODataProblem extends Problem {

    private static final long serialVersionUID = 1L;
    private static final int NOT_IMPLEMENTED = 501;

    private final int status;

    private ODataProblem(Kind kind, int status, String code, Text detail, List<FieldError> fields) {
        super(kind, "records." + code, detail, fields);
        this.status = status;
    }

    /** The status of the answer. OData asks for 501 where a part of it is not supported. */
    static int status(Problem problem) {
        return problem instanceof ODataProblem own ? own.status : problem.kind().status();
    }

    static ODataProblem invalid(String option, Text message) {
        return new ODataProblem(
                Kind.INVALID,
                Kind.INVALID.status(),
                "odata-invalid",
                Problem.ofField(option, message),
                List.of(new FieldError(option, message)));
    }

    static ODataProblem unsupported(String option, Text message) {
        return new ODataProblem(
                Kind.INVALID,
                NOT_IMPLEMENTED,
                "odata-unsupported",
                Problem.ofField(option, message),
                List.of(new FieldError(option, message)));
    }

    /** No entity set, property or path of this name. */
    static ODataProblem noResource(String name) {
        return new ODataProblem(
                Kind.NOT_FOUND,
                Kind.NOT_FOUND.status(),
                "no-resource",
                Text.of("records.problem.no-resource", "name", name),
                List.of());
    }
}
