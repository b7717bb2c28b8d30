package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** Who is on the square. */
public final class PeoplePages implements Routes {

    private final Shell shell;
    private final People people;

    public PeoplePages(Shell shell, People people) {
        this.shell = shell;
        this.people = people;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/users", this::list);
    }

    private void list(Context ctx) {
        shell.page(ctx, "People", "accounts/users", Map.of("people", people.page(ctx, Caller.of(ctx))));
    }
}
