package io.hiroba;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
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
        return List.of();
    }
}
