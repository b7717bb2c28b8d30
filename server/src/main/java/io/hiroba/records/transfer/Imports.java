package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.Schemas;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates, uploads, previews, starts and cancels imports. Editors read their own, owners all. */
public final class Imports {

    static final int MAX_UNFINISHED = 5;
    static final long MAX_SIZE = 4L << 30;
    private static final int PART = 1 << 20;
    private static final int ERRORS_SHOWN = 1_000;

    private final Db db;
    private final IdGenerator ids;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Schemas schemas;
    private final ImportPreviewer previews;
    private final WakeSignal started;
    private final ImportStore store = new ImportStore();
    private final ImportContentStore content = new ImportContentStore();

    /** @param started raised when an import was started */
    public Imports(
            Db db,
            IdGenerator ids,
            Projects projects,
            SchemaCatalog catalog,
            Schemas schemas,
            ImportPreviewer previews,
            WakeSignal started) {
        this.db = db;
        this.started = started;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.schemas = schemas;
        this.previews = previews;
    }

    /** A requested import. */
    public record NewImport(
            String schema,
            ImportOptions options,
            String source,
            @Nullable Long size) {}

    /** An import with the errors of its lines. */
    public record Details(Import found, List<LineError> errors) {}

    /** Creates an import, whose file is uploaded later, in the caller's transaction. */
    public Import create(Tx tx, Caller caller, ProjectId project, NewImport requested) {
        var access = projects.access(tx, caller, project).requireEditor();
        if (requested.size() != null && requested.size() < 1) {
            throw TransferProblem.invalid("file", Text.of("records.transfer.empty"));
        }
        long most = maxSize(requested.options());
        if (requested.size() != null && requested.size() > most) {
            throw TransferProblem.tooLarge(most);
        }
        var schema = current(tx, access, requested.schema());
        if (schema.isEmpty()) {
            if (!requested.options().create()) {
                throw RecordsProblem.noSchema(requested.schema());
            }
            access.requireOwner();
        }
        if (requested.options().makesOptions()) {
            access.requireOwner();
        }
        store.lockCreation(tx, project, access.user());
        var unfinished = store.unfinished(tx, project, access.user());
        if (unfinished.size() >= MAX_UNFINISHED) {
            throw TransferProblem.tooMany(MAX_UNFINISHED, unfinished);
        }
        var created = new Import(
                new ImportId(ids.next()),
                project,
                schema.map(Schema::name).orElse(requested.schema()),
                schema.map(Schema::id).orElse(null),
                access.user(),
                requested.options(),
                requested.source(),
                ImportState.UPLOADING,
                requested.size(),
                0,
                new Import.Progress(0, 0, 0, 0, 0),
                null,
                null);
        store.insert(tx, created);
        return created;
    }

    /** The same in its own transaction. */
    public Import create(Caller caller, ProjectId project, NewImport requested) {
        return db.inTransaction(tx -> create(tx, caller, project, requested));
    }

