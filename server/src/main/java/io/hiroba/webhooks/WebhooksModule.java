package io.hiroba.webhooks;

import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.QueueLag;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Composes events for programs outside: the feed and the webhooks. */
public final class WebhooksModule implements FeatureModule {

    /** The topic under which nodes learn that webhooks have changed. */
    private static final String TOPIC = "webhooks";

    private static final int MAX_COUNTED = 1000;
    private static final Duration UPKEEP_INTERVAL = Duration.ofMinutes(10);

    private final Platform platform;
    private final WebhooksConfig config;
    private final Readers readers;
    private final EventFeed feed;
    private final WebhookFanout fanout;
    private final Webhooks webhooks;
    private final WebhookSender sender;
    private final WebhookWorker worker;
    private final WakeSignal changed = new WakeSignal();
    private final WebhookStore store = new WebhookStore();
    private final DeliveryQueueStore queues = new DeliveryQueueStore();

    /**
     * With the events that features publish.
     *
     * @param retention how long events are kept
     */
    public WebhooksModule(
            Platform platform,
            Users users,
            Readers readers,
            WebhooksConfig config,
            List<PublishedEvents> published,
            Duration retention) {
        this.platform = platform;
        this.config = config;
        this.readers = readers;
        var db = platform.db();
        var log = platform.events();
        var clock = platform.clock();
        var appended = new WakeSignal();
        platform.commits().listen(EventLog.TOPIC, keys -> appended.raise());
        platform.commits().listen(TOPIC, keys -> changed.raise());
        Runnable tellNodes = () -> platform.commits().raise(TOPIC, Set.of(CommitSignal.ANY));

        var catalog = new EventCatalog(published);
        var rights = new WebhookRights(catalog, clock);
        var secrets = new WebhookSecrets(platform.encryption(), platform.ids());
        var due = new WakeSignal();
        feed = new EventFeed(db, log, catalog, clock, retention, appended);
        fanout = new WebhookFanout(log, catalog, rights, platform.ids(), due);
        webhooks = new Webhooks(new Webhooks.Parts(db, platform.ids(), log, feed, fanout, secrets), config, tellNodes);
        sender = new WebhookSender(clock, config.timeout(), new SafeAddressResolver(config.privateAddresses()));
        worker = new WebhookWorker(
                new WebhookWorker.Parts(
                        db,
                        clock,
                        log,
                        catalog,
                        rights,
                        secrets,
                        users,
                        platform.mailer(),
                        Site.of(platform.http()),
                        platform.meters(),
                        platform.tracing()),
                sender,
                config,
                due,
                tellNodes);
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new EventFeedRoutes(feed, platform.streams()), new OutgoingWebhookRoutes(webhooks, platform.cursors()));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(
                new WebhookPages(shell, readers, webhooks, platform.cursors()),
                new WebhookAdminPages(shell, readers, webhooks, platform.cursors()));
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(
                new NavItem(Text.of("webhooks.title"), WebhookPages.PATH, "plug", 967, Audience.SIGNED_IN),
                new NavItem(Text.of("webhooks.title"), WebhookAdminPages.PATH, "plug", 1015, Audience.ADMIN));
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(WebhookFanout.CONSUMER, fanout);
    }

    @Override
    public List<SystemCheck> systemChecks() {
        int waiting = platform.db().read(reads -> queues.countQueues(reads, MAX_COUNTED + 1));
        return List.of(SystemCheck.of(
                Group.WORK, "webhooks", Text.of("webhooks.system.waiting"), SystemCheck.counted(waiting, MAX_COUNTED)));
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(WebhookExportStore.part(platform.db()));
    }

    @Override
    public void start(ResourceStack resources) {
        QueueLag.register(platform.meters(), platform.db(), "webhooks", queues::overdue);
        resources.add(sender);
        resources.add(worker.start());
        resources.add(WorkLoop.whenSignalled("webhook upkeep", 1, changed, UPKEEP_INTERVAL, this::keepUp));
    }

    /** Learns which events are wanted, goes on with replays, and deletes old deliveries. */
    private boolean keepUp() {
        fanout.wakeFor(platform.db().read(store::enabledFilters));
        if (platform.db().inTransaction(fanout::replaySome)) {
            return true;
        }
        long before = Ids.lowestAt(platform.clock().instant().minus(config.retention()));
        RetentionSweep.run(limit -> platform.db().inTransaction(tx -> queues.sweep(tx, before, limit)));
        return false;
    }
}
