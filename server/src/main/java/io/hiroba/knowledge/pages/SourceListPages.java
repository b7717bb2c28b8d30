package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.sources.SourceFilter;
import io.hiroba.knowledge.sources.Sources;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sources that somebody may read, and how far each is. */
public final class SourceListPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 50;
    private static final String LIST = "pages.knowledge-sources";

    private final Shell shell;
    private final SourceItems items;
    private final Sources sources;
    private final Cursors cursors;
    private final ByteSize largest;

    /** @param largest what a file may have */
    public SourceListPages(Shell shell, SourceItems items, Sources sources, Cursors cursors, ByteSize largest) {
        this.shell = shell;
        this.items = items;
        this.sources = sources;
        this.cursors = cursors;
        this.largest = largest;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SOURCES, ctx -> show(ctx, Form.EMPTY, List.of()));
        routes.get(Paths.SOURCES + "/progress", this::progress);
    }

    private void progress(Context ctx) {
        var named = items.named(ctx, Optional.ofNullable(ctx.queryParam("ids")).orElse(""));
        shell.page(ctx, "Sources", "knowledge/progress", Map.of("poll", SourceItems.poll(named), "sources", named));
    }

    /** @param failures the files that were refused, and why */
    void show(Context ctx, Form form, List<SourceList.Failure> failures) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, PAGE, MOST);
        boolean isAll = given(ctx, "whose").equals("all");
        var type = SourceType.of(given(ctx, "type"));
        var before = cursors.read(LIST, request).map(cursor -> SourceId.parse(cursor.text(0)));
        // One more than is shown tells whether there is another page.
        var found = sources.list(caller, new SourceFilter(type.orElse(null), !isAll), before, request.limit() + 1);
        var shown = items.of(ctx, found.subList(0, Math.min(found.size(), request.limit())));
        var more = found.size() > shown.size()
                ? Address.of(Paths.SOURCES)
                        .with("whose", isAll ? "all" : "")
                        .with("type", type.map(SourceType::text).orElse(""))
                        .with(
                                "after",
                                cursors.write(LIST, Cursor.of(shown.getLast().id())))
                        .text()
                : null;
        var list = new SourceList(
                shown,
                isAll,
                type.map(SourceType::text).orElse(""),
                more,
                SourceItems.poll(shown),
                largest.bytes(),
                failures);
        shell.page(ctx, "Sources", "knowledge/sources", Map.of("list", list, "form", form));
    }

    private static String given(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).orElse("");
    }
}
