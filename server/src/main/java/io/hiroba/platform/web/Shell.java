package io.hiroba.platform.web;

import gg.jte.Content;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Renders pages inside the layout, and redirects. */
public final class Shell {

    /** The request attribute with the features of the fragments embedded in its page. */
    private static final String EMBEDDED = "hiroba.embedded-features";

    private final Templates templates;
    private final AssetUrls assets;
    private final Viewers viewers;
    private final List<NavItem> nav;
    private final Badges badges;
    private final Cookies cookies;

    /** @param secure whether the server is reached through TLS, so that cookies require it */
    public Shell(
            Templates templates, AssetUrls assets, Viewers viewers, List<NavItem> nav, Badges badges, boolean secure) {
        this.templates = templates;
        this.assets = assets;
        this.viewers = viewers;
        this.nav = nav.stream().sorted(Comparator.comparingInt(NavItem::order)).toList();
        this.badges = badges;
        this.cookies = new Cookies(secure);
    }

    /** Renders a page whose template takes {@code page} and {@code parameters}. */
    public void page(Context ctx, String title, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        all.put(
                "page",
                context(
                        ctx,
                        viewers.reader(ctx),
                        title,
                        template,
                        viewers.of(ctx).orElse(null)));
        templates.write(ctx, template, all);
    }

    /** As above, with a title in the reader's language. */
    public void page(Context ctx, Text title, String template, Map<String, ?> parameters) {
        page(ctx, text(ctx, title), template, parameters);
    }

    public void page(Context ctx, Text title, String template) {
        page(ctx, title, template, Map.of());
    }

    /** A text in the reader's language. */
    public String text(Context ctx, Text text) {
        return viewers.reader(ctx).text(text);
    }

    /** The reader's language. */
    public Language language(Context ctx) {
        return viewers.reader(ctx).language();
    }

    /**
     * Renders a fragment to embed in a page of another feature, which then loads the fragment's stylesheet too. Its template
     * takes {@code page} and {@code parameters} as well.
     */
    public Content embed(Context ctx, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        var scope = Scope.of(template, List.of());
        all.put("page", fragmentContext(ctx, scope));
        var html = templates.render(template, all);
        ctx.attribute(
                EMBEDDED,
                Stream.concat(embeddedFeatures(ctx).stream(), scope.features().stream())
                        .distinct()
                        .toList());
        return output -> {
            output.writeContent("<div class=\"fragment " + scope.cssClass() + "\">");
            output.writeBinaryContent(html);
            output.writeContent("</div>");
        };
    }

    private static List<String> embeddedFeatures(Context ctx) {
        List<String> features = ctx.attribute(EMBEDDED);
        return features == null ? List.of() : features;
    }

    /** As {@link #page}, for an anonymous reader; needs no database. */
    void pageForAnonymous(Context ctx, String title, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        all.put("page", context(ctx, anonymous(ctx), title, template, null));
        templates.write(ctx, template, all);
    }

    /** Sets the status with which a refused form is shown again: 422 for invalid input. */
    public void refused(Context ctx, Problem refusal) {
        var invalid = refusal.kind() == Problem.Kind.INVALID;
        ctx.status(
                invalid
                        ? HttpStatus.UNPROCESSABLE_CONTENT.getCode()
                        : refusal.kind().status());
    }

    /**
     * As {@link #refused(Context, Problem)}, for a form that is sent to another address than that of its page: the
     * browser stays at {@code page}, where reloading shows it again.
     */
    public void refused(Context ctx, Problem refusal, String page) {
        refused(ctx, refusal);
        ctx.header("HX-Replace-Url", page);
    }

    /** As {@link #refused(Context, Problem)}, for a problem that the form shows; throws one that has a page of its own. */
    public void refusedForm(Context ctx, Problem refusal) {
        if (!Form.canShow(refusal)) {
            throw refusal;
        }
        refused(ctx, refusal);
    }

    /** As above, for a form that is sent to another address than that of its page, {@code page}. */
    public void refusedForm(Context ctx, Problem refusal, String page) {
        refusedForm(ctx, refusal);
        refused(ctx, refusal, page);
    }

    /** Renders a fragment of a page, for htmx to swap in; its template may take {@code page}. */
    public void fragment(Context ctx, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        all.putIfAbsent("page", fragmentContext(ctx, Scope.NONE));
        templates.write(ctx, template, all);
    }

    private WebPage fragmentContext(Context ctx, Scope scope) {
        return new WebPage(
                scope,
                viewers.reader(ctx),
                "",
                ctx.path(),
                LocalPath.orElse(LocalPath.of(ctx), ctx.path()),
                viewers.of(ctx).orElse(null),
                List.of(),
                Map.of(),
                cookies.theme(ctx),
                null,
                assets);
    }

    /** The reader as the browser describes them, for pages that must not need the database. */
    private static Reader anonymous(Context ctx) {
        return new Reader(
                BrowserSettings.language(ctx), BrowserSettings.zone(ctx).orElse(ZoneOffset.UTC), Instant.now());
    }

    /** Renders a fragment as text, to push it to an open page. */
    public String html(String template, Map<String, ?> parameters) {
        return new String(templates.render(template, parameters), StandardCharsets.UTF_8);
    }

    /** Redirects after a change, so that reloading does not repeat it. */
    public void seeOther(Context ctx, String path) {
        ctx.redirect(LocalPath.orElse(path, "/"), HttpStatus.SEE_OTHER);
    }

    /** Redirects, and shows {@code notice} on the next page. */
    public void seeOther(Context ctx, String path, String notice) {
        cookies.saveNotice(ctx, notice);
        seeOther(ctx, path);
    }

    /** As above, in the reader's language. */
    public void seeOther(Context ctx, String path, Text notice) {
        seeOther(ctx, path, text(ctx, notice));
    }

    private WebPage context(Context ctx, Reader reader, String title, String template, @Nullable Viewer viewer) {
        return new WebPage(
                Scope.of(template, embeddedFeatures(ctx)),
                reader,
                title,
                ctx.path(),
                LocalPath.orElse(LocalPath.of(ctx), ctx.path()),
                viewer,
                nav.stream().filter(item -> item.isVisible(ctx, viewer)).toList(),
                viewer == null || HtmxRequest.isFragment(ctx) ? Map.of() : badges.of(ctx),
                cookies.theme(ctx),
                cookies.takeNotice(ctx),
                assets);
    }

    Cookies cookies() {
        return cookies;
    }
}
