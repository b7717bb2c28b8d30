package io.hiroba.platform.http;

import io.javalin.http.Context;

/** Shows an error to a person in a browser; the status is set already. */
@FunctionalInterface
public interface ErrorPage {

    ErrorPage PROBLEM_JSON = (ctx, problem) -> problem.write(ctx);

    void render(Context ctx, ProblemAnswer problem);
}
