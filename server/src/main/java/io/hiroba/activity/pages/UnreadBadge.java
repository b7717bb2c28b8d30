package io.hiroba.activity.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.activity.Notifications;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.Badges;
import io.javalin.http.Context;
import java.util.Map;

/** The number at the bell: how many cards the reader has not read. */
public final class UnreadBadge implements Badges {

    private final Notifications notifications;

    public UnreadBadge(Notifications notifications) {
        this.notifications = notifications;
    }

    @Override
    public Map<String, Badge> of(Context ctx) {
        return Caller.find(ctx)
                .map(caller -> notifications.unread(caller.user(), Badge.MOST + 1))
                .map(unread -> Map.of(ActivityNav.NOTIFICATIONS, Badge.unread(unread)))
                .orElse(Map.of());
    }
}
