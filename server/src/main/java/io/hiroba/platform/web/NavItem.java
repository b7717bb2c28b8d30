package io.hiroba.platform.web;

import org.jspecify.annotations.Nullable;

/**
 * One place that the navigation leads to.
 *
 * @param icon the name of a symbol in {@code icons.svg}
 * @param order items are shown by it, lowest first; leave room between
 */
public record NavItem(String label, String path, String icon, int order, Audience audience) {

    /** Who is shown an item. It hides what is of no use; what is allowed, the facades decide. */
    public enum Audience {
        EVERYONE,
        SIGNED_IN,
        /** Those of whom {@link Invitations} says so. */
        INVITED,
        ADMIN;

        boolean includes(@Nullable Viewer viewer) {
            return switch (this) {
                case EVERYONE -> true;
                case SIGNED_IN, INVITED -> viewer != null;
                case ADMIN -> viewer != null && viewer.isAdmin();
            };
        }
    }

    public boolean isForAdmins() {
        return audience == Audience.ADMIN;
    }

    /** Whether a page lies at or under this place. */
    public boolean covers(String page) {
        return page.equals(path) || (!path.equals("/") && page.startsWith(path + "/"));
    }
}
