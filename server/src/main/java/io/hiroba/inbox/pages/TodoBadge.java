package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.Inbox;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.Badges;
import io.javalin.http.Context;
import java.util.Map;

/** The number of items to do beside the entry of the navigation. */
final class TodoBadge implements Badges {

    private static final String WHAT = "to do";

    private final Inbox inbox;

    TodoBadge(Inbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public Map<String, Badge> of(Context ctx) {
        return Caller.find(ctx)
                .map(caller ->
                        Map.of(InboxNav.INBOX, new Badge(inbox.counts(caller).todo(), WHAT)))
                .orElse(Map.of());
    }
}
