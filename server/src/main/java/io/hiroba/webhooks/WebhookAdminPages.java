package io.hiroba.webhooks;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.Shell;
import io.hiroba.webhooks.WebhookPages.WebhookCard;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The page of everybody's outgoing webhooks, on which admins pause and delete them. */
public final class WebhookAdminPages implements Routes {

    static final String PATH = "/admin/webhooks";

    private static final int PAGE_SIZE = 30;

    private final Shell shell;
    private final Readers readers;
    private final Webhooks webhooks;
    private final KeysetList<OutgoingWebhook, Long> list;

    WebhookAdminPages(Shell shell, Readers readers, Webhooks webhooks, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.webhooks = webhooks;
        this.list = new KeysetList<>(
                cursors,
                "pages.all-webhooks",
                PAGE_SIZE,
                PAGE_SIZE,
                cursor -> cursor.number(0),
                last -> Cursor.of(Long.toString(last.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH + "/{id}/pause", ctx -> pause(ctx, true));
        routes.post(PATH + "/{id}/resume", ctx -> pause(ctx, false));
        routes.post(PATH + "/{id}/delete", this::delete);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var page = list.page(ctx, (before, limit) -> webhooks.list(caller, true, before, limit));
        var names = webhooks.owners(page.items());
        var views = page.items().stream()
                .map(webhook -> new OwnedWebhook(
                        WebhookCard.of(webhook, reader),
                        PATH + "/" + Ids.hex(webhook.id()),
                        webhook.owner().hex(),
                        names.getOrDefault(webhook.owner(), ""),
                        webhook.isPaused()))
                .toList();
        var next = page.next();
        shell.page(
                ctx,
                Text.of("webhooks.all"),
                "webhooks/all",
                Map.of("webhooks", views, "more", next == null ? "" : PATH + "?after=" + next));
    }

    private void pause(Context ctx, boolean paused) {
        webhooks.pause(Caller.of(ctx), Ids.parse(ctx.pathParam("id")), paused);
        shell.seeOther(ctx, PATH, paused ? Text.of("webhooks.paused") : Text.of("webhooks.resumed"));
    }

    private void delete(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        webhooks.delete(caller, Ids.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, PATH, Text.of("webhooks.deleted"));
    }

    /**
     * The view of a webhook with its owner.
     *
     * @param path of what admins do with it
     */
    public record OwnedWebhook(WebhookCard webhook, String path, String ownerId, String owner, boolean isPaused) {}
}
