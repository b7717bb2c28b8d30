package io.hiroba.activity.digest;

import io.hiroba.activity.ActivityProblem;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/**
 * The end of digests by a link in each of them, for whoever has the link: nobody has to sign in. Mail programs send the
 * POST themselves (RFC 8058), from anywhere. What scanners fetch changes nothing.
 */
public final class UnsubscribePages implements Routes {

    /** Under it, the address says what may be done. */
    public static final String PATH = "/unsubscribe/";

    private final Shell shell;
    private final Digests digests;

    public UnsubscribePages(Shell shell, Digests digests) {
        this.shell = shell;
        this.digests = digests;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH + "{token}", this::ask);
        routes.post(PATH + "{token}", this::end);
    }

    private void ask(Context ctx) {
        var token = ctx.pathParam("token");
        if (digests.subscriber(token).isEmpty()) {
            throw ActivityProblem.noSuchSubscription();
        }
        shell.page(ctx, "No more digests?", "activity/unsubscribe", Map.of("token", token));
    }

    private void end(Context ctx) {
        var user = digests.subscriber(ctx.pathParam("token")).orElseThrow(ActivityProblem::noSuchSubscription);
        digests.unsubscribe(user);
        shell.page(ctx, "No more digests", "activity/unsubscribed");
    }
}
