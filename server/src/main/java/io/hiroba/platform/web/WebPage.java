package io.hiroba.platform.web;

import gg.jte.Content;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The context of a page: everything that the layout shows around its content, and the texts in the reader's language.
 *
 * @param scope the styles of the page and of the fragments embedded in it
 * @param path the page's own path, so that the navigation can mark it
 * @param address the path with the query, so that a form can come back to it
 * @param badges by the path of an item of {@code nav}
 * @param notice what the last action did, to be shown once
 */
public record WebPage(
        Scope scope,
        Reader reader,
        String title,
        String path,
        String address,
        @Nullable Viewer viewer,
        List<NavItem> nav,
        Map<String, Badge> badges,
        Theme theme,
        @Nullable String notice,
        AssetUrls assets) {

    public WebPage {
        nav = List.copyOf(nav);
        badges = Map.copyOf(badges);
    }

    /** For a fragment that is swapped into an open page, which has its styles already. */
    public WebPage(
            Reader reader,
            String title,
            String path,
            @Nullable Viewer viewer,
            List<NavItem> nav,
            Map<String, Badge> badges,
            Theme theme,
            @Nullable String notice,
            AssetUrls assets) {
        this(Scope.NONE, reader, title, path, path, viewer, nav, badges, theme, notice, assets);
    }

    /** The message {@code key} with arguments, each a name and a value. */
    public String text(String key, Object... arguments) {
        return reader.text(key, arguments);
    }

    public String text(Text text) {
        return reader.text(text);
    }

    /** As {@link #text(Text)}, with what stands between backticks as code. */
    public Content marked(Text text) {
        return RichText.marked(reader.text(text));
    }

    /** What is wrong with a field, as a sentence of its own. */
    public String sentence(Text message) {
        return reader.sentence(message);
    }

    /** As {@link #text(String, Object...)}, for a message with markup: a value may be content. */
    public Content rich(String key, Object... arguments) {
        return RichText.of(reader, key, arguments);
    }

    /** The time zone that the page takes the browser to be in; none where the reader chose one. */
    public @Nullable String browserZone() {
        return viewer != null && viewer.choseZone() ? null : reader.zone().getId();
    }

    public Language language() {
        return reader.language();
    }

    /** The class of the element below which the styles of the page's feature apply; empty for none. */
    public String scopeClass() {
        return scope.cssClass();
    }

    /** The addresses of the stylesheets that the page needs, in order. */
    public List<String> stylesheets() {
        return Stream.concat(Stream.of("app"), scope.features().stream())
                .map(name -> asset(name + ".css"))
                .toList();
    }

    public String asset(String name) {
        return assets.url(name);
    }

    public boolean isSignedIn() {
        return viewer != null;
    }

    public List<NavItem> mainNav() {
        return nav.stream()
                .filter(item -> !item.isForAdmins() && !isUnderAnother(item))
                .toList();
    }

    /** The items below {@code path}, which the pages of that path link to. */
    public List<NavItem> navUnder(String path) {
        return nav.stream().filter(item -> item.path().startsWith(path + "/")).toList();
    }

    /** Whether the navigation leads to {@code path}, so that a page may link to it. */
    public boolean leadsTo(String path) {
        return nav.stream().anyMatch(item -> item.path().equals(path));
    }

    /** The items with a badge, which narrow screens show beside the menu. */
    public List<NavItem> badged() {
        return nav.stream().filter(item -> badges.containsKey(item.path())).toList();
    }

    public @Nullable Badge badge(NavItem item) {
        return badges.get(item.path());
    }

    private boolean isUnderAnother(NavItem item) {
        for (var other : nav) {
            if (other.covers(item.path()) && !other.equals(item)) {
                return true;
            }
        }
        return false;
    }

    public List<NavItem> adminNav() {
        return nav.stream().filter(NavItem::isForAdmins).toList();
    }

    /** The value of {@code aria-current} of a link to an item; a page of the admin area belongs to no other item. */
    public @Nullable String current(NavItem item) {
        return item.covers(path) && (item.isForAdmins() || !isForAdmins()) ? "page" : null;
    }

    private boolean isForAdmins() {
        return nav.stream().anyMatch(item -> item.isForAdmins() && item.covers(path));
    }

    /** The value of {@code aria-current} of a link to a path that has its own pages under it. */
    public @Nullable String current(String link) {
        return path.equals(link) || path.startsWith(link + "/") ? "page" : null;
    }
}
