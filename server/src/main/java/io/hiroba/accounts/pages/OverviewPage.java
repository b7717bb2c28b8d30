package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Map;

/** Somebody's account at a glance: who they are, their tokens, and how programs come in. */
public final class OverviewPage implements Routes {

    private static final int TOKENS = 3;

    private final Shell shell;
    private final Users users;
    private final Readers readers;
    private final People people;
    private final Tokens tokens;
    private final InstantSource clock;
    private final String publicUrl;

    /** @param publicUrl the address people type, or empty to tell it from the request */
    public OverviewPage(
            Shell shell,
            Users users,
            Readers readers,
            People people,
            Tokens tokens,
            InstantSource clock,
            String publicUrl) {
        this.shell = shell;
        this.users = users;
        this.readers = readers;
        this.people = people;
        this.tokens = tokens;
        this.clock = clock;
        this.publicUrl = publicUrl;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings", this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var profile = users.profile(caller.user());
        var when = new ReaderClock(clock.instant(), readers.zone(ctx));
        var view = new OverviewView(
                people.view(ctx, caller, profile.user()),
                !profile.introduction().isBlank(),
                TokenPages.views(tokens, caller, TOKENS, when),
                publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl);
        shell.page(ctx, "Settings", "accounts/overview", Map.of("overview", view));
    }
}
