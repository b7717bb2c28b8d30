package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** Who is on the square. */
public final class PeoplePages implements Routes {

    private final Shell shell;
    private final Users users;
    private final People people;

    public PeoplePages(Shell shell, Users users, People people) {
        this.shell = shell;
        this.users = users;
        this.people = people;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/users", this::list);
        routes.get("/users/{id}", this::profile);
    }

    private void list(Context ctx) {
        shell.page(ctx, "People", "accounts/users", Map.of("people", people.page(ctx, Caller.of(ctx))));
    }

    private void profile(Context ctx) {
        var caller = Caller.of(ctx);
        var id = UserId.parse(ctx.pathParam("id"));
        var profile = users.profile(id);
        boolean own = caller.user().equals(id);
        var view = new ProfileView(
                people.view(ctx, caller, profile.user()),
                SafeHtml.ofMarkdown(profile.introduction()),
                profile.user().aiModel(),
                caller.mayChange(id) ? profile.aiPersonality() : null,
                own,
                caller.admin() && !own && caller.session().isPresent());
        shell.page(ctx, profile.user().nickname().value(), "accounts/user", Map.of("profile", view));
    }
}
