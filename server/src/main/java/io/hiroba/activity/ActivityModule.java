package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.Badge;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Templates;
import io.hiroba.social.SocialModule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/** The activity feature: notification cards, mutes and follows, and digest mails. */
public final class ActivityModule implements FeatureModule {

    private static final Duration DIGEST_INTERVAL = Duration.ofMinutes(1);

    private final Platform platform;
    private final Users users;
    private final Readers readers;
    private final SocialModule social;
    private final ActivityConfig config;
    private final LiveCards live;
    private final Notifications notifications;
    private final NotificationSettings settings;
    private final MutesAndFollows mutesAndFollows;
    private final Digests digests;

    public ActivityModule(Platform platform, Users users, Readers readers, SocialModule social, ActivityConfig config) {
        this.platform = platform;
        this.users = users;
        this.readers = readers;
        this.social = social;
        this.config = config;
        var db = platform.db();
        var clock = platform.clock();
        var serverZone = ZoneId.systemDefault();
        live = new LiveCards(db, platform.commits());
        notifications = new Notifications(db, live::changed);
        settings = new NotificationSettings(db, clock, serverZone);
        mutesAndFollows = new MutesAndFollows(db);
        var mails =
                new DigestMails(new Templates(), new UnsubscribeTokens(new SecretStore(db)), Site.of(platform.http()));
        digests = new Digests(db, clock, serverZone, users, notifications, platform.mailer(), mails);
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new NotificationRoutes(notifications, platform.cursors()),
                new NotificationSettingsRoutes(settings),
                new MutesAndFollowsRoutes(mutesAndFollows, platform.cursors()));
    }

    /** Also adds the buttons that mute and follow to the pages of social. */
    @Override
    public List<Routes> pages(Shell shell) {
        var mutesAndFollowsPages = new MuteFollowPages(shell, mutesAndFollows, social.posts(), users);
        social.additions().add(mutesAndFollowsPages);
        return List.of(
                new UnsubscribePages(shell, digests),
                new NotificationPages(shell, notifications, readers, platform.cursors()),
                new NotificationSettingsPages(shell, readers, settings, mutesAndFollows, platform.cursors()),
                mutesAndFollowsPages);
    }

    @Override
    public List<String> crossSitePaths() {
        return List.of(UnsubscribePages.PATH);
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(
                new NavItem(Text.of("activity.title"), NotificationPages.PATH, "bell", 30, Audience.SIGNED_IN),
                new NavItem(
                        Text.of("activity.title"), NotificationSettingsPages.PATH, "bell", 940, Audience.SIGNED_IN));
    }

    @Override
    public Badges badges() {
        return ctx -> Caller.find(ctx)
                .map(caller -> notifications.unread(caller.user(), Badge.MAX_SHOWN + 1))
                .map(unread -> Map.of(NotificationPages.PATH, Badge.unread(unread)))
                .orElse(Map.of());
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(
                CardAggregator.CONSUMER, new CardAggregator(ZoneId.systemDefault(), platform.events(), live::changed));
    }

    @Override
    public List<LiveSource> liveSources() {
        return List.of(new CardSource(live));
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(ActivityExportStore.part(platform.db()));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(new CardRetention(platform.db(), platform.clock(), config.retention()).start());
        resources.add(WorkLoop.every(DIGEST_INTERVAL, "digests", digests::sendDue));
        resources.add(live.start());
    }
}
