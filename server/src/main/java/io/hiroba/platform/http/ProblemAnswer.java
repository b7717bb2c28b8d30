package io.hiroba.platform.http;

import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.util.List;

/** An error as RFC 9457 writes it, with our stable code, the request's id and the fields that are at fault. */
public record ProblemAnswer(
        String type,
        String title,
        int status,
        String detail,
        String code,
        String requestId,
        List<Problem.FieldError> errors) {

    static final String CONTENT_TYPE = "application/problem+json";

    static ProblemAnswer of(Problem problem, String requestId) {
        return new ProblemAnswer(
                typeOf(problem.code()),
                problem.kind().title(),
                problem.kind().status(),
                problem.detail(),
                problem.code(),
                requestId,
                problem.fields());
    }

    /** A name, not an address: nothing has to be reachable for a program to match it. */
    static String typeOf(String code) {
        return "urn:hiroba:problem:" + code;
    }

    void write(Context ctx) {
        ctx.contentType(CONTENT_TYPE).result(Json.bytes(this));
    }
}
