package io.hiroba.agents;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRules.GivenTools;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.Agents.Found;
import io.hiroba.agents.Librarian.PostedQuestion;
import io.hiroba.agents.model.ModelClients;
import io.hiroba.agents.remote.RemoteServers;
import io.hiroba.agents.remote.ToolServerPages;
import io.hiroba.knowledge.KnowledgeModule;
import io.hiroba.knowledge.search.ChatConfig;
import io.hiroba.mcp.ApiTools;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.InternalCalls;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.QueueLag;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.SocialModule;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The module of agents that answer when they are mentioned, replied to or written to. */
public final class AgentsModule implements FeatureModule {

    private static final Duration SWEEP_INTERVAL = Duration.ofHours(6);
    private static final Duration SCHEDULE_POLL = Duration.ofSeconds(15);
    private static final Duration STEP_INTERVAL = Duration.ofSeconds(10);
    private static final int USAGE_DAYS = 90;
    private static final Duration PREPARED_AFTER = Duration.ofSeconds(10);

    private final Platform platform;
    private final AgentsConfig config;
    private final SocialModule social;
    private final Readers readers;
    private final Agents agents;
    private final ApiAgentTools tools;
    private final RemoteServers remote;
    private final AgentApprovals approvals;
    private final AgentPauses pauses;
    private final Users users;
    private final LiveRuns live;
    private final RunFeedback feedback;
    private final AgentRunWorker worker;
    private final AgentSteps steps;
    private final ModelClients clients;
    private final AgentTriggers triggers;
    private final AgentMakers makers;
    private final AgentMemory memory;
    private final RunDetails details;
    private final WakeSignal due = new WakeSignal();
    private volatile InboxItems inbox = (owner, item) -> Optional.empty();
    private final AgentBudgetStore budgets = new AgentBudgetStore();

    /** @param chat the services of chat models, which agents think with */
    public AgentsModule(
            Platform platform,
            AccountsModule accounts,
            SocialModule social,
            KnowledgeModule knowledge,
            AgentsConfig config,
            ChatConfig chat) {
        this.platform = platform;
        this.config = config;
        this.social = social;
        readers = accounts.readers();
        users = accounts.users();
        var db = platform.db();
        var drafts = new RunDrafts(db, platform.commits());
        var places = new RunPlaces(social.posts(), social.messages());
        clients = new ModelClients(chat, platform.clock());
        tools = new ApiAgentTools(accounts.authentication(), db);
        remote = new RemoteServers(
                db, platform.ids(), platform.clock(), platform.encryption(), accounts.audit(), config.toolServers());
        var allTools = new CombinedTools(tools, remote.tools());
        makers = new AgentMakers(
                db,
                platform.clock(),
                accounts.audit(),
                accounts.aiModels(),
                config.agentsPerMember(),
                ModelServices.of(clients));
        var given = new GivenTools(
                ApiTools.names(), remote.tools()::isUsable, remote.tools()::names, allTools::definitions);
        var rules = new AgentRules(users, accounts.aiModels(), makers, given);
        agents = new Agents(db, users, accounts.audit(), rules, drafts, makers);
        social.posts().connectAgents(new AgentStore()::answering);
        feedback = new RunFeedback(db, places);
        live = new LiveRuns(db, platform.clock(), places, drafts);
        details = new RunDetails(db, users, places);
        memory = new AgentMemory(
                users, knowledge.sessions().sessions(), knowledge.sessions().corrections());
        steps = new AgentSteps(db, platform.ids(), agents, due);
        triggers = new AgentTriggers(new AgentTriggers.Parts(
                db, platform.ids(), platform.clock(), agents, social.messages(), config.enabled()));
        pauses = new AgentPauses(db, platform.clock(), accounts.audit(), due);
        approvals = new AgentApprovals(db, platform.clock(), accounts.audit(), due, agents, places);
        var librarian = librarian(knowledge);
        var context = new RunContext(
                db,
                places,
                knowledge.sessions().sessions(),
                librarian::recall,
                (owner, item) -> inbox.find(owner, item));
        var models = models(accounts, context, allTools, drafts);
        worker = new AgentRunWorker(new AgentRunWorker.Parts(
                db,
                users,
                places,
                accounts.aiActions(),
                agents,
                (claim, found, question) -> think(librarian, models, claim, found, question),
                due,
                drafts));
    }

    private Librarian librarian(KnowledgeModule knowledge) {
        var site = Site.of(platform.http());
        return new Librarian(
                platform.db(),
                knowledge.search().search(),
                knowledge.sources(),
                social.search(),
                social.posts(),
                site,
                new AskedContext(tools, site, (owner, item) -> inbox.find(owner, item)));
    }

    private ModelRuns models(AccountsModule accounts, RunContext context, CombinedTools allTools, RunDrafts drafts) {
        var runTools = new RunTools(new RunTools.Parts(
                platform.db(), platform.ids(), users, agents, accounts.aiActions(), allTools, config, drafts));
        return new ModelRuns(new ModelRuns.Parts(
                platform.db(),
                platform.clock(),
                accounts.aiModels(),
                accounts.aiActions(),
                context,
                allTools,
                clients::find,
                config,
                runTools,
                drafts,
                makers::allows));
    }

    /** In a span of its own; in quiet hours a run waits, but for a workflow, which nobody hears. */
    private RunOutcome think(
            Librarian librarian, ModelRuns models, ClaimedRun claim, Found found, PostedQuestion question)
            throws InterruptedException {
        var quiet = claim.run().wokenBy() == Wake.STEP
                ? Optional.<Duration>empty()
                : pauses.quietFor(claim.run().agent());
        return quiet.isPresent()
                ? new RunOutcome.NotNow(quiet.get())
                : platform.tracing()
                        .begin("agent run", TraceSpan.Kind.CONSUMER)
                        .set("hiroba.agents.run", Ids.hex(claim.run().id()))
                        .<RunOutcome, InterruptedException>call(
                                () -> answer(librarian, models, claim, found, question));
    }

