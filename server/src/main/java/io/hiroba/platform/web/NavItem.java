package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the navigation.
 *
 * @param icon the name of a symbol in {@code icons.svg}
 * @param order items are shown by it, lowest first; leave room between
 * @param visibility which requests of its audience show it
 * @param sections paths elsewhere whose pages belong to it
 */
public record NavItem(
        Text label,
        String path,
        String icon,
        int order,
        Audience audience,
        Predicate<Context> visibility,
        List<String> sections) {

    public NavItem {
        sections = List.copyOf(sections);
    }

    /** An entry that its whole audience is shown. */
    public NavItem(Text label, String path, String icon, int order, Audience audience) {
        this(label, path, icon, order, audience, ctx -> true, List.of());
    }

    /** The viewers who are shown an item. It only hides what is of no use to others: the facades check permissions. */
    public enum Audience {
        EVERYONE,
        SIGNED_OUT,
        SIGNED_IN,
        ADMIN;

        boolean includes(@Nullable Viewer viewer) {
            return switch (this) {
                case EVERYONE -> true;
                case SIGNED_OUT -> viewer == null;
                case SIGNED_IN -> viewer != null;
                case ADMIN -> viewer != null && viewer.isAdmin();
            };
        }
    }

    /** The same entry, shown only in requests that {@code condition} accepts. */
    public NavItem visibleIf(Predicate<Context> condition) {
        return new NavItem(label, path, icon, order, audience, condition, sections);
    }

    /** The same entry, marked on the pages at and under {@code paths} too. */
    public NavItem covering(String... paths) {
        return new NavItem(label, path, icon, order, audience, visibility, List.of(paths));
    }

    boolean isVisible(Context ctx, @Nullable Viewer viewer) {
        return audience.includes(viewer) && visibility.test(ctx);
    }

    public boolean isForAdmins() {
        return audience == Audience.ADMIN;
    }

    /** Whether a page lies at or under its path, or one of its sections. */
    public boolean covers(String page) {
        if (isAtOrUnder(page, path)) {
            return true;
        }
        for (var section : sections) {
            if (isAtOrUnder(page, section)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAtOrUnder(String page, String path) {
        return page.startsWith(path) && (page.length() == path.length() || page.charAt(path.length()) == '/');
    }
}
