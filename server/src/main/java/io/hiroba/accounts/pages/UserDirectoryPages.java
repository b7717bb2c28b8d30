package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The page that lists users. */
final class UserDirectoryPages implements Routes {

    private final Shell shell;
    private final UserDirectory people;

    UserDirectoryPages(Shell shell, UserDirectory people) {
        this.shell = shell;
        this.people = people;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/users", this::list);
    }

    private void list(Context ctx) {
        shell.page(
                ctx, Text.of("accounts.people"), "accounts/users", Map.of("people", people.page(ctx, Caller.of(ctx))));
    }
}
