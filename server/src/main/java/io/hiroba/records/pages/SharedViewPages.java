package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.http.Throttle.Limit;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Attachments;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.query.Queries;
import io.hiroba.records.views.ViewId;
import io.hiroba.records.views.ViewLinks;
import io.hiroba.records.views.ViewRow;
import io.hiroba.records.views.Views;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Views shared by links: the page that anybody sees, and the one where members make and revoke links. */
public final class SharedViewPages implements Routes {

    private static final String SHARED = "/shared/views/{token}";
    private static final String LINKS = RecordPaths.SCHEMA + "/views/{view}/links";
    private static final int PAGE = 50;

    private static final Limit READ_BY_ADDRESS = new Limit(120, Duration.ofMinutes(1));
    private static final Limit COVERS_BY_ADDRESS = new Limit(1_200, Duration.ofMinutes(1));
    private static final Limit SENT_BY_ADDRESS = new Limit(20, Duration.ofMinutes(1));
    private static final Limit SENT_BY_LINK = new Limit(500, Duration.ofHours(1));

    private static final Pattern COVER =
            Pattern.compile("cover (\\S+) /api/v1/projects/[0-9A-F]+/attachments/([0-9A-F]+)/thumbnail");

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final Facades facades;

    SharedViewPages(
            Shell shell, Readers readers, PageContext context, RecordTitles titles, Queries queries, Facades facades) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
        this.facades = facades;
    }

    /** Views, their links and pages, and what limits those who come by links. */
    record Facades(
            Views views,
            ViewLinks links,
            ViewKinds kinds,
            Attachments attachments,
            Throttle throttle,
            ClientAddress addresses,
            Cursors cursors) {}

    /** A shared view as a table, without anything that leads to its records. */
    public record Table(
            String name,
            List<String> heads,
            List<List<Cell>> rows,
            @Nullable String more) {

        public Table {
            heads = List.copyOf(heads);
            rows = List.copyOf(rows);
        }
    }

    /** A link that was made. */
    public record SharedLink(String id, String until) {}

    @Override
    public void register(RoutesConfig routes) {
        routes.get(SHARED, this::open);
        routes.post(SHARED + "/submit", this::submit);
        routes.get(SHARED + "/covers/{cover}", this::cover);
        routes.get(LINKS, ctx -> links(ctx, null, null));
        routes.post(LINKS, this::share);
        routes.post(LINKS + "/{link}/revoke", this::revoke);
    }

    /** Limits what one address reads and sends by links, and what is sent by one: it is written in the sharer's name. */
    private void admit(Context ctx, boolean sends) {
        var address = facades.addresses().bucket(ctx);
        if (sends) {
            facades.throttle()
                    .check("view-link:send:" + address, SENT_BY_ADDRESS)
                    .orThrow();
            facades.throttle()
                    .check("view-link:link:" + ctx.pathParam("token"), SENT_BY_LINK)
                    .orThrow();
        } else {
            facades.throttle()
                    .check("view-link:read:" + address, READ_BY_ADDRESS)
                    .orThrow();
        }
    }

    private ViewScope opened(Context ctx) {
        // Addresses with the token are for nobody else to keep.
        ctx.header("X-Robots-Tag", "noindex");
        ctx.header("Referrer-Policy", "no-referrer");
        var token = ctx.pathParam("token");
        var opened = facades.links().open(token);
        return new ViewScope(opened.access(), opened.view(), readers.reader(ctx), "/shared/views/" + token);
    }

    private void open(Context ctx) {
        admit(ctx, false);
        var scope = opened(ctx);
        switch (scope.view().view().kind()) {
            case GRID -> table(ctx, scope);
            case BOARD -> facades.kinds().board().show(ctx, scope, null);
            case CALENDAR -> facades.kinds().calendar().show(ctx, scope, null);
            case GALLERY ->
                facades.kinds()
                        .gallery()
                        .show(
                                ctx,
                                scope,
                                null,
                                new GalleryPage.Paths(
                                        facades.cursors()::open,
                                        facades.cursors()::seal,
                                        path -> scope.path() + "/covers/"
                                                + facades.cursors().seal(cover(ctx, path))));
            case FORM -> facades.kinds().form().show(ctx, scope, null);
        }
    }

    /** A picture as its address names it, which is sealed: only what a page of this link has shown is sent. */
    private static String cover(Context ctx, String path) {
        return "cover " + ctx.pathParam("token") + " " + path;
    }

    /** Sends the small picture of a card, as long as the link is there and its sharer may read the file. */
    private void cover(Context ctx) {
        facades.throttle()
                .check("view-link:cover:" + facades.addresses().bucket(ctx), COVERS_BY_ADDRESS)
                .orThrow();
        var scope = opened(ctx);
        var named = COVER.matcher(facades.cursors().open(ctx.pathParam("cover")));
        if (!named.matches() || !named.group(1).equals(ctx.pathParam("token"))) {
            throw RecordsProblem.noRecord();
        }
        var file = facades.attachments().open(scope.access(), named.group(2), true);
        ctx.header("Cache-Control", "private, no-cache");
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Content-Security-Policy", "default-src 'none'; sandbox");
        ctx.contentType(file.type());
        ctx.res().setContentLengthLong(file.content().length());
        ctx.result(file.content().content());
    }

    private void table(Context ctx, ViewScope scope) {
        var columns = scope.view().shown();
        var rows = new GridRows(scope.access(), scope.recordAccess(), context, titles, scope.reader());
        var after = Optional.ofNullable(ctx.queryParam("after"))
                .filter(cursor -> !cursor.isEmpty())
                .map(facades.cursors()::open)
                .orElse(null);
        var found = queries.page(
                scope.access().caller(),
                scope.access().project().id(),
                scope.query(null, rows.select(columns), PAGE).after(after));
        var next = found.next();
        var table = new Table(
                scope.view().view().name(),
                columns.stream().map(each -> each.label()).toList(),
                rows.of(found, columns).stream().map(Grid.Line::cells).toList(),
                next == null
                        ? null
                        : scope.path() + "?after=" + facades.cursors().seal(next));
        shell.page(ctx, Text.verbatim(table.name()), "records/shared", Map.of("table", table));
    }

    private void submit(Context ctx) {
        admit(ctx, false);
        var scope = opened(ctx);
        if (scope.view().view().kind() != ViewRow.Kind.FORM) {
            throw RecordsProblem.noRecord();
        }
        admit(ctx, true);
        facades.kinds().form().submit(ctx, scope, null);
    }

    private ViewScope member(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var view = facades.views().get(access, recordAccess.schema(), ViewId.parse(ctx.pathParam("view")));
        return new ViewScope(
                access, facades.views().resolved(access, recordAccess.schema(), view), readers.reader(ctx));
    }

    private void share(Context ctx) {
        var scope = member(ctx);
        var days = Objects.requireNonNullElse(ctx.formParam("days"), "");
        int length = days.matches("[0-9]{1,3}") ? Integer.parseInt(days) : 0;
        try {
            var made = facades.links()
                    .create(
                            scope.access(),
                            scope.recordAccess().schema(),
                            scope.view().view().id(),
                            scope.reader().now().plus(Duration.ofDays(length)));
            links(ctx, "/shared/views/" + made.token(), null);
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, scope.path() + "/links");
            links(ctx, null, scope.reader().text(refusal.detail()));
        }
    }

    private void revoke(Context ctx) {
        var scope = member(ctx);
        facades.links()
                .revoke(
                        scope.access(),
                        scope.recordAccess().schema(),
                        scope.view().view().id(),
                        ViewId.parse(ctx.pathParam("link")));
        shell.seeOther(ctx, scope.path() + "/links", Text.of("records.link-revoked"));
    }

    /** @param made the path of a link that was just made: it is shown once */
    private void links(Context ctx, @Nullable String made, @Nullable String problem) {
        var scope = member(ctx);
        var schema = scope.recordAccess().schema();
        var parameters = new HashMap<String, Object>();
        parameters.put(
                "tabs",
                ViewTabs.of(
                        scope.access(),
                        scope.recordAccess(),
                        List.of(scope.view().view()),
                        scope.view(),
                        "?view=" + scope.view().view().id().hex(),
                        false,
                        List.of()));
        parameters.put(
                "links",
                facades.links().list(scope.access(), schema, scope.view().view().id()).stream()
                        .map(each ->
                                new SharedLink(each.id().hex(), scope.reader().dateTime(each.expiresAt())))
                        .toList());
        parameters.put("path", scope.path());
        parameters.put("made", made == null ? "" : made);
        parameters.put("problem", problem == null ? "" : problem);
        shell.page(ctx, Text.of("records.links"), "records/links", parameters);
    }
}
