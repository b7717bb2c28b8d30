package io.hiroba.inbox.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** The entries of the inbox in the navigation. */
final class InboxNav {

    static final String INBOX = "/inbox";
    static final String SETTINGS = "/inbox/settings";
    static final String CONNECTIONS = "/inbox/connections";

    static final List<NavItem> ITEMS = List.of(
            new NavItem(Text.of("inbox.title"), INBOX, "inbox", 25, Audience.SIGNED_IN),
            new NavItem(Text.of("inbox.connections"), CONNECTIONS, "plug", 1014, Audience.ADMIN));

    private InboxNav() {}
}
