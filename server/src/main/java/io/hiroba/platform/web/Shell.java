package io.hiroba.platform.web;

import gg.jte.Content;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Renders pages inside the layout, and redirects. */
public final class Shell {

    /** The attribute of a request that keeps the features of the pieces on its page. */
    private static final String PIECES = "hiroba.pieces";

    private final Templates templates;
    private final AssetUrls assets;
    private final Viewers viewers;
    private final List<NavItem> nav;
    private final Badges badges;
    private final Cookies cookies;

    /** {@code secure} is whether people reach the server through TLS, which cookies then insist on. */
    public Shell(
            Templates templates, AssetUrls assets, Viewers viewers, List<NavItem> nav, Badges badges, boolean secure) {
        this.templates = templates;
        this.assets = assets;
        this.viewers = viewers;
        this.nav = nav.stream().sorted(Comparator.comparingInt(NavItem::order)).toList();
        this.badges = badges;
        this.cookies = new Cookies(secure);
    }

    /** Answers with a page whose template takes {@code page} and what {@code parameters} names. */
    public void page(Context ctx, String title, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        all.put("page", about(ctx, title, template, viewers.of(ctx).orElse(null)));
        templates.write(ctx, template, all);
    }

    /**
     * A fragment for a page of another feature, which then loads the fragment's stylesheet too; its template, too, takes {@code
     * page} and what {@code parameters} names.
     */
    public Content piece(Context ctx, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        var viewer = viewers.of(ctx).orElse(null);
        var scope = Scope.of(template, List.of());
        all.put(
                "page",
                new WebPage(scope, "", ctx.path(), viewer, List.of(), Map.of(), cookies.theme(ctx), null, assets));
        var html = templates.render(template, all);
        ctx.attribute(
                PIECES,
                Stream.concat(pieces(ctx).stream(), scope.features().stream())
                        .distinct()
                        .toList());
        return output -> {
            output.writeContent("<div class=\"piece " + scope.cssClass() + "\">");
            output.writeBinaryContent(html);
            output.writeContent("</div>");
        };
    }

    private static List<String> pieces(Context ctx) {
        List<String> pieces = ctx.attribute(PIECES);
        return pieces == null ? List.of() : pieces;
    }

    /** As {@link #page}, as an anonymous reader sees it; it works without a database. */
    void pageForAnybody(Context ctx, String title, String template, Map<String, ?> parameters) {
        var all = new HashMap<String, Object>(parameters);
        all.put("page", about(ctx, title, template, null));
        templates.write(ctx, template, all);
    }

    public void page(Context ctx, String title, String template) {
        page(ctx, title, template, Map.of());
    }

    /** Sets the status under which a refused form is shown again: 422 for what was typed wrong. */
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

    /** Answers with a fragment of a page, for htmx to swap in. */
    public void fragment(Context ctx, String template, Map<String, ?> parameters) {
        templates.write(ctx, template, parameters);
    }

    /** A fragment of a page as text, to be pushed to an open page. */
    public String html(String template, Map<String, ?> parameters) {
        return new String(templates.render(template, parameters), StandardCharsets.UTF_8);
    }

    /** Redirects after a change, so that reloading does not repeat it. */
    public void seeOther(Context ctx, String path) {
        ctx.redirect(LocalPath.orElse(path, "/"), HttpStatus.SEE_OTHER);
    }

    /** Redirects, and shows {@code notice} on the next page. */
    public void seeOther(Context ctx, String path, String notice) {
        cookies.keepNotice(ctx, notice);
        seeOther(ctx, path);
    }

    private WebPage about(Context ctx, String title, String template, @Nullable Viewer viewer) {
        return new WebPage(
                Scope.of(template, pieces(ctx)),
                title,
                ctx.path(),
                viewer,
                nav.stream().filter(item -> item.isVisible(ctx, viewer)).toList(),
                viewer == null || HtmxRequest.isAskedFor(ctx) ? Map.of() : badges.of(ctx),
                cookies.theme(ctx),
                cookies.takeNotice(ctx),
                assets);
    }

    Cookies cookies() {
        return cookies;
    }
}
