package io.hiroba.knowledge;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.documents.DocumentTitle;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.problem.Problem.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds, lists, updates and deletes sources. The owner may do everything, an admin too; others read public sources. In a collection, its
 * roles decide instead, except that an owner may always delete a source or take it out.
 */
public final class Sources {

    private final Db db;
    private final SourceWriter writer;
    private final Throttle throttle;
    private final SourceIngestion intake;
    private final Throttle.Limit perHour;
    private final Originals originals;
    private final AuditLog audit;
    private final SourceStore store = new SourceStore();
    private final SourcePlacement placements;

    /** @param storage of the files that sources were made from */
    public Sources(
            Db db,
            InstantSource clock,
            SourceWriter writer,
            Throttle throttle,
            SourceIngestion intake,
            SourcesConfig config,
            ArchiveStorage storage) {
        this.db = db;
        this.writer = writer;
        this.throttle = throttle;
        this.perHour = new Throttle.Limit(config.perHour(), Duration.ofHours(1));
        this.originals = new Originals(db, clock, storage, config.originalsPerUser());
        this.intake = intake;
        this.audit = new AuditLog(db);
        this.placements = new SourcePlacement(writer);
    }

    /**
     * The result of an addition.
     *
     * @param isNew false if the owner had the same content, or the same URL, which is then fetched again
     */
    public record Added(KnowledgeSource source, boolean isNew) {}

