package io.hiroba.knowledge;

import io.hiroba.accounts.AiUsage;
import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.documents.GitFetcher;
import io.hiroba.knowledge.documents.WebFetcher;
import io.hiroba.knowledge.embedding.DeadLetters;
import io.hiroba.knowledge.embedding.EmbeddingModule;
import io.hiroba.knowledge.pages.KnowledgePagesModule;
import io.hiroba.knowledge.search.SearchModule;
import io.hiroba.knowledge.sessions.ChatSessionsModule;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.Lazy;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.text.VocabularySweep;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The module of knowledge: sources and their chunks, chat sessions, embeddings, search and answers. */
public final class KnowledgeModule implements FeatureModule {

    /** Less than the lease of a watch. */
    private static final Duration REPOSITORY_TIMEOUT = Duration.ofMinutes(5);

    private final Platform platform;
    private final KnowledgeConfig config;
    private final WebFetcher fetcher;
    private final Lazy<GitFetcher> repositories;
    private final Sources sources;
    private final KnowledgeCollections collections;
    private final CollectionWatches watches;
    private final WatchWorker watchWorker;
    private final PostRules postRules;
    private final WakeSignal rulesChanged = new WakeSignal();
    private final PostSourceSync postSync;
    private final WakeSignal recordsChanged = new WakeSignal();
    private final ResourceSources resourceSources;
    private final RecordSources recordSources;
    private final RecordSourceWorker recordWorker;
    private final CollectionSuccessions successions;
    private final KnowledgeCleanup cleanup;
    private final EmbeddingModule embedding;
    private final ChatSessionsModule sessions;
    private final SearchModule search;
    private final KnowledgePagesModule pages;

    /**
     * @param originals the storage of the files that sources were made from
     * @param records the records that projects let be found here
     */
    public KnowledgeModule(
            Platform platform,
            Users users,
            Readers readers,
            KnowledgeConfig config,
            ArchiveStorage originals,
            ProjectRecords records) {
        this.platform = platform;
        this.config = config;
        embedding = new EmbeddingModule(platform, config.embedding());
        var writer = new SourceWriter(platform.ids(), platform.clock(), embedding.queued()::raise);
        fetcher =
                new WebFetcher(config.sources().fetchLimits(), config.sources().privateAddresses());
        var ingestion = new SourceIngestion(config.sources(), fetcher, platform.clock());
        sources = new Sources(
                platform.db(), platform.clock(), writer, platform.throttle(), ingestion, config.sources(), originals);
        collections =
                new KnowledgeCollections(platform.db(), platform.ids(), platform.clock(), writer, config.collections());
        var watchDue = new WakeSignal();
        var folders = new WatchedFolders(
                config.collections().folders(),
                config.collections().maxFiles(),
                config.sources().largest());
        watches = new CollectionWatches(
                platform.db(), platform.ids(), platform.clock(), config.collections(), folders, watchDue);
        repositories = Lazy.of(() -> new GitFetcher(
                config.collections().repositorySize(),
                REPOSITORY_TIMEOUT,
                config.sources().privateAddresses()));
        watchWorker = new WatchWorker(
                platform.db(),
                platform.clock(),
                writer,
                new WatchedPlace(fetcher, repositories, ingestion, folders),
                watchDue);
        postRules = new PostRules(platform.db(), platform.ids(), platform.clock(), rulesChanged);
        postSync = new PostSourceSync(writer, config.sources().chunkTokens());
        resourceSources = new ResourceSources(writer, config.sources());
        recordSources = new RecordSources(records, platform.ids(), platform.clock(), recordsChanged);
        recordWorker = new RecordSourceWorker(platform.db(), records, writer, config.sources(), recordsChanged);
        successions = new CollectionSuccessions(platform.db());
        cleanup = new KnowledgeCleanup(platform.db(), successions);
        sessions = new ChatSessionsModule(platform, writer, config.archive());
        search = new SearchModule(
                platform, embedding, sessions.sessions(), config.search(), config.rerank(), config.chat());
        pages = new KnowledgePagesModule(platform, users, readers, config.sources());
    }

