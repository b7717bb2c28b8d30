package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Tokens;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.TokenPages.TokenView;
import io.hiroba.accounts.pages.UserDirectory.PersonView;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** The overview page of the settings: profile, tokens and first steps with the API. */
public final class SettingsOverviewPages implements Routes {

    private static final int MAX_TOKENS = 3;

    private final Shell shell;
    private final Users users;
    private final Readers readers;
    private final UserDirectory people;
    private final Tokens tokens;
    private final String publicUrl;

    /** @param publicUrl the public address; empty to take it from the request */
    SettingsOverviewPages(
            Shell shell, Users users, Readers readers, UserDirectory people, Tokens tokens, String publicUrl) {
        this.shell = shell;
        this.users = users;
        this.readers = readers;
        this.people = people;
        this.tokens = tokens;
        this.publicUrl = publicUrl;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings", this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var profile = users.profile(caller.user());
        var reader = readers.reader(ctx);
        var view = new OverviewView(
                people.view(ctx, caller, profile.user()),
                !profile.introduction().isBlank(),
                TokenPages.views(tokens, caller, MAX_TOKENS, reader),
                publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl);
        shell.page(ctx, Text.of("accounts.settings"), "accounts/overview", Map.of("overview", view));
    }

    /** The view of the overview. */
    public record OverviewView(PersonView self, boolean hasIntroduction, List<TokenView> tokens, String baseUrl) {

        public OverviewView {
            tokens = List.copyOf(tokens);
        }
    }
}
