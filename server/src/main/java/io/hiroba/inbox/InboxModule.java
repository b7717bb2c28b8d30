package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.api.InboxApiModule;
import io.hiroba.inbox.events.HirobaEvents;
import io.hiroba.inbox.fanout.ExternalIdentities;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.FanoutModule;
import io.hiroba.inbox.fanout.InboxAccountCleanup;
import io.hiroba.inbox.gitlab.Connections;
import io.hiroba.inbox.gitlab.GitlabModule;
import io.hiroba.inbox.gitlab.WebhookDeliveries;
import io.hiroba.inbox.pages.InboxPagesModule;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.DatabaseClock;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Templates;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Composes the inbox: items, their fan-out from GitLab, the API and Hiroba's own events, and their delivery. */
public final class InboxModule implements FeatureModule {

    private final Platform platform;
    private final Users users;
    private final Readers readers;
    private final InboxConfig config;
    private final InboxPorts ports;

    private final LiveInboxes live;
    private final ItemMails mails;
    private final DatabaseClock clock;
    private final ItemDelivery delivery;
    private final Fanout fanout;
    private final FanoutModule people;
    private final GitlabModule gitlab;
    private final InboxApiModule api;
    private final WakeSignal snoozed = new WakeSignal();
    private final Inbox inbox;
    private final InboxSettings settings;
    private final SshKeys sshKeys;

    public InboxModule(Platform platform, Users users, Readers readers, InboxConfig config, InboxPorts ports) {
        this.platform = platform;
        this.users = users;
        this.readers = readers;
        this.config = config;
        this.ports = ports;
        var db = platform.db();
        clock = new DatabaseClock(db);
        live = new LiveInboxes(db, platform.commits());
        var writer = new ItemMailWriter(new Templates(), Site.of(platform.http()), ports.approvals());
        mails = new ItemMails(db, clock, users, platform.mailer(), writer);
        delivery = new ItemDelivery(mails, live, platform.events());
        fanout = new Fanout(platform.ids(), clock, users, config.accessGrace(), delivery);
        people = new FanoutModule(platform, clock, users, config, fanout);
        gitlab = new GitlabModule(platform, clock, config, fanout);
        api = new InboxApiModule(platform, clock, users, ports, fanout);
        var lists = new ItemLists(db, fanout.namespaces(), fanout.resources());
        inbox = new Inbox(db, clock, delivery, ZoneId.systemDefault(), lists, snoozed, ports.approvals());
        settings = new InboxSettings(db, fanout.namespaces());
        sshKeys = new SshKeys(db, clock, fanout);
    }

    public Inbox inbox() {
        return inbox;
    }

    public InboxSettings settings() {
        return settings;
    }

    public SshKeys sshKeys() {
        return sshKeys;
    }

    public ExternalIdentities identities() {
        return people.identities();
    }

    public Connections connections() {
        return gitlab.connections();
    }

    public WebhookDeliveries deliveries() {
        return gitlab.deliveries();
    }

    @Override
    public List<Routes> routes() {
        List<Routes> own = List.of(
                new InboxRoutes(inbox, platform.cursors()),
                new ItemApprovalRoutes(new ItemApprovals(platform.db(), clock, delivery, ports.approvals())),
                new InboxSettingsRoutes(settings),
                new SshKeyRoutes(sshKeys, platform.idempotency(), clock));
        return Stream.of(people.routes(), api.routes(), own, gitlab.routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return pages().pages(shell);
    }

    private InboxPagesModule pages() {
        return new InboxPagesModule(platform, users, readers, this);
    }

    @Override
    public List<SearchSource> searchSources() {
        return List.of(new InboxSearchSource(inbox));
    }

    @Override
    public List<String> crossSitePaths() {
        return gitlab.crossSitePaths();
    }

    @Override
    public List<NavItem> navigation() {
        return pages().navigation();
    }

    @Override
    public Badges badges() {
        return pages().badges();
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(HirobaEvents.CONSUMER, new HirobaEvents(users, ports, fanout));
    }

    @Override
    public List<LiveSource> liveSources() {
        return List.of(live);
    }

    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(LocalSagaStep.of("hiroba", "delete-inbox", this::deleteInbox));
    }

    private JsonNode deleteInbox(JsonNode input) {
        var user = UserId.parse(input.path("user").asString());
        return JsonMapper.shared().createObjectNode().put("items", new InboxAccountCleanup(platform.db()).delete(user));
    }

    @Override
    public List<PublishedEvents> publishedEvents() {
        return List.of(new PublishedItemEvents());
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(InboxExportStore.part(platform.db()));
    }

    @Override
    public void start(ResourceStack resources) {
        var db = platform.db();
        clock.update();
        resources.add(WorkLoop.every(DatabaseClock.INTERVAL, "inbox clock", clock::update));
        resources.add(live.start());
        resources.add(mails.start());
        resources.add(new SnoozeWaker(db, clock, delivery, snoozed).start());
        resources.add(new ItemRetention(db, clock, delivery, config.retention()).start());
        resources.add(new SshKeyReminders(db, clock, config.keyNotice(), fanout).start());
        people.start(resources);
        gitlab.start(resources);
    }
}
