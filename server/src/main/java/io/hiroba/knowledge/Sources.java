package io.hiroba.knowledge;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds, lists, updates and deletes sources. The owner may do everything, an admin too; others read public sources. */
public final class Sources {

    /** The types of synchronized sources, whose content cannot be replaced. */
    private static final Set<SourceType> GENERATED = EnumSet.of(SourceType.DISCORD_SESSION, SourceType.POST);

    private final Db db;
    private final SourceWriter writer;
    private final Throttle throttle;
    private final SourceIngestion intake;
    private final Throttle.Limit perHour;
    private final Originals originals;
    private final AuditLog audit;
    private final SourceStore store = new SourceStore();

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
        return db.read(reads -> store.list(reads, caller.user(), filter, below, limit));
    }

    /** The source. An admin who reads what is private to another is recorded. */
    public KnowledgeSource get(Caller caller, SourceId id) {
        var source = find(caller, id);
        if (!source.isPublic() && !source.owner().equals(caller.user())) {
            audit.recordRead(caller, AuditLog.Action.SOURCE_READ, target(source));
        }
        return source;
    }

    private KnowledgeSource find(Caller caller, SourceId id) {
        return db.read(reads -> store.find(reads, caller, id)).orElseThrow(KnowledgeProblem::noSource);
    }

    private static Target target(KnowledgeSource source) {
        return Target.of(TargetKind.SOURCE, source.id().hex(), source.title(), source.owner());
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
        admit(caller);
        return addAdmitted(caller, handed, isPublic);
    }

    Added addAdmitted(Caller caller, SourceInput handed, boolean isPublic) {
        var draft = read(caller, handed);
        return db.inTransaction(tx -> add(tx, caller, draft, isPublic));
    }

    /** Creates a source from a draft, unless the caller has it already. */
    public Added add(Tx tx, Caller caller, SourceIngestion.Draft draft, boolean isPublic) {
        var source = source(caller.user(), isPublic, draft);
        while (true) {
            var made = writer.create(tx, source, draft.chunks());
            if (made.isPresent()) {
                originals.attach(tx, made.get(), draft.original());
                return new Added(found(tx, caller, made.get()), true);
            }
            var known = writer.find(tx, source).filter(id -> store.lock(tx, id));
            if (known.isPresent()) {
                if (draft.origin() != null) {
                    var before = found(tx, caller, known.get());
                    rewrite(tx, before, draft);
                    writer.setPublic(tx, known.get(), isPublic);
                    recordChange(tx, caller, before);
                } else if (draft.original() != null) {
                    originals.attach(tx, known.get(), draft.original());
                }
                return new Added(found(tx, caller, known.get()), false);
            }
            // It was deleted between the two statements.
        }
    }

    /** Replaces the content of a source; unchanged chunks keep their vectors. */
    public KnowledgeSource replace(Caller caller, SourceId id, SourceInput handed) {
        var before = changeable(caller, id);
        if (GENERATED.contains(before.type())) {
            throw new KnowledgeProblem(Kind.CONFLICT, "made-elsewhere");
        }
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
        changeable(caller, id);
        var name = title == null ? null : DocumentTitle.checked(title);
        return db.inTransaction(tx -> {
            requireThere(tx, id);
            var before = found(tx, caller, id);
            if (name != null) {
                writer.rename(tx, id, name);
            }
            if (isPublic != null) {
                writer.setPublic(tx, id, isPublic);
            }
            return recordChange(tx, caller, before);
        });
    }

    /** Records what an admin changed of another's, and who made a source public or private; returns the source as it is now. */
    private KnowledgeSource recordChange(Tx tx, Caller caller, KnowledgeSource before) {
        var now = found(tx, caller, before.id());
        if (now.isPublic() != before.isPublic() || !now.owner().equals(caller.user())) {
            var changes = Changes.NONE
                    .with("title", before.title(), now.title())
                    .with("isPublic", before.isPublic(), now.isPublic());
            audit.record(tx, caller, AuditLog.Action.SOURCE_CHANGED, target(now), changes);
        }
        return now;
    }

    /** Makes the source public or private. */
    public KnowledgeSource setPublic(Caller caller, SourceId id, boolean isPublic) {
        return change(caller, id, null, isPublic);
    }

    public void delete(Caller caller, SourceId id) {
        var source = changeable(caller, id);
        db.useTransaction(tx -> {
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
        if (!caller.mayChange(source.owner())) {
            throw KnowledgeProblem.notYours();
        }
        return source;
    }

    private void requireThere(Tx tx, SourceId id) {
        if (!store.lock(tx, id)) {
            throw KnowledgeProblem.noSource();
        }
    }

    private KnowledgeSource found(Tx tx, Caller caller, SourceId id) {
        return store.find(tx, caller, id).orElseThrow(KnowledgeProblem::noSource);
    }

    private static NewSource source(UserId owner, boolean isPublic, SourceIngestion.Draft draft) {
        return new NewSource(
                owner,
                isPublic,
                draft.type(),
                draft.title(),
                draft.uri(),
                draft.origin(),
                draft.contentHash(),
                Place.NONE,
                draft.metadata());
    }

    /**
     * The filters of the list of sources.
     *
     * @param type the only type to list; null for all
     * @param mine whether to list the caller's own only
     */
    public record Filter(@Nullable SourceType type, boolean mine) {

        public static final Filter ALL = new Filter(null, false);
    }
}
