package io.hiroba.records.pages;

import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Attachments;
import io.hiroba.records.KnowledgeTexts;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTemplates;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordEdits;
import io.hiroba.records.RecordHistory;
import io.hiroba.records.Records;
import io.hiroba.records.RemovedAttributes;
import io.hiroba.records.RemovedSchemas;
import io.hiroba.records.Retypes;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.SchemaChanges;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.BulkEdits;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.SavedQueries;
import io.hiroba.records.sql.SqlAccess;
import io.hiroba.records.transfer.Imports;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.views.Dashboards;
import io.hiroba.records.views.ViewLinks;
import io.hiroba.records.views.Views;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The composition of the pages of records. */
public final class RecordPagesModule implements FeatureModule {

    private final Platform platform;
    private final Readers readers;
    private final Users users;
    private final Facades records;
    private final Imports imports;

    /** The facades of records that the pages show. */
    public record Facades(
            Projects projects,
            SchemaCatalog catalog,
            Schemas schemas,
            SchemaChanges schemaChanges,
            RemovedAttributes removedAttributes,
            RemovedSchemas removedSchemas,
            Retypes retypes,
            OptionChanges optionChanges,
            Records records,
            RecordHistory history,
            Queries queries,
            BulkEdits bulkEdits,
            Views views,
            ViewLinks viewLinks,
            SavedQueries savedQueries,
            Indexes indexes,
            SqlAccess sqlAccess,
            ProjectTemplates templates,
            Dashboards dashboards,
            Attachments attachments,
            KnowledgeTexts knowledgeTexts,
            Presence presence) {}

    /** Tells open grids at which cell the caller is; a row of null is that they have left. */
    @FunctionalInterface
    public interface Presence {

        void tell(ProjectAccess access, String schema, String session, @Nullable RowId row, @Nullable String attribute);
    }

    public RecordPagesModule(Platform platform, Readers readers, Users users, Facades records, Imports imports) {
        this.platform = platform;
        this.readers = readers;
        this.users = users;
        this.records = records;
        this.imports = imports;
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(new NavItem(Text.of("records.records"), RecordPaths.ALL, "table", 150, Audience.SIGNED_IN));
    }

    private ViewKinds views(Shell shell, PageContext context, RecordTitles titles) {
        return new ViewKinds(
                new BoardPage(shell, context, titles, records.queries(), records.records()),
                new CalendarPage(shell, context, titles, records.queries()),
                new GalleryPage(shell, context, titles, records.queries()),
                new FormPage(shell, context, titles, records.records(), platform.idempotency()));
    }

    private SharedViewPages.Facades links(Shell shell, PageContext context, RecordTitles titles) {
        return new SharedViewPages.Facades(
                records.views(),
                records.viewLinks(),
                views(shell, context, titles),
                records.attachments(),
                platform.throttle(),
                platform.addresses(),
                platform.cursors());
    }

    /** Routes with fixed paths come first: others would take them for the name of a schema or the id of a record. */
    @Override
    public List<Routes> pages(Shell shell) {
        var cursors = platform.cursors();
        var idempotency = platform.idempotency();
        var context = new PageContext(
                records.projects(),
                records.catalog(),
                records.removedSchemas(),
                users,
                platform.http().limits().uploadSize());
        var titles = new RecordTitles(context, records.records(), records.attachments());
        var search = new QuickSearch(context, records.queries());
        var attributes = new AttributePages(
                shell,
                readers,
                context,
                records.schemas(),
                records.schemaChanges(),
                records.removedAttributes(),
                records.retypes());
        return List.of(
                new ProjectPages(
                        shell,
                        context,
                        records.projects(),
                        records.schemas(),
                        records.queries(),
                        records.templates(),
                        platform),
                new MemberPages(shell, context, records.projects(), users, cursors),
                new SavedQueryPages(shell, readers, context, titles, records.views(), records.savedQueries(), search),
                new IndexPages(shell, readers, context, records.indexes()),
                new ConnectPages(
                        shell, context, records.sqlAccess(), platform.http().publicUrl()),
                new UploadPages(shell, readers, context, records.schemas(), imports),
                new ImportPages(shell, readers, context, imports, cursors),
                new SchemaPages(shell, readers, context, records.schemas(), records.schemaChanges()),
                new RemovedSchemaPages(shell, readers, context, records.removedSchemas(), users),
                attributes,
                new ComputedPages(shell, records.schemas(), attributes),
                new RetypePages(shell, context, records.retypes()),
                new OptionPages(shell, readers, context, records.optionChanges()),
                new RulesPages(shell, readers, context, records.projects(), records.schemas(), records.queries()),
                new KnowledgeTextPages(shell, context, records.knowledgeTexts()),
                new ChartPages(shell, readers, context, titles, records.queries(), records.dashboards()),
                new DashboardPages(shell, readers, context, titles, records.queries(), records.dashboards()),
                new ReferenceChoicePages(context, records.queries()),
                new ViewPages(shell, readers, context, records.views(), views(shell, context, titles), search),
                new SharedViewPages(shell, readers, context, titles, records.queries(), links(shell, context, titles)),
                new GridPages(shell, readers, context, titles, records.queries(), records.views()),
                new ReferringPages(shell, context, records.records(), records.schemas(), records.queries()),
                new BulkEditPages(shell, readers, context, records.queries(), records.views(), records.bulkEdits()),
                new PresencePages(context, records.presence()),
                new GridBatchPages(
                        shell,
                        readers,
                        context,
                        titles,
                        records.queries(),
                        new RecordEdits(records.records(), records.history()),
                        idempotency),
                new CellPages(shell, readers, context, titles, records.records(), records.history()),
                new HistoryPages(shell, readers, context, titles, records.history(), users),
                new RecordPages(shell, readers, context, titles, records.records(), users, idempotency));
    }
}
