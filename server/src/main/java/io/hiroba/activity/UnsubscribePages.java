package io.hiroba.activity;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/**
 * The page behind the unsubscribe link of digests, which needs no session. Mail programs send the POST themselves (RFC 8058),
 * from any site; a GET, as link scanners send, changes nothing.
 */
final class UnsubscribePages implements Routes {

    static final String PATH = "/unsubscribe/";

    private final Shell shell;
    private final Digests digests;

    UnsubscribePages(Shell shell, Digests digests) {
        this.shell = shell;
        this.digests = digests;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH + "{token}", this::confirm);
        routes.post(PATH + "{token}", this::unsubscribe);
    }

    private void confirm(Context ctx) {
        var token = ctx.pathParam("token");
        if (digests.subscriber(token).isEmpty()) {
            throw ActivityProblem.noSuchSubscription();
        }
        shell.page(ctx, Text.of("activity.unsubscribe.title"), "activity/unsubscribe", Map.of("token", token));
    }

    private void unsubscribe(Context ctx) {
        var user = digests.subscriber(ctx.pathParam("token")).orElseThrow(ActivityProblem::noSuchSubscription);
        digests.unsubscribe(user);
        shell.page(ctx, Text.of("activity.unsubscribe.done"), "activity/unsubscribed");
    }
}