    /** What models are asked and cost; without a module, since the accounts are built before it. */
    public static AiUsage aiUsage(Db db, KnowledgeConfig config) {
        return new AiUsage() {
            @Override
            public List<DayOfModel> since(LocalDate day) {
                return EmbeddingModule.usageSince(db, day);
            }

            @Override
            public double cost(DayOfModel use) {
                return use.use().equals("chat")
                        ? config.chat().price(use.model(), use.tokensIn(), use.tokensOut())
                        : use.tokensIn() * config.embedding().price() / 1_000_000;
            }
        };
    }

    public Sources sources() {
        return sources;
    }

    /** Makers of public sources, by name, for the demo; each answers the source's id. */
    public Map<String, ToLongBiFunction<Tx, Caller>> exampleSources() {
        return new ExampleSources(sources).makers();
    }

    public KnowledgeCollections collections() {
        return collections;
    }

    /** The next owners of collections, for the page of the deletion of an account. */
    public CollectionSuccessions successions() {
        return successions;
    }

    public CollectionWatches watches() {
        return watches;
    }

    public PostRules postRules() {
        return postRules;
    }

    public ChatSessionsModule sessions() {
        return sessions;
    }

    public SearchModule search() {
        return search;
    }

    public DeadLetters deadLetters() {
        return embedding.deadLetters();
    }

    /**
     * A source in previews of other features.
     *
     * @param hasDeadLetters whether it has dead letters that its owner has not handled
     */
    public record SourceSummary(UserId owner, boolean isPublic, String title, boolean hasDeadLetters) {}

    /** The source without an access check. */
    public Optional<SourceSummary> summary(Reads reads, SourceId id) {
        return sources.find(reads, id)
                .map(source -> new SourceSummary(
                        source.owner(),
                        source.isPublic(),
                        source.title(),
                        deadLetters().arePending(reads, id)));
    }

    @Override
    public List<Routes> routes() {
        var own = List.<Routes>of(
                new SourceRoutes(sources, config.sources(), platform.idempotency(), platform.cursors()),
                new CollectionRoutes(collections, watches, platform.idempotency(), platform.cursors()),
                new PostRuleRoutes(postRules));
        return Stream.of(search.routes(), embedding.routes(), sessions.routes(), own)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return pages.routes(shell, this);
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(
                new NavItem(Text.of("knowledge.nav"), "/knowledge", "book", 160, Audience.SIGNED_IN),
                new NavItem(
                        Text.of("knowledge.tabs.dead-letters"), "/admin/dead-letters", "alert", 1016, Audience.ADMIN));
    }

    @Override
    public Badges badges() {
        return pages.badges(deadLetters());
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(
                PostSourceConsumer.NAME,
                new PostSourceConsumer(postSync),
                RecordSources.NAME,
                recordSources,
                ResourceSources.NAME,
                resourceSources);
    }

    /** Deletes the knowledge of an account. */
    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(LocalSagaStep.of("hiroba", "delete-knowledge", this::deleteKnowledge));
    }

    private JsonNode deleteKnowledge(JsonNode input) {
        var user = UserId.parse(input.path("user").asString());
        var by = Caller.server(UserId.parse(input.path("by").asString()));
        return JsonMapper.shared().createObjectNode().put("sources", cleanup.delete(by, user));
    }

    @Override
    public List<SystemCheck> systemChecks() {
        return embedding.systemChecks();
    }

    @Override
    public List<SearchSource> searchSources() {
        return Stream.concat(
                        Stream.of(new SourceSearch(platform.db(), search.search())), search.searchSources().stream())
                .toList();
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(KnowledgeExportStore.part(platform.db(), sources.originals()));
    }

    @Override
    public void start(ResourceStack resources) {
        embedding.start(resources);
        search.start(resources);
        sessions.start(resources);
        resources.add(fetcher);
        resources.add(() -> repositories.made().ifPresent(GitFetcher::close));
        resources.add(watchWorker.start());
        resources.add(sources.originals().start());
        resources.add(VocabularySweep.start(platform.db(), SourceSearch.VOCABULARY));
        resources.add(recordWorker.start());
        resources.add(new PostRuleWorker(platform.db(), postSync, rulesChanged).start());
    }
}
