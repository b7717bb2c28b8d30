package io.hiroba.records.transfer;

import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.transfer.Imports.NewImport;
import io.hiroba.testkit.TestRecords;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Imports on a database of their own; nothing works on them but what a test starts. */
final class TestImports implements AutoCloseable {

    static final ImportOptions CSV = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, null);
    static final ImportOptions CSV_SKIPPING = new ImportOptions(FileFormat.CSV, ",", "UTC", true, false, null);
    static final ImportOptions CSV_CREATING = new ImportOptions(FileFormat.CSV, ",", "Asia/Tokyo", false, true, null);
    static final ImportOptions JSONL = new ImportOptions(FileFormat.JSONL, ",", "UTC", true, false, null);
    static final ImportOptions JSONL_CREATING = new ImportOptions(FileFormat.JSONL, ",", "UTC", false, true, null);

    final TestRecords records = new TestRecords();
    private final WakeSignal started = new WakeSignal();
    final DisplayNames names = new DisplayNames(
            records.db, records.catalog, records.accessResolver, records.projects, records.accounts.users);
    private final MemberNames members = new MemberNames(records.projects, records.accounts.users);
    final Imports imports = new Imports(
            records.db,
            records.accounts.lease.ids(),
            records.projects,
            records.catalog,
            records.schemas,
            new ImportPreviewer(records.db, records.catalog, records.accessResolver, members),
            started);

    ImportWorker worker() {
        return worker(Duration.ofSeconds(60), work -> {});
    }

    ImportWorker worker(Duration lease, ImportWorker.Faults faults) {
        var writer = new ImportChunkWriter(
                records.catalog,
                records.accessResolver,
                records.log,
                new UuidV7(Clock.systemUTC()),
                records.options,
                members);
        return new ImportWorker(records.db, records.accounts.users, records.projects, writer, started, lease, faults);
    }

    ImportId upload(ProjectAccess access, String schema, ImportOptions options, String content) {
        return upload(access, schema, options, stream(content));
    }

    ImportId upload(ProjectAccess access, String schema, ImportOptions options, InputStream content) {
        var project = access.project().id();
        var id = records.db
                .inTransaction(
                        tx -> imports.create(tx, access.caller(), project, new NewImport(schema, options, "", null)))
                .id();
        imports.append(access.caller(), project, id, 0, content);
        return id;
    }

    ImportId start(ProjectAccess access, String schema, ImportOptions options, String content) {
        var id = upload(access, schema, options, content);
        imports.start(access.caller(), access.project().id(), id);
        return id;
    }

    /** Carries it out and tells what became of it. */
    Import done(ProjectAccess access, String schema, ImportOptions options, String content) {
        var id = start(access, schema, options, content);
        worker().runAll();
        return get(access, id);
    }

    Import get(ProjectAccess access, ImportId id) {
        return imports.get(access.caller(), access.project().id(), id);
    }

    /** The errors, such as {@code 3 price must be a number}. */
    List<String> errors(ProjectAccess access, ImportId id) {
        return imports.details(access.caller(), access.project().id(), id).errors().stream()
                .map(error -> "%d %s %s".formatted(error.line(), error.field(), error.message()))
                .toList();
    }

    /** How many records there are by each value at {@code place} of their documents. */
    Map<String, Integer> values(ProjectAccess access, int place) {
        return records
                .db
                .read(reads -> reads.query("SELECT doc ->> %d AS value FROM %s"
                                .formatted(place, access.tables().records()))
                        .map(row -> String.valueOf(row.getString("value")))
                        .list())
                .stream()
                .collect(Collectors.toMap(value -> value, value -> 1, Integer::sum));
    }

    int count(ProjectAccess access) {
        return records.count(access, "SELECT count(*) FROM records.\"records_@\"");
    }

    int parts(ImportId id) {
        return records.db.read(reads -> reads.query("SELECT count(*) FROM records.import_content WHERE import_id = :id")
                .bind("id", id.value())
                .mapTo(Integer.class)
                .one());
    }

    static ByteArrayInputStream stream(String content) {
        return new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        records.close();
    }
}
