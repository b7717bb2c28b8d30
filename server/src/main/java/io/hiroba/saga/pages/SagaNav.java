package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.web.Invitations;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.saga.Role;
import io.hiroba.saga.Roles;
import io.javalin.http.Context;
import java.util.List;

/** What sagas add to the navigation, for those who have a role in them. */
public final class SagaNav implements Invitations {

    static final String SAGAS = "/sagas";

    public static final List<NavItem> ITEMS = List.of(new NavItem("Sagas", SAGAS, "flow", 200, Audience.INVITED));

    private final Roles roles;

    public SagaNav(Roles roles) {
        this.roles = roles;
    }

    @Override
    public boolean includes(Context ctx, NavItem item) {
        return item.path().equals(SAGAS)
                && Caller.find(ctx)
                        .map(caller -> roles.lately(caller) != Role.NONE)
                        .orElse(false);
    }
}
