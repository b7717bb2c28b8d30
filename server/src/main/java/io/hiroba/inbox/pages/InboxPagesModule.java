package io.hiroba.inbox.pages;

import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.InboxModule;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import java.util.List;

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
                new KeyPages(shell, settings, platform.db(), inbox.sshKeys(), readers),
                new ConnectionPages(shell, connections, identities, users, readers),
                new DeliveryPages(shell, connections, inbox.deliveries(), readers, platform.cursors()));
    }

    @Override
    public List<NavItem> navigation() {
        return InboxNav.ITEMS;
    }

    @Override
    public Badges badges() {
        return new TodoBadge(inbox.inbox());
    }
}