    /** The caller's own and public sources below {@code before}, the newest first. */
    public List<KnowledgeSource> list(Caller caller, Filter filter, Optional<SourceId> before, int limit) {
        long below = before.map(SourceId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller, filter, below, limit));
    }

    /** The source. An admin who reads what is private to another is recorded. */
    public KnowledgeSource get(Caller caller, SourceId id) {
        var source = find(caller, id);
        if (source.isForeignTo(caller)) {
            audit.recordRead(caller, AuditLog.Action.SOURCE_READ, target(source));
        }
        return source;
    }

    private KnowledgeSource find(Caller caller, SourceId id) {
        return db.read(reads -> store.find(reads, caller, id)).orElseThrow(KnowledgeProblem::noSource);
    }

    private static Target target(KnowledgeSource source) {
        return new Target(
                TargetKind.SOURCE, source.id().hex(), source.title(), source.isNobodys() ? null : source.owner());
    }

    /** The source without an access check. */
    public Optional<KnowledgeSource> find(Reads reads, SourceId id) {
        return store.find(reads, new Caller(new UserId(0), true, new Caller.ByServer(), null), id);
    }

    /** The source's chunks in order, after the position {@code after}; -1 is before the first. */
    public List<SourceChunk> chunks(Caller caller, SourceId id, int after, int limit) {
        var chunks = db.read(reads -> store.chunks(reads, caller, id, after, limit));
        if (chunks.isEmpty() || caller.admin()) {
            get(caller, id);
        }
        return chunks;
    }

    /** The position of the chunk in its source, from 0; empty if it does not exist or the caller may not read it. */
    public Optional<Integer> position(Caller caller, SourceId source, ChunkId chunk) {
        return db.read(reads -> store.position(reads, caller, source, chunk));
    }

    /** Counts an addition against the caller's rate limit; called before anything is read. */
    public void admit(Caller caller) {
        count("sources:", caller);
    }

    /** Counts a repeat of an addition: its input is read all the same, and may be another than the first time. */
    void admitRepeat(Caller caller) {
        count("sources-repeated:", caller);
    }

    private void count(String what, Caller caller) {
        if (!caller.admin()) {
            throttle.check(what + caller.user().hex(), perHour).orThrow();
        }
    }

    /** Reads an input and cuts it into chunks, which may take a while. A file is kept. */
    public SourceIngestion.Draft read(Caller caller, SourceInput handed) {
        return read(caller, caller.user(), handed);
    }

    private SourceIngestion.Draft read(Caller caller, UserId owner, SourceInput handed) {
        var draft = intake.read(caller, handed);
        return handed instanceof SourceInput.File file
                ? originals.keep(owner, file.content()).map(draft::with).orElse(draft)
                : draft;
    }

    Originals originals() {
        return originals;
    }

    /** Whether the file that a source was made from can be opened. */
    public boolean hasOriginal(SourceId id) {
        return originals.has(id);
    }

    /** Checks the rate limit, reads the input and adds the source. */
    public Added add(Caller caller, SourceInput handed, boolean isPublic) {
        return add(caller, handed, new Placement(isPublic, null));
    }

    /** The same, in a collection. */
    public Added add(Caller caller, SourceInput handed, Placement placement) {
        admit(caller);
        return addAdmitted(caller, handed, placement);
    }

    Added addAdmitted(Caller caller, SourceInput handed, Placement placement) {
        requireEditor(caller, placement);
        var draft = read(caller, handed);
        return db.inTransaction(tx -> add(tx, caller, draft, placement));
    }

    /** Refuses before anything is read. */
    void requireEditor(Caller caller, Placement placement) {
        db.useTransaction(tx -> placements.requireEditor(tx, caller, placement));
    }

    /** Creates a source from a draft, unless the caller has it already. */
    public Added add(Tx tx, Caller caller, SourceIngestion.Draft draft, Placement placement) {
        placements.requireEditor(tx, caller, placement);
        var source = source(caller.user(), placement, draft);
        while (true) {
            var made = writer.create(tx, source, draft.chunks());
            if (made.isPresent()) {
                originals.attach(tx, made.get(), draft.original());
                return new Added(found(tx, caller, made.get()), true);
            }
            var known = writer.find(tx, source).filter(id -> store.lock(tx, id));
            if (known.isPresent()) {
                var before = found(tx, caller, known.get());
                if (draft.origin() != null) {
                    requireChangeable(caller, before);
                    rewrite(tx, before, draft);
                } else if (draft.original() != null) {
                    originals.attach(tx, known.get(), draft.original());
                }
                placements.place(tx, before, placement, draft.origin() != null);
                recordChange(tx, caller, before);
                return new Added(found(tx, caller, known.get()), false);
            }
            // It was deleted between the two statements.
        }
    }

    /** Replaces the content of a source; unchanged chunks keep their vectors. */
    public KnowledgeSource replace(Caller caller, SourceId id, SourceInput handed) {
        var before = changeable(caller, id);
        SourcePlacement.requireOwnContent(before);
        admit(caller);
        return write(caller, id, read(caller, before.owner(), handed));
    }

    /** Fetches the URL of a source again. */
    public KnowledgeSource refresh(Caller caller, SourceId id) {
        var before = changeable(caller, id);
        var url = before.fetchedFrom().orElseThrow(() -> new KnowledgeProblem(Kind.CONFLICT, "no-address"));
        admit(caller);
        return write(caller, id, read(caller, new SourceInput.Url(url)));
    }

    private KnowledgeSource write(Caller caller, SourceId id, SourceIngestion.Draft draft) {
        try {
            return db.inTransaction(tx -> {
                requireThere(tx, id);
                var before = found(tx, caller, id);
                requireChangeable(caller, before);
                rewrite(tx, before, draft);
                return recordChange(tx, caller, before);
            });
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.UNIQUE_VIOLATION) ? new KnowledgeProblem(Kind.CONFLICT, "same-content") : e;
        }
    }

    /** Updates the source under its lock: reading the draft may have taken long. */
    private void rewrite(Tx tx, KnowledgeSource now, SourceIngestion.Draft draft) {
        var title = now.titleWith(draft);
        var source = new NewSource(
                now.owner(),
                now.isPublic(),
                now.type(),
                title,
                draft.origin() == null ? now.uri() : draft.uri(),
                now.origin(),
                // The URL stays the identity of the source, whatever its content.
                now.origin() == null ? draft.contentHash() : null,
                Place.NONE,
                draft.metadata());
        writer.replace(tx, now.id(), source, draft.chunks());
        originals.attach(tx, now.id(), draft.original());
        if (!title.equals(draft.title())) {
            writer.rename(tx, now.id(), title);
        }
    }

    /** Changes the title and visibility, if given. */
    public KnowledgeSource change(Caller caller, SourceId id, @Nullable String title, @Nullable Boolean isPublic) {
        return change(caller, id, new Change(title, isPublic, null));
    }

    /**
     * A change of a source; what is null stays.
     *
     * @param collection the id of the collection to put it into; empty takes it out of its own
     */
    public record Change(
            @Nullable String title,
            @Nullable Boolean isPublic,
            @Nullable String collection) {}

    /** Changes what is given. */
    public KnowledgeSource change(Caller caller, SourceId id, Change change) {
        var name = change.title() == null ? null : DocumentTitle.checked(change.title());
        return db.inTransaction(tx -> {
            requireThere(tx, id);
            var before = found(tx, caller, id);
            if (change.collection() == null || name != null || change.isPublic() != null) {
                requireChangeable(caller, before);
            }
            if (change.collection() != null) {
                placements.move(tx, caller, before, change.collection());
            }
            if (name != null) {
                writer.rename(tx, id, name);
            }
            if (change.isPublic() != null) {
                placements.setPublic(tx, found(tx, caller, id), change.isPublic());
            }
            return recordChange(tx, caller, before);
        });
    }

    /** Records what was changed of another's source, and who let whom read it; returns the source as it is now. */
    private KnowledgeSource recordChange(Tx tx, Caller caller, KnowledgeSource before) {
        var now = store.find(tx, new Caller(caller.user(), true, caller.via(), null), before.id())
                .orElseThrow(KnowledgeProblem::noSource);
        boolean isShared = now.isPublic() != before.isPublic() || !Objects.equals(collection(now), collection(before));
        if (isShared || !now.owner().equals(caller.user())) {
            var changes = Changes.NONE
                    .with("title", before.title(), now.title())
                    .with("isPublic", before.isPublic(), now.isPublic())
                    .with("collection", collection(before), collection(now));
            audit.record(tx, caller, AuditLog.Action.SOURCE_CHANGED, target(now), changes);
        }
        return now;
    }

    private static @Nullable String collection(KnowledgeSource source) {
        return source.collection() == null ? null : source.collection().id().hex();
    }

    /** Makes the source public or private. */
    public KnowledgeSource setPublic(Caller caller, SourceId id, boolean isPublic) {
        return change(caller, id, null, isPublic);
    }

    public void delete(Caller caller, SourceId id) {
        db.useTransaction(tx -> {
            requireThere(tx, id);
            var source = found(tx, caller, id);
            if (!source.mayRemove(caller)) {
                throw KnowledgeProblem.notYours();
            }
            store.delete(tx, id);
            if (!source.owner().equals(caller.user())) {
                audit.record(tx, caller, AuditLog.Action.SOURCE_DELETED, target(source));
            }
        });
    }

    void requireChangeable(Caller caller, SourceId id) {
        changeable(caller, id);
    }

    private KnowledgeSource changeable(Caller caller, SourceId id) {
        var source = find(caller, id);
        requireChangeable(caller, source);
        return source;
    }

    private static void requireChangeable(Caller caller, KnowledgeSource source) {
        if (!source.mayChange(caller)) {
            throw KnowledgeProblem.notYours();
        }
    }

    private void requireThere(Tx tx, SourceId id) {
        if (!store.lock(tx, id)) {
            throw KnowledgeProblem.noSource();
        }
    }

    private KnowledgeSource found(Tx tx, Caller caller, SourceId id) {
        return store.find(tx, caller, id).orElseThrow(KnowledgeProblem::noSource);
    }

    private static NewSource source(UserId owner, Placement placement, SourceIngestion.Draft draft) {
        return new NewSource(
                owner,
                placement.collection() == null && placement.isPublic(),
                draft.type(),
                draft.title(),
                draft.uri(),
                draft.origin(),
                draft.contentHash(),
                Place.NONE,
                draft.metadata(),
                placement.collection());
    }

    /**
     * The place of a new source: in a collection, which decides who may read it, or as the owner's own.
     *
     * @param isPublic whether everybody may read it; without effect in a collection
     */
    public record Placement(boolean isPublic, @Nullable CollectionId collection) {}

    /**
     * The filters of the list of sources.
     *
     * @param type the only type to list; null for all
     * @param mine whether to list the caller's own only
     * @param collection the only collection to list; null for all
     */
    public record Filter(
            @Nullable SourceType type,
            boolean mine,
            @Nullable CollectionId collection) {

        public static final Filter ALL = new Filter(null, false, null);

        /** Of any collection, or of none. */
        public Filter(@Nullable SourceType type, boolean mine) {
            this(type, mine, null);
        }
    }
}
