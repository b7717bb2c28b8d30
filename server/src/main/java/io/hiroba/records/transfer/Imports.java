package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.records.Access;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schemas;
import io.hiroba.records.schema.Sights;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Imports: asked for, their files taken in, looked at, started and ended. Editors have their own, owners see all. */
public final class Imports {

    static final int MOST_UNFINISHED = 5;
    static final long LARGEST = 4L << 30;
    private static final int PART = 1 << 20;
    private static final int ERRORS_SHOWN = 1_000;

    private final Db db;
    private final IdGenerator ids;
    private final Projects projects;
    private final Catalog catalog;
    private final Schemas schemas;
    private final Previews previews;
    private final ImportStore store = new ImportStore();
    private final ContentStore content = new ContentStore();

    public Imports(Db db, IdGenerator ids, Projects projects, Catalog catalog, Schemas schemas, Sights sights) {
        this.db = db;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.schemas = schemas;
        this.previews = new Previews(db, catalog, sights);
    }

    /** An import that is asked for. */
    public record NewImport(
            String schema,
            ImportOptions options,
            String source,
            @Nullable Long size) {}

    /** An import and what is wrong with its lines. */
    public record Details(Import found, List<LineError> errors) {}

    /** Makes an import, whose file is still to come, in the caller's transaction. */
    public Import create(Tx tx, Caller caller, ProjectId project, NewImport asked) {
        var access = projects.access(tx, caller, project).requireEditor();
        if (asked.size() != null && asked.size() < 1) {
            throw TransferProblem.invalid("file", "must not be empty");
        }
        if (asked.size() != null && asked.size() > LARGEST) {
            throw TransferProblem.tooLarge(LARGEST);
        }
        if (!exists(tx, access, asked.schema())) {
            if (!asked.options().create()) {
                throw RecordsProblem.noSchema(asked.schema());
            }
            access.requireOwner();
        }
        if (store.unfinished(tx, project, access.user()) >= MOST_UNFINISHED) {
            throw TransferProblem.tooMany(MOST_UNFINISHED);
        }
        var made = new Import(
                new ImportId(ids.next()),
                project,
                asked.schema(),
                access.user(),
                asked.options(),
                asked.source(),
                ImportState.UPLOADING,
                asked.size(),
                0,
                new Import.Progress(0, 0, 0, 0, 0),
                null,
                null);
        store.insert(tx, made);
        return made;
    }

    /** As above, in a transaction of its own. */
    public Import create(Caller caller, ProjectId project, NewImport asked) {
        return db.inTransaction(tx -> create(tx, caller, project, asked));
    }

    private boolean exists(Tx tx, Access access, String schema) {
        try {
            catalog.current(tx, access.tables(), schema);
            return true;
        } catch (RecordsProblem e) {
            return false;
        }
    }

    private boolean exists(Access access, String schema) {
        try {
            catalog.known(access.tables(), schema);
            return true;
        } catch (RecordsProblem e) {
            return false;
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

    /** The newest first; the caller's own of {@code source} only, unless that is null. */
    public List<Import> list(Caller caller, ProjectId project, @Nullable String source, long before, int limit) {
        var access = projects.access(caller, project);
        // What goes on with a file looks for it by its source, and an import is gone on with by its maker only.
        @Nullable UserId by = access.isOwner() && source == null ? null : access.user();
        return db.read(reads -> store.list(reads, project, by, source, before, limit));
    }

    /**
     * Takes in more of the file. What came before the connection broke stays.
     *
     * @param offset where in the file {@code more} begins
     * @return how much is there now
     */
    public long append(Caller caller, ProjectId project, ImportId id, long offset, InputStream more) {
        mine(caller, project, id);
        long there = offset;
        try {
            var part = more.readNBytes(PART);
            do {
                var some = part;
                long at = there;
                there = db.inTransaction(tx -> append(tx, project, id, at, some));
                part = more.readNBytes(PART);
            } while (part.length > 0);
            return there;
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
        long most = found.size() == null ? LARGEST : found.size();
        if (end > most) {
            throw TransferProblem.tooLarge(most);
        }
        if (part.length > 0) {
            content.insert(tx, id, offset, part);
            store.setReceived(tx, id, end);
        }
        return end;
    }

    /** Takes in the file from its beginning, instead of what was there of it. */
    public long replace(Caller caller, ProjectId project, ImportId id, InputStream whole) {
        mine(caller, project, id);
        while (db.inTransaction(tx -> cut(tx, project, id)) > 0) {
            // There is more of it.
        }
        return append(caller, project, id, 0, whole);
    }

    private long cut(Tx tx, ProjectId project, ImportId id) {
        uploading(tx, project, id);
        long end = content.cut(tx, id);
        store.setReceived(tx, id, end);
        return end;
    }

    /** What the import would do with the beginning of its file. Nothing is written. */
    public Preview preview(Caller caller, ProjectId project, ImportId id) {
        var access = projects.access(caller, project).requireEditor();
        var found = mine(caller, project, id);
        if (found.received() == 0) {
            throw TransferProblem.empty();
        }
        try {
            return previews.of(access, found);
        } catch (BrokenContent e) {
            throw TransferProblem.broken(e);
        }
    }

    /** Sends each column of the file to an attribute, or nowhere where the name is empty. */
    public void columns(Caller caller, ProjectId project, ImportId id, Map<String, String> targets) {
        mine(caller, project, id);
        var taken = new HashSet<String>();
        for (var target : targets.values()) {
            if (!target.isEmpty() && !taken.add(target)) {
                throw TransferProblem.invalid("columns", "must not send two columns to `%s`".formatted(target));
            }
        }
        db.useTransaction(tx -> {
            var held = uploading(tx, project, id);
            store.setOptions(tx, id, held.options().going(targets));
        });
    }

    /** Lets the nodes begin. A schema that is to be made is made now. */
    public Import start(Caller caller, ProjectId project, ImportId id) {
        var access = projects.access(caller, project).requireEditor();
        var found = mine(caller, project, id);
        if (found.state() == ImportState.RUNNING || found.state() == ImportState.DONE) {
            return found;
        }
        var definition = found.options().create() && !exists(access, found.schema()) ? definition(found) : null;
        return db.inTransaction(tx -> {
            var held = uploading(tx, project, id);
            if (held.size() != null && held.size() != held.received()) {
                throw TransferProblem.incomplete(held.received(), held.size());
            }
            if (held.received() == 0) {
                throw TransferProblem.empty();
            }
            if (definition != null) {
                schemas.define(tx, access, definition.schema());
                store.setOptions(tx, id, definition.options());
            }
            store.setState(tx, id, ImportState.RUNNING);
            return store.find(tx, project, id).orElseThrow();
        });
    }

    private Previews.Made definition(Import found) {
        if (found.received() == 0) {
            throw TransferProblem.empty();
        }
        try {
            return previews.definition(found);
        } catch (BrokenContent e) {
            throw TransferProblem.broken(e);
        }
    }

    /** Ends the import; what was written stays. One that is over already stays as it is. */
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

    /** An owner sees all imports of the project, but goes on with their own only: records are made in its maker's name. */
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
        if (found.state() != ImportState.UPLOADING) {
            throw TransferProblem.notUploading(found.state());
        }
        return found;
    }

    private static Import visible(Access access, Import found) {
        if (!access.isOwner() && !found.by().equals(access.user())) {
            throw TransferProblem.noImport();
        }
        return found;
    }
}
