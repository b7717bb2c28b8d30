package io.hiroba.platform.web;

import io.hiroba.platform.http.ErrorPage;
import io.hiroba.platform.http.ProblemAnswer;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders errors as pages; a reader who must sign in is redirected to do so, and comes back. */
public final class ErrorPages implements ErrorPage {

    private static final Logger log = LoggerFactory.getLogger(ErrorPages.class);
    private static final int UNAUTHENTICATED = 401;

    /** From here on something of ours is broken, perhaps the very database that knows who is reading. */
    private static final int OURS = 500;

    private final Shell shell;

    public ErrorPages(Shell shell) {
        this.shell = shell;
    }

    @Override
    public void render(Context ctx, ProblemAnswer problem) {
        if (problem.status() == UNAUTHENTICATED && ctx.method().equals(HandlerType.GET)) {
            sendToLogIn(ctx);
            return;
        }
        Map<String, Object> parameters = Map.of(
                "status", problem.status(),
                "title", problem.title(),
                "detail", problem.detail(),
                "requestId", problem.requestId());
        if (problem.status() >= OURS || !isShownInShell(ctx, problem.title(), parameters)) {
            shell.pageForAnybody(ctx, problem.title(), "error", parameters);
        }
    }

    private boolean isShownInShell(Context ctx, String title, Map<String, Object> parameters) {
        try {
            shell.page(ctx, title, "error", parameters);
            return true;
        } catch (RuntimeException e) {
            log.warn("an error is shown without its reader", e);
            return false;
        }
    }

    private void sendToLogIn(Context ctx) {
        if (HtmxRequest.isAskedFor(ctx)) {
            // A script would follow a redirect and look for its piece in the page to log in.
            ctx.header("HX-Redirect", logIn(HtmxRequest.page(ctx)));
        } else {
            shell.seeOther(ctx, logIn(LocalPath.of(ctx)));
        }
    }

    private static String logIn(String next) {
        return "/login?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
    }
}
