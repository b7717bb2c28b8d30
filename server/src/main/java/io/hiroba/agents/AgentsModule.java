package io.hiroba.agents;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.knowledge.KnowledgeModule;
import io.hiroba.mcp.ApiTools;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.SocialModule;
import java.util.List;
import java.util.Map;

/** The module of agents that answer when they are mentioned or replied to. */
public final class AgentsModule implements FeatureModule {

    private final Platform platform;
    private final AgentsConfig config;
    private final Agents agents;
    private final AgentRunWorker worker;
    private final WakeSignal due = new WakeSignal();

    public AgentsModule(
            Platform platform,
            AccountsModule accounts,
            SocialModule social,
            KnowledgeModule knowledge,
            AgentsConfig config) {
        this.platform = platform;
        this.config = config;
        var db = platform.db();
        agents = new Agents(db, accounts.users(), accounts.aiModels(), accounts.audit(), ApiTools.names());
        var librarian = new Librarian(
                db,
                knowledge.search().search(),
                knowledge.sources(),
                social.search(),
                social.posts(),
                Site.of(platform.http()));
        worker = new AgentRunWorker(new AgentRunWorker.Parts(
                db, accounts.users(), social.posts(), accounts.aiActions(), agents, (claim, found, question) ->
                        Agent.LIBRARIAN.equals(found.profile().user().aiModel())
                                ? new RunOutcome.Answered(librarian.answer(question))
                                : new RunOutcome.Failed(Reason.NO_MODEL), due));
    }

    @Override
    public List<Routes> routes() {
        return List.of(new AgentRoutes(agents, platform.idempotency(), platform.cursors()));
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(AgentWaker.CONSUMER, new AgentWaker(platform.ids(), config, due));
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(AgentExportStore.part(platform.db()));
    }

    @Override
    public void start(ResourceStack resources) {
        if (config.enabled()) {
            resources.add(worker.start(config.workers()));
        }
    }
}
