package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.query.Matching;
import io.hiroba.records.saved.SavedQueries;
import io.hiroba.records.saved.SavedQueryRoutes;
import io.hiroba.records.saved.Watch;
import io.hiroba.records.transfer.ChunkWriter;
import io.hiroba.records.transfer.ExportRoutes;
import io.hiroba.records.transfer.Exports;
import io.hiroba.records.transfer.ImportRoutes;
import io.hiroba.records.transfer.ImportSweep;
import io.hiroba.records.transfer.ImportWorker;
import io.hiroba.records.transfer.Imports;
import java.util.List;

/** Imports, exports and saved queries of records, wired. */
final class TransferWiring {

    final Imports imports;
    final Exports exports;
    final SavedQueries saved;

    private final Platform platform;
    private final RecordsWiring records;
    private final Users users;
    private final Matching matching;

    TransferWiring(Platform platform, RecordsWiring records, Users users) {
        this.platform = platform;
        this.records = records;
        this.users = users;
        this.matching = new Matching(platform.db(), records.catalog, records.sights);
        imports = new Imports(
                platform.db(), platform.ids(), records.projects, records.catalog, records.schemas, records.sights);
        exports = new Exports(records.queries);
        saved = new SavedQueries(
                platform.db(), platform.ids(), records.projects, records.catalog, records.queries, matching, users);
    }

    ImportWorker worker() {
        var writer = new ChunkWriter(records.catalog, records.sights, platform.events(), new UuidV7(platform.clock()));
        return new ImportWorker(platform.db(), users, records.projects, writer).start();
    }

    WorkLoop sweep() {
        return new ImportSweep(platform.db()).start();
    }

    /** Starts what works on the event log. */
    void consume(Events events) {
        events.consume(
                Watch.CONSUMER, new Watch(records.projects, records.catalog, matching, users, platform.events()));
    }

    List<Routes> routes() {
        return List.of(
                new ImportRoutes(imports, platform.idempotency(), platform.cursors()),
                new ExportRoutes(exports),
                new SavedQueryRoutes(saved, platform.idempotency(), platform.cursors()));
    }
}
