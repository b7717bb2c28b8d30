package io.hiroba.records;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.QueueLag;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectTemplates.Choice;
import io.hiroba.records.odata.ODataModule;
import io.hiroba.records.pages.RecordPagesModule;
import io.hiroba.records.query.BulkEditModule;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryModule;
import io.hiroba.records.sql.SqlAccessModule;
import io.hiroba.records.transfer.TransferModule;
import io.hiroba.records.tuning.TuningModule;
import io.hiroba.records.views.ViewModule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The composition of the records feature: projects, their schemas and records, queries, indexes, imports and pages. */
public final class RecordsModule implements FeatureModule {

    /** The most bytes of a file of a record. */
    private static final long MAX_FILE = 25L << 20;

    private static final Duration NAMES_SWEPT = Duration.ofHours(1);

    private final Platform platform;
    private final Projects projects;
    private final Schemas schemas;
    private final SchemaChanges schemaChanges;
    private final RemovedAttributes removedAttributes;
    private final RemovedSchemas removedSchemas;
    private final Retypes retypes;
    private final RetypeWorker retypeWorker;
    private final OptionChanges optionChanges;
    private final Computations computations;
    private final ComputationWorker computationWorker;
    private final Records records;
    private final RecordBulkRoutes bulk;
    private final RecordHistory history;
    private final Attachments attachments;
    private final LiveRecords live;
    private final RecordPreviews previews;
    private final RecordTexts texts = new RecordTexts();
    private final KnowledgeTexts knowledgeTexts;
    private final SearchSource searchSource;
    private final PublishedEvents publishedEvents;
    private final TuningModule tuning;
    private final QueryModule query;
    private final BulkEditModule bulkEdits;
    private final ViewModule views;
    private final ProjectTemplates templates;
    private final TransferModule transfer;
    private final ODataModule odata;
    private final SqlAccessModule sqlAccess;
    private final RecordPagesModule pages;

    /**
     * @param storage that of the files of records
     * @param thumbnails makes their previews
     */
    public RecordsModule(
            Platform platform,
            Users users,
            Readers readers,
            ArchiveStorage storage,
            Attachments.Thumbnails thumbnails) {
        this.platform = platform;
        var db = platform.db();
        projects = new Projects(db, platform.ids(), platform.events());
        var catalog = new SchemaCatalog(db);
        schemas = new Schemas(db, catalog);
        schemaChanges = new SchemaChanges(db, platform.clock(), catalog, platform.events());
        removedAttributes = new RemovedAttributes(db, platform.clock(), catalog);
        removedSchemas = new RemovedSchemas(db, platform.clock(), catalog, platform.events());
        var retypeStarted = new WakeSignal();
        retypes = new Retypes(db, platform.clock(), platform.ids(), catalog, retypeStarted);
        QueueLag.register(platform.meters(), db, "retypes", new RetypeStore()::overdue);
        retypeWorker = new RetypeWorker(db, platform.clock(), projects, catalog, retypeStarted);
        computations = new Computations(db, catalog);
        computationWorker = new ComputationWorker(db, projects, catalog);
        var accessResolver = new AccessResolver(users);
        var events = new RecordEvents(platform.events(), platform.commits());
        optionChanges = new OptionChanges(db, platform.clock(), catalog, events);
        records = new Records(db, platform.clock(), catalog, accessResolver, events);
        var uploads = platform.data().resolve("uploads");
        bulk = new RecordBulkRoutes(
                projects, new BulkWriter(db, catalog, accessResolver, records, platform.idempotency()), uploads);
        attachments = new Attachments(
                db,
                platform.clock(),
                platform.ids(),
                platform.throttle(),
                catalog,
                records,
                new Attachments.Place(
                        storage,
                        thumbnails,
                        uploads,
                        Math.min(MAX_FILE, platform.http().limits().uploadSize().bytes())));
        history = new RecordHistory(db, catalog, accessResolver, records, events);
        live = new LiveRecords(projects, catalog, records, history, users, platform.commits());
        previews = new RecordPreviews(projects, catalog, accessResolver);
        knowledgeTexts = new KnowledgeTexts(db, platform.ids(), platform.clock());
        searchSource = new RecordSearchSource(db, projects, schemas, accessResolver);
        publishedEvents = new PublishedRecordEvents(projects, catalog, accessResolver);
        tuning = new TuningModule(platform, projects, catalog);
        var queryDb = platform.openPool(Queries.PLANNER);
        query = new QueryModule(platform, queryDb, projects, catalog, accessResolver, users, tuning.hints());
        var edits = new RecordEdits(records, history);
        bulkEdits = new BulkEditModule(platform, projects, catalog, accessResolver, users, query.queries(), edits);
        views = new ViewModule(platform, projects, catalog, query.queries(), users);
        templates = new ProjectTemplates(projects, schemas, records, catalog, platform.clock(), views);
        transfer = new TransferModule(platform, projects, schemas, catalog, users, query.queries(), views.views());
        odata = new ODataModule(platform, projects, schemas, records, query.queries());
        sqlAccess = new SqlAccessModule(platform, projects, schemas);
        pages = new RecordPagesModule(
                platform,
                readers,
                users,
                new RecordPagesModule.Facades(
                        projects,
                        catalog,
                        schemas,
                        schemaChanges,
                        removedAttributes,
                        removedSchemas,
                        retypes,
                        optionChanges,
                        records,
                        history,
                        query.queries(),
                        bulkEdits.bulkEdits(),
                        views.views(),
                        views.links(),
                        query.savedQueries(),
                        tuning.indexes(),
                        sqlAccess.sqlAccess(),
                        templates,
                        views.dashboards(),
                        attachments,
                        knowledgeTexts,
                        live::tell),
                transfer.imports());
    }