    private Optional<Schema> current(Tx tx, ProjectAccess access, String schema) {
        try {
            return Optional.of(catalog.current(tx, access.tables(), schema));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }

    private Optional<Schema> schema(ProjectAccess access, String schema) {
        try {
            return Optional.of(catalog.cached(access.tables(), schema));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }

    public Import get(Caller caller, ProjectId project, ImportId id) {
        var access = projects.access(caller, project);
        return visible(access, db.read(reads -> store.find(reads, project, id)).orElseThrow(TransferProblem::noImport));
    }

    public Details details(Caller caller, ProjectId project, ImportId id) {
        var found = get(caller, project, id);
        return new Details(found, db.read(reads -> store.errors(reads, id, ERRORS_SHOWN)));
    }

    /** The newest first; the caller's own with {@code source} only, unless that is null. */
    public List<Import> list(Caller caller, ProjectId project, @Nullable String source, long before, int limit) {
        var access = projects.access(caller, project);
        // A client resumes an upload by its source, and only the creator may do so.
        @Nullable UserId by = access.isOwner() && source == null ? null : access.user();
        return db.read(reads -> store.list(reads, project, by, source, before, limit));
    }

    /**
     * Appends to the file. What arrived before the connection broke stays.
     *
     * @param offset the position of {@code more} in the file
     * @return the bytes uploaded so far
     */
    public long append(Caller caller, ProjectId project, ImportId id, long offset, InputStream more) {
        mine(caller, project, id);
        long received = offset;
        try {
            var part = more.readNBytes(PART);
            do {
                var some = part;
                long at = received;
                received = db.inTransaction(tx -> append(tx, project, id, at, some));
                part = more.readNBytes(PART);
            } while (part.length > 0);
            return received;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long append(Tx tx, ProjectId project, ImportId id, long offset, byte[] part) {
        var found = uploading(tx, project, id);
        if (found.received() != offset) {
            throw TransferProblem.wrongOffset(found.received());
        }
        long end = offset + part.length;
        long most = found.size() == null ? maxSize(found.options()) : found.size();
        if (end > most) {
            throw TransferProblem.tooLarge(most);
        }
        if (part.length > 0) {
            content.insert(tx, id, offset, part);
            store.setReceived(tx, id, end);
        }
        return end;
    }

    private static long maxSize(ImportOptions options) {
        return switch (options.format()) {
            case CSV, JSONL -> MAX_SIZE;
            case XLSX -> XlsxArchive.MAX_SIZE;
            case PARQUET -> ParquetLineReader.MAX_SIZE;
        };
    }

    /** Uploads the file from its beginning, replacing earlier parts. */
    public long replace(Caller caller, ProjectId project, ImportId id, InputStream whole) {
        mine(caller, project, id);
        while (db.inTransaction(tx -> cut(tx, project, id)) > 0) {
            // Until all parts are deleted.
        }
        long received = append(caller, project, id, 0, whole);
        var found = mine(caller, project, id);
        return received > 0 || found.size() != null
                ? received
                : orRefused(found, true, () -> {
                    throw new MalformedFileException(0, Text.of("records.transfer.empty"));
                });
    }

    private long cut(Tx tx, ProjectId project, ImportId id) {
        uploading(tx, project, id);
        long end = content.cut(tx, id);
        store.setReceived(tx, id, end);
        return end;
    }

    /** Previews the import without writing anything. */
    public ImportPreview preview(Caller caller, ProjectId project, ImportId id) {
        var access = projects.access(caller, project).requireEditor();
        var found = mine(caller, project, id);
        requireUploading(found);
        if (found.received() == 0) {
            throw TransferProblem.empty();
        }
        // Of a file whose size is not told, more may come.
        boolean whole = found.size() != null && found.size() == found.received();
        return orRefused(found, whole, () -> previews.of(access, found));
    }

    /**
     * The result of reading the file.
     *
     * @param whole whether all of it is here; one that cannot be read ends its import then, as nothing can be made of it
     */
    private <T> T orRefused(Import found, boolean whole, Supplier<T> reading) {
        var uploaded = db.read(reads -> store.uploadedAt(reads, found.id()));
        try {
            return reading.get();
        } catch (MalformedFileException e) {
            var refusal = TransferProblem.broken(e);
            if (whole
                    && uploaded.isPresent()
                    && db.inTransaction(tx -> store.refuse(tx, found, uploaded.get(), refusal.detail()))) {
                content.remove(db, found.id());
            }
            throw refusal;
        }
    }

    /** Sets how the columns of the file are read and mapped. */
    public void columns(Caller caller, ProjectId project, ImportId id, ColumnChoices chosen) {
        var found = mine(caller, project, id);
        chosen.requireDifferent();
        if (!Objects.equals(chosen.headerRow(), found.options().headerRow())) {
            orRefused(found, false, () -> {
                previews.requireColumns(found, chosen.in(found.options()));
                return true;
            });
        }
        db.useTransaction(tx -> {
            var held = uploading(tx, project, id);
            store.setOptions(tx, id, chosen.in(held.options()));
        });
    }

    /** Starts the import. A schema that is to be created is created now. */
    public Import start(Caller caller, ProjectId project, ImportId id) {
        var access = projects.access(caller, project).requireEditor();
        var found = mine(caller, project, id);
        if (found.state() == ImportState.RUNNING || found.state() == ImportState.DONE) {
            return found;
        }
        requireUploading(found);
        var known = schema(access, found.schemaKey());
        var definition =
                found.options().create() && known.isEmpty() ? read(found, () -> previews.definition(found)) : null;
        var options = definition != null
                ? definition.options()
                : known.map(schema -> read(found, () -> previews.ordered(found, schema)))
                        .orElse(found.options());
        return db.inTransaction(tx -> {
            // Before the import, as whoever renames the schema takes them.
            var schema = definition == null
                    ? catalog.current(tx, access.tables(), found.schemaKey())
                    : schemas.define(tx, access, definition.schema(), definition.titles());
            var held = uploading(tx, project, id);
            requireComplete(held);
            store.setSchema(tx, id, schema);
            store.setOptions(
                    tx,
                    id,
                    definition == null
                            ? held.options().withDates(options.dates()).withDecimal(options.decimal())
                            : definition.options());
            store.setState(tx, id, ImportState.RUNNING);
            tx.afterCommit(started::raise);
            return store.find(tx, project, id).orElseThrow();
        });
    }

    /** What is read of the file, if all of it is here; the start refuses it otherwise. */
    private <T> T read(Import found, Supplier<T> reading) {
        requireComplete(found);
        return orRefused(found, true, reading);
    }

    private static void requireComplete(Import found) {
        if (found.size() != null && found.size() != found.received()) {
            throw TransferProblem.incomplete(found.received(), found.size());
        }
        if (found.received() == 0) {
            throw TransferProblem.empty();
        }
    }

    /** Cancels the import; records written so far stay. A finished one is unchanged. */
    public Import cancel(Caller caller, ProjectId project, ImportId id) {
        get(caller, project, id);
        var over = db.inTransaction(tx -> {
            var held = store.lock(tx, project, id).orElseThrow(TransferProblem::noImport);
            if (!held.state().isOver()) {
                store.setState(tx, id, ImportState.CANCELLED);
            }
            return store.find(tx, project, id).orElseThrow();
        });
        content.remove(db, id);
        return over;
    }

    /**
     * An owner reads all imports of the project, but continues only their own: records are created in the creator's
     * name.
     */
    private Import mine(Caller caller, ProjectId project, ImportId id) {
        projects.access(caller, project).requireEditor();
        var found = get(caller, project, id);
        if (!found.by().equals(caller.user())) {
            throw TransferProblem.noImport();
        }
        return found;
    }

    private Import uploading(Tx tx, ProjectId project, ImportId id) {
        var found = store.lock(tx, project, id).orElseThrow(TransferProblem::noImport);
        requireUploading(found);
        return found;
    }

    private static void requireUploading(Import found) {
        if (found.state() != ImportState.UPLOADING) {
            throw TransferProblem.notUploading(found.state());
        }
    }

    private static Import visible(ProjectAccess access, Import found) {
        if (!access.isOwner() && !found.by().equals(access.user())) {
            throw TransferProblem.noImport();
        }
        return found;
    }
}
