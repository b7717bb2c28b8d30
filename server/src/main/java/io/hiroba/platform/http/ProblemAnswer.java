package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.util.List;

/** An error as RFC 9457 writes it, with our stable code, the request's id and the fields that are at fault. */
public record ProblemAnswer(
        String type, String title, int status, String detail, String code, String requestId, List<FieldFault> errors) {

    static final String CONTENT_TYPE = "application/problem+json";

    static ProblemAnswer of(Problem problem, String requestId, Language language) {
        return new ProblemAnswer(
                typeOf(problem.code()),
                problem.kind().title().in(language),
                problem.kind().status(),
                problem.detail().in(language),
                problem.code(),
                requestId,
                FieldFault.of(problem.fields(), language));
    }

    /** One field of the request and what is wrong with it, in the language of the answer. */
    public record FieldFault(String field, String message) {

        public static List<FieldFault> of(List<Problem.FieldError> errors, Language language) {
            return errors.stream()
                    .map(error -> new FieldFault(error.field(), error.message().in(language)))
                    .toList();
        }
    }

    /** A name, not an address: nothing has to be reachable for a program to match it. */
    static String typeOf(String code) {
        return "urn:hiroba:problem:" + code;
    }

    void write(Context ctx) {
        ctx.contentType(CONTENT_TYPE).result(Json.bytes(this));
    }
}
