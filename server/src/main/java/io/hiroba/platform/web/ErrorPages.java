package io.hiroba.platform.web;

import io.hiroba.platform.http.ErrorPage;
import io.hiroba.platform.http.ProblemAnswer;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders errors as pages; a reader who has to sign in is redirected to the login page and back. */
public final class ErrorPages implements ErrorPage {

    private static final Logger log = LoggerFactory.getLogger(ErrorPages.class);
    private static final int UNAUTHENTICATED = 401;
    private static final Set<HandlerType> READING = Set.of(HandlerType.GET, HandlerType.HEAD);

    /** From here on the server failed, perhaps the very database that identifies the reader. */
    private static final int SERVER_ERROR = 500;

    private final Shell shell;

    public ErrorPages(Shell shell) {
        this.shell = shell;
    }

    @Override
    public void render(Context ctx, ProblemAnswer problem) {
        if (problem.status() == UNAUTHENTICATED && READING.contains(ctx.method())) {
            redirectToLogIn(ctx);
            return;
        }
        Map<String, Object> parameters = Map.of(
                "status", problem.status(),
                "title", problem.title(),
                "detail", problem.detail(),
                "requestId", problem.requestId());
        if (problem.status() >= SERVER_ERROR || !isShownInShell(ctx, problem.title(), parameters)) {
            shell.pageForAnonymous(ctx, problem.title(), "error", parameters);
        }
    }

    private boolean isShownInShell(Context ctx, String title, Map<String, Object> parameters) {
        try {
            shell.page(ctx, title, "error", parameters);
            return true;
        } catch (RuntimeException e) {
            log.warn("an error page is shown without its viewer", e);
            return false;
        }
    }

    private void redirectToLogIn(Context ctx) {
        if (HtmxRequest.isFragment(ctx)) {
            // htmx would follow a redirect and look for its fragment in the login page.
            ctx.header("HX-Redirect", logIn(HtmxRequest.page(ctx)));
        } else {
            shell.seeOther(ctx, logIn(LocalPath.of(ctx)));
        }
    }

    private static String logIn(String next) {
        return "/login?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
    }
}
