package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.InboxModule;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** Composes the pages of the inbox. */
public final class InboxPagesModule implements FeatureModule {

    private final Platform platform;
    private final Users users;
    private final Readers readers;
    private final InboxModule inbox;

    public InboxPagesModule(Platform platform, Users users, Readers readers, InboxModule inbox) {
        this.platform = platform;
        this.users = users;
        this.readers = readers;
        this.inbox = inbox;
    }

    @Override
    public List<Routes> pages(Shell shell) {
        var items = inbox.inbox();
        var connections = inbox.connections();
        var identities = inbox.identities();
        var options = new FilterOptionStore(platform.db());
        var settings = new InboxSettingsPages(shell, readers, inbox.settings(), identities, inbox.sshKeys(), options);
        return List.of(
                new InboxPages(shell, items, readers, options, identities, connections, platform.cursors()),
                new ItemActionPages(shell, items, readers),
                settings,
                new SshKeyPages(shell, settings, platform.db(), inbox.sshKeys(), readers),
                new ConnectionPages(shell, connections, identities, users),
                new DeliveryPages(shell, connections, inbox.deliveries(), readers, platform.cursors()));
    }

    @Override
    public List<NavItem> navigation() {
        return InboxNav.ITEMS;
    }

    @Override
    public Badges badges() {
        return this::todoBadge;
    }

    private Map<String, Badge> todoBadge(Context ctx) {
        return Caller.find(ctx)
                .map(caller -> Map.of(
                        InboxNav.INBOX, new Badge(inbox.inbox().counts(caller).todo(), "inbox.script.badge")))
                .orElse(Map.of());
    }
}