    /** The titles, assignees and readers of single records, for the inbox. */
    public RecordPreviews previews() {
        return previews;
    }

    /** Records as texts, for knowledge. */
    public RecordTexts texts() {
        return texts;
    }

    /** Makers of a project of each template with its records, by name, for the demo; each answers the project's id. */
    public Map<String, ToLongBiFunction<Tx, Caller>> exampleProjects() {
        return templates.list(Language.ENGLISH).stream()
                .collect(Collectors.toMap(
                        each -> "project " + each.name(),
                        each -> (tx, owner) -> templates
                                .create(tx, owner, each.title(), new Choice(each.name(), Language.ENGLISH, true))
                                .id()
                                .value()));
    }

    @Override
    public List<Routes> routes() {
        var own = List.<Routes>of(
                new ProjectRoutes(projects, templates, platform.idempotency(), platform.cursors()),
                new SchemaRoutes(projects, schemas, platform.idempotency(), platform.cursors()),
                new SchemaChangeRoutes(
                        projects, schemas, schemaChanges, removedAttributes, optionChanges, retypes, computations),
                new RemovedSchemaRoutes(projects, schemas, removedSchemas),
                new RetypeRoutes(projects, schemas, retypes),
                new KnowledgeTextRoutes(projects, knowledgeTexts),
                new RecordRoutes(projects, records, platform.idempotency()),
                bulk,
                new HistoryRoutes(projects, history, platform.cursors()),
                new AttachmentRoutes(projects, attachments));
        return Stream.of(
                        own,
                        query.routes(),
                        bulkEdits.routes(),
                        views.routes(),
                        tuning.routes(),
                        transfer.routes(),
                        odata.routes(),
                        sqlAccess.routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return pages.pages(shell);
    }

    @Override
    public List<NavItem> navigation() {
        return pages.navigation();
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return query.consumers();
    }

    @Override
    public List<LiveSource> liveSources() {
        return List.of(live);
    }

    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(LocalSagaStep.of("hiroba", "delete-projects", this::deleteProjects));
    }

    @Override
    public List<SearchSource> searchSources() {
        return List.of(searchSource);
    }

    @Override
    public List<PublishedEvents> publishedEvents() {
        return List.of(publishedEvents);
    }

    @Override
    public List<ExportPart> exports() {
        return transfer.exports();
    }

    /** What becomes of the projects that nobody but {@code user} owns if they delete their account. */
    public List<Projects.Succession> successions(UserId user) {
        return projects.successions(user);
    }

    private JsonNode deleteProjects(JsonNode input) {
        projects.removeEverywhere(
                Caller.server(UserId.parse(input.path("by").asString())),
                UserId.parse(input.path("user").asString()));
        return JsonMapper.shared().createObjectNode();
    }

    @Override
    public void start(ResourceStack resources) {
        tuning.start(resources);
        query.start(resources);
        bulkEdits.start(resources);
        transfer.start(resources);
        sqlAccess.start(resources);
        resources.add(attachments.start());
        resources.add(live);
        resources.add(retypeWorker.start());
        resources.add(computationWorker.start());
        resources.add(removedSchemas.start(projects));
        resources.add(WorkLoop.every(NAMES_SWEPT, "former names", () -> {
            schemaChanges.sweep(projects);
            removedAttributes.sweep(projects);
        }));
    }
}
