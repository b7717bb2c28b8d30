package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.pages.CellPages;
import io.hiroba.records.pages.ChartPages;
import io.hiroba.records.pages.ChoicePages;
import io.hiroba.records.pages.Entrance;
import io.hiroba.records.pages.GridPages;
import io.hiroba.records.pages.HistoryPages;
import io.hiroba.records.pages.ImportPages;
import io.hiroba.records.pages.IndexPages;
import io.hiroba.records.pages.MemberPages;
import io.hiroba.records.pages.ProjectListPages;
import io.hiroba.records.pages.ProjectPages;
import io.hiroba.records.pages.RecordPages;
import io.hiroba.records.pages.RulesPages;
import io.hiroba.records.pages.SchemaPages;
import io.hiroba.records.pages.Times;
import io.hiroba.records.pages.Titles;
import io.hiroba.records.pages.UploadPages;
import java.util.List;

/** The pages of records, wired. */
final class RecordsPagesWiring {

    private final Shell shell;
    private final Platform platform;
    private final Users users;
    private final RecordsWiring records;
    private final TransferWiring transfer;
    private final Times times;
    private final Entrance entrance;

    RecordsPagesWiring(
            Shell shell, Platform platform, AccountsWiring accounts, RecordsWiring records, TransferWiring transfer) {
        this.shell = shell;
        this.platform = platform;
        this.users = accounts.users;
        this.records = records;
        this.transfer = transfer;
        this.times = new Times(accounts.readers, platform.clock());
        this.entrance = new Entrance(
                records.projects, records.catalog, platform.http().limits().uploadSize());
    }

    /** Those whose paths others would take for the name of a schema or the id of a record come first. */
    List<Routes> routes() {
        var cursors = platform.cursors();
        var titles = new Titles(entrance, records.records);
        return List.of(
                new ProjectListPages(shell, records.projects, records.schemas, cursors, platform.idempotency()),
                new ProjectPages(shell, entrance, records.projects, records.schemas, records.queries),
                new MemberPages(shell, entrance, records.projects, users, cursors),
                new IndexPages(shell, times, entrance, records.indexes),
                new UploadPages(shell, times, entrance, records.schemas, transfer.imports),
                new ImportPages(shell, times, entrance, transfer.imports, cursors),
                new SchemaPages(shell, times, entrance, records.schemas),
                new RulesPages(shell, entrance, records.schemas),
                new ChartPages(shell, times, entrance, titles, records.queries),
                new ChoicePages(entrance, records.queries),
                new GridPages(shell, times, entrance, titles, records.queries),
                new CellPages(shell, platform.assets()::url, times, entrance, titles, records.records, records.history),
                new HistoryPages(shell, times, entrance, titles, records.history, users),
                new RecordPages(shell, times, entrance, titles, records.records, users, platform.idempotency()));
    }
}
