package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.web.SafeHtml;
import io.javalin.http.Context;

/** Builds the views of profiles for a reader. */
public final class Profiles {

    private final Users users;
    private final UserDirectory people;

    public Profiles(Users users, UserDirectory people) {
        this.users = users;
        this.people = people;
    }

    public ProfileView view(Context ctx, Caller caller, UserId id) {
        var profile = users.profile(id);
        boolean own = caller.user().equals(id);
        return new ProfileView(
                people.view(ctx, caller, profile.user()),
                SafeHtml.ofMarkdown(profile.introduction()),
                profile.user().aiModel(),
                caller.mayChange(id) ? profile.aiPersonality() : null,
                own,
                caller.admin() && !own && caller.session().isPresent());
    }
}
