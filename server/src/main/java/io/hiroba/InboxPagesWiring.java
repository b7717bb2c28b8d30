package io.hiroba;

import io.hiroba.inbox.pages.ActPages;
import io.hiroba.inbox.pages.Beginnings;
import io.hiroba.inbox.pages.ConnectionPages;
import io.hiroba.inbox.pages.DeliveryPages;
import io.hiroba.inbox.pages.FilterChoices;
import io.hiroba.inbox.pages.InboxPages;
import io.hiroba.inbox.pages.KeyPages;
import io.hiroba.inbox.pages.ReaderMoments;
import io.hiroba.inbox.pages.SettingsPages;
import io.hiroba.inbox.pages.SettingsSheets;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import java.time.ZoneId;
import java.util.List;

/** The pages of the inbox, wired. */
final class InboxPagesWiring {

    final Shell shell;
    final AccountsWiring accounts;
    final InboxWiring inbox;

    InboxPagesWiring(Shell shell, AccountsWiring accounts, InboxWiring inbox) {
        this.shell = shell;
        this.accounts = accounts;
        this.inbox = inbox;
    }

    List<Routes> routes() {
        var platform = inbox.platform;
        var items = inbox.items.inbox;
        var moments = new ReaderMoments(accounts.readers, platform.clock(), ZoneId.systemDefault());
        var choices = new FilterChoices(platform.db());
        var keys = inbox.who.keys;
        var connections = inbox.gitlab.connections;
        var identities = inbox.who.identities;
        var sheets = new SettingsSheets(inbox.own.settings, identities, keys, choices, accounts.readers, moments);
        var settings = new SettingsPages(shell, sheets, inbox.own.settings, identities);
        return List.of(
                new InboxPages(
                        shell, items, moments, choices, new Beginnings(identities, connections), platform.cursors()),
                new ActPages(shell, items, moments),
                settings,
                new KeyPages(shell, settings, platform.db(), keys, moments),
                new ConnectionPages(shell, connections, identities, accounts.users, moments),
                new DeliveryPages(shell, connections, inbox.gitlab.deliveries, moments, platform.cursors()));
    }
}
