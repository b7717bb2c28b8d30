package io.hiroba.platform.web;

import io.javalin.http.Context;

/** Tells who is shown the places of the navigation that are neither for everyone nor for admins alone. */
@FunctionalInterface
public interface Invitations {

    Invitations NONE = (ctx, item) -> false;

    boolean includes(Context ctx, NavItem item);
}
