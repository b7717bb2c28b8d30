package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.activity.ActivityConfig;
import io.hiroba.activity.CardNews;
import io.hiroba.activity.NotificationRoutes;
import io.hiroba.activity.Notifications;
import io.hiroba.activity.Retention;
import io.hiroba.activity.collect.Collector;
import io.hiroba.activity.digest.DigestLetters;
import io.hiroba.activity.digest.Digests;
import io.hiroba.activity.digest.UnsubscribePages;
import io.hiroba.activity.digest.UnsubscribeTokens;
import io.hiroba.activity.live.CardSource;
import io.hiroba.activity.live.LiveCards;
import io.hiroba.activity.settings.Attention;
import io.hiroba.activity.settings.AttentionListRoutes;
import io.hiroba.activity.settings.AttentionLists;
import io.hiroba.activity.settings.AttentionRoutes;
import io.hiroba.activity.settings.Settings;
import io.hiroba.activity.settings.SettingsRoutes;
import io.hiroba.platform.Platform;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.Secrets;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Templates;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** The activity feature, wired. */
final class ActivityWiring {

    private static final Duration DIGESTS = Duration.ofMinutes(1);

    private final Platform platform;
    private final ActivityConfig config;
    private final Digests digests;
    final LiveCards live;
    final Notifications notifications;
    final Settings settings;
    final Attention attention;
    final AttentionLists attentionLists;

    ActivityWiring(Platform platform, Users users, ActivityConfig config) {
        this.platform = platform;
        this.config = config;
        var db = platform.db();
        live = new LiveCards(new CardNews(db));
        notifications = new Notifications(db, live::changed);
        settings = new Settings(db, platform.clock(), ZoneId.systemDefault());
        attention = new Attention(db);
        attentionLists = new AttentionLists(db);
        var letters =
                new DigestLetters(new Templates(), new UnsubscribeTokens(new Secrets(db)), Site.of(platform.http()));
        digests = new Digests(
                db, platform.clock(), ZoneId.systemDefault(), users, notifications, platform.mailer(), letters);
    }

    /** Starts what works on the event log. */
    void consume(Events events) {
        events.consume(Collector.CONSUMER, new Collector(ZoneId.systemDefault(), platform.events(), live::changed));
    }

    WorkLoop retention() {
        return new Retention(platform.db(), platform.clock(), config.retention()).start();
    }

    WorkLoop digests() {
        return WorkLoop.every(DIGESTS, "digests", digests::sendDue);
    }

    LiveSource source() {
        return new CardSource(live);
    }

    List<Routes> pages(Shell shell) {
        return List.of(new UnsubscribePages(shell, digests));
    }

    List<Routes> routes() {
        return List.of(
                new NotificationRoutes(notifications, platform.cursors()),
                new SettingsRoutes(settings),
                new AttentionRoutes(attention),
                new AttentionListRoutes(attentionLists, platform.cursors()));
    }
}
