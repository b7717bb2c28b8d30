package io.hiroba;

import io.hiroba.activity.pages.AttentionPages;
import io.hiroba.activity.pages.NotedLists;
import io.hiroba.activity.pages.NotificationPages;
import io.hiroba.activity.pages.NotificationSettingsPages;
import io.hiroba.activity.pages.ReaderDays;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Posts;
import java.time.ZoneId;
import java.util.List;

/** The pages of activity, wired. */
final class ActivityPagesWiring {

    private final NotificationPages notifications;
    private final NotificationSettingsPages settings;

    /** Also what activity adds to the pages of social. */
    final AttentionPages attention;

    ActivityPagesWiring(Shell shell, Platform platform, AccountsWiring accounts, Posts posts, ActivityWiring activity) {
        var days = new ReaderDays(accounts.readers, platform.clock(), ZoneId.systemDefault());
        notifications = new NotificationPages(shell, activity.notifications, days, platform.cursors());
        var lists = new NotedLists(activity.attentionLists, days, platform.cursors());
        settings = new NotificationSettingsPages(shell, accounts.readers, activity.settings, days, lists);
        attention = new AttentionPages(shell, activity.attention, posts, accounts.users);
    }

    List<Routes> routes() {
        return List.of(notifications, settings, attention);
    }
}
