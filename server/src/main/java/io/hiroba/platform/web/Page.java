package io.hiroba.platform.web;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the layout shows around a page's content.
 *
 * @param path the page's own path, so that the navigation can mark it and a form can come back to it
 * @param notice what the last action did, to be shown once
 */
public record Page(
        String title,
        String path,
        @Nullable Viewer viewer,
        List<NavItem> nav,
        Theme theme,
        @Nullable String notice,
        AssetUrls assets) {

    public Page {
        nav = List.copyOf(nav);
    }

    public String asset(String name) {
        return assets.url(name);
    }

    public boolean isSignedIn() {
        return viewer != null;
    }

    public List<NavItem> mainNav() {
        return nav.stream().filter(item -> !item.isForAdmins()).toList();
    }

    public List<NavItem> adminNav() {
        return nav.stream().filter(NavItem::isForAdmins).toList();
    }

    /** The value of {@code aria-current} of a link to an item. */
    public @Nullable String current(NavItem item) {
        return item.covers(path) ? "page" : null;
    }

    /** The value of {@code aria-current} of a link to a path that has its own pages under it. */
    public @Nullable String current(String link) {
        return path.equals(link) || path.startsWith(link + "/") ? "page" : null;
    }
}
