package io.hiroba.platform.web;

import io.hiroba.platform.http.ErrorPage;
import io.hiroba.platform.http.ProblemAnswer;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Shows errors to people; somebody who must sign in first is sent to do so, and comes back. */
public final class ErrorPages implements ErrorPage {

    private static final int UNAUTHENTICATED = 401;

    private final Shell shell;

    public ErrorPages(Shell shell) {
        this.shell = shell;
    }

    @Override
    public void render(Context ctx, ProblemAnswer problem) {
        if (problem.status() == UNAUTHENTICATED && ctx.method().equals(HandlerType.GET)) {
            shell.seeOther(ctx, "/login?next=" + URLEncoder.encode(here(ctx), StandardCharsets.UTF_8));
            return;
        }
        shell.page(
                ctx,
                problem.title(),
                "error",
                Map.of(
                        "status", problem.status(),
                        "title", problem.title(),
                        "detail", problem.detail(),
                        "requestId", problem.requestId()));
    }

    private static String here(Context ctx) {
        var query = ctx.queryString();
        return query == null ? ctx.path() : ctx.path() + "?" + query;
    }
}
