package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Profile;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Map;

/** The first page: a welcome to strangers, an overview to those who are signed in. */
public final class HomePage implements Routes {

    private static final int TOKENS = 3;
    private static final int PEOPLE = 5;

    private final Shell shell;
    private final Readers readers;
    private final People people;
    private final Tokens tokens;
    private final InstantSource clock;
    private final String publicUrl;

    /** @param publicUrl the address people type, or empty to tell it from the request */
    public HomePage(Shell shell, Readers readers, People people, Tokens tokens, InstantSource clock, String publicUrl) {
        this.shell = shell;
        this.readers = readers;
        this.people = people;
        this.tokens = tokens;
        this.clock = clock;
        this.publicUrl = publicUrl;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/", this::show);
    }

    private void show(Context ctx) {
        var profile = readers.profile(ctx);
        if (profile.isEmpty()) {
            shell.page(ctx, "Welcome", "accounts/welcome");
            return;
        }
        shell.page(ctx, "Home", "accounts/home", Map.of("home", overview(ctx, Caller.of(ctx), profile.get())));
    }

    private HomeView overview(Context ctx, Caller caller, Profile profile) {
        var when = new When(clock.instant(), readers.zone(ctx));
        return new HomeView(
                people.view(ctx, caller, profile.user()),
                !profile.introduction().isBlank(),
                TokenPages.views(tokens, caller, TOKENS, when),
                people.first(ctx, caller, PEOPLE),
                publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl);
    }
}