    private static RunOutcome answer(
            Librarian librarian, ModelRuns models, ClaimedRun claim, Found found, PostedQuestion question)
            throws InterruptedException {
        var model = found.profile().user().aiModel();
        if (model == null) {
            return new RunOutcome.Failed(Reason.NO_MODEL);
        }
        if (!model.equals(Agent.LIBRARIAN)) {
            return models.run(claim, found, question, model);
        }
        var answer = librarian.answer(question);
        var form = question.form();
        return Optional.of(answer)
                .flatMap(text -> form == null ? Optional.of(text) : form.ofText(text))
                .<RunOutcome>map(RunOutcome.Answered::new)
                .orElseGet(() -> new RunOutcome.Failed(Reason.MODEL_FAILED));
    }

    /** What callers are asked to approve. */
    public AgentApprovals approvals() {
        return approvals;
    }

    /** Lets tools be used, by calls of the API with an {@code Authorization}. */
    public void connect(Function<String, InternalCalls> calls) {
        tools.connect(calls);
    }

    /**
     * Lets steps of sagas ask agents.
     *
     * @param initiators finds who started a saga, in whose name its steps ask
     * @param awaited those of the keys of steps that their sagas wait for
     */
    public void connectSagas(
            Function<UUID, Optional<UserId>> initiators, BiFunction<Reads, Collection<String>, Set<String>> awaited) {
        steps.connect(initiators, awaited);
    }

    /** Lets agents be told of the items of inboxes that wake them. */
    public void connectInbox(InboxItems items) {
        inbox = items;
    }

    /** Lets an account that has a model answer from now on, on behalf of an admin. */
    public void adopt(Caller admin, UserId account) {
        agents.adopt(admin, account);
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new AgentStatisticsRoutes(new AgentStatistics(platform.db(), platform.clock())),
                new AgentMemoryRoutes(memory, platform.cursors()),
                new AgentMakerRoutes(makers, platform.cursors()),
                new AgentRoutes(agents, details, platform.idempotency(), platform.cursors()),
                new LiveRunRoutes(live, platform.streams()),
                new RunFeedbackRoutes(agents, feedback),
                new AgentPauseRoutes(pauses),
                new AgentTriggerRoutes(triggers),
                remote.routes());
    }

    @Override
    public List<Routes> pages(Shell shell) {
        var pages = new AgentPages(shell, readers, agents, feedback, platform.cursors(), makers, details);
        var livePages = new LiveRunPages(shell, users, live, feedback);
        social.additions().add(pages);
        social.additions().add(livePages);
        social.addToThreads(livePages);
        return List.of(
                new AgentStatisticsPages(shell, readers, new AgentStatistics(platform.db(), platform.clock())),
                new AgentMemoryPages(shell, readers, memory, platform.cursors()),
                new AgentMakerPages(shell, readers, makers, platform.cursors()),
                new AskPages(shell, agents, social.messages(), platform.idempotency()),
                pages,
                livePages,
                new AgentApprovalPages(shell, readers, agents, approvals),
                new AgentPausePages(shell, readers, agents, pauses),
                new AgentTriggerPages(shell, readers, agents, triggers),
                remote.pages(shell, readers, platform.http().publicUrl()));
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(new NavItem(Text.of("agents.title"), AgentPages.PATH, "robot", 160, Audience.SIGNED_IN)
                .covering(AgentPausePages.PATH, ToolServerPages.PATH));
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(
                AgentWaker.CONSUMER, new AgentWaker(platform.ids(), config, due), AgentTriggers.CONSUMER, triggers);
    }

    @Override
    public List<LiveSource> liveSources() {
        return List.of(live);
    }

    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(steps.step());
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(AgentExportStore.part(platform.db()));
    }

    @Override
    public void start(ResourceStack resources) {
        // Also where no agent answers: other nodes may let them.
        resources.add(live.start());
        QueueLag.register(platform.meters(), platform.db(), "agents", new AgentRunStore()::overdue);
        if (config.enabled()) {
            // Reads the API's tools, for which the first agent with some would wait; not while all else starts.
            CompletableFuture.delayedExecutor(PREPARED_AFTER.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(agents::prepare);
            resources.add(worker.start(config.workers()));
            // Closed first: calls under way end at once, and another node goes on with their runs.
            resources.add(clients);
            resources.add(WorkLoop.every(SCHEDULE_POLL, "schedules of agents", triggers::fireDue));
        }
        resources.add(WorkLoop.every(STEP_INTERVAL, "agents asked by steps", steps::stopUnawaited));
        // Also where no agent answers any more: what they did is kept for no longer.
        resources.add(WorkLoop.every(SWEEP_INTERVAL, "use of agents", this::sweep));
        // Closed first as well, for the same reason.
        resources.add(remote);
        // Before any of them, so that a call which breaks off is not taken for a failure.
        resources.add(worker::closing);
    }

    private void sweep() {
        var before =
                LocalDate.ofInstant(platform.clock().instant(), ZoneOffset.UTC).minusDays(USAGE_DAYS);
        RetentionSweep.run(limit -> platform.db().inTransaction(tx -> budgets.sweep(tx, before, limit)));
        pauses.sweepRuns(config.runRetention());
        triggers.sweep(platform.clock().instant().minus(config.runRetention()));
    }
}
