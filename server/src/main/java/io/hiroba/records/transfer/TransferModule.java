package io.hiroba.records.transfer;

import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.task.QueueLag;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordEvents;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.Queries;
import io.hiroba.records.views.Views;
import java.util.List;

/** The composition of imports and exports. */
public final class TransferModule implements FeatureModule {

    private final Platform platform;
    private final Projects projects;
    private final Views views;
    private final Imports imports;
    private final Exports exports;
    private final ImportWorker worker;
    private final RecordExport ownData;

    public TransferModule(
            Platform platform,
            Projects projects,
            Schemas schemas,
            SchemaCatalog catalog,
            Users users,
            Queries queries,
            Views views) {
        this.platform = platform;
        this.projects = projects;
        this.views = views;
        var accessResolver = new AccessResolver(users);
        var started = new WakeSignal();
        var members = new MemberNames(projects, users);
        var previews = new ImportPreviewer(platform.db(), catalog, accessResolver, members);
        imports = new Imports(platform.db(), platform.ids(), projects, catalog, schemas, previews, started);
        exports = new Exports(queries, new DisplayNames(platform.db(), catalog, accessResolver, projects, users));
        ownData = new RecordExport(platform.db(), projects, schemas, exports);
        var options = new OptionChanges(
                platform.db(), platform.clock(), catalog, new RecordEvents(platform.events(), platform.commits()));
        var writer = new ImportChunkWriter(
                catalog, accessResolver, platform.events(), new UuidV7(platform.clock()), options, members);
        worker = new ImportWorker(platform.db(), users, projects, writer, started);
    }

    public Imports imports() {
        return imports;
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new ImportRoutes(imports, platform.idempotency(), platform.cursors()),
                new ExportRoutes(exports, projects, views));
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(ownData.part());
    }

    @Override
    public void start(ResourceStack resources) {
        QueueLag.register(platform.meters(), platform.db(), "imports", new ImportStore()::overdue);
        resources.add(worker.start());
        resources.add(new AbandonedImportSweep(platform.db()).start());
    }
}
