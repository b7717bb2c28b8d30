package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.Badges;
import io.javalin.http.Context;
import java.util.Map;

/** The number at the inbox: how much there is to do. */
public final class TodoBadge implements Badges {

    private static final String WHAT = "to do";

    private final Inbox inbox;

    public TodoBadge(Inbox inbox) {
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
