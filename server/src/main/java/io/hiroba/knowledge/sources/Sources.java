package io.hiroba.knowledge.sources;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.NewSource;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.SourceWriter;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.problem.Problem.Kind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people have handed in to be known: taken, listed with its progress, shown, changed and deleted. The owner may do
 * all of it, an admin too; others read what is public.
 */
public final class Sources {

    private static final Throttle.Limit PER_HOUR = new Throttle.Limit(200, Duration.ofHours(1));

    /** What others than its owner make has its content from there alone. */
    private static final Set<SourceType> MADE_ELSEWHERE = EnumSet.of(SourceType.DISCORD_SESSION, SourceType.POST);

    private final Db db;
    private final SourceWriter writer;
    private final Throttle throttle;
    private final Intake intake;
    private final SourceStore store = new SourceStore();

    public Sources(Db db, SourceWriter writer, Throttle throttle, Intake intake) {
        this.db = db;
        this.writer = writer;
        this.throttle = throttle;
        this.intake = intake;
    }

    /**
     * A source that was handed in.
     *
     * @param isNew false if the owner had it already: the same content, or an address that is then fetched again
     */
    public record Added(Source source, boolean isNew) {}

    /** The newest first, below {@code before}: the caller's own and public ones. */
    public List<Source> list(Caller caller, SourceFilter filter, Optional<SourceId> before, int limit) {
        long below = before.map(SourceId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.user(), filter, below, limit));
    }

    public Source get(Caller caller, SourceId id) {
        return db.read(reads -> store.find(reads, caller, id)).orElseThrow(KnowledgeProblem::noSource);
    }

    /** The source, for who acts in nobody's name. */
    public Optional<Source> find(Reads reads, SourceId id) {
        return store.find(reads, new Caller(new UserId(0), true, new Caller.ByServer(), null), id);
    }

    /** The source's passages in their order, behind the place {@code after}; -1 is before the first. */
    public List<SourceChunk> chunks(Caller caller, SourceId id, int after, int limit) {
        var chunks = db.read(reads -> store.chunks(reads, caller, id, after, limit));
        if (chunks.isEmpty()) {
            get(caller, id);
        }
        return chunks;
    }

    /** Counts one source more that the caller hands in, if the limit allows it; to be asked before anything is read. */
    public void admit(Caller caller) {
        if (!caller.admin()) {
            throttle.check("sources:" + caller.user().hex(), PER_HOUR).orThrow();
        }
    }

    /** Reads what an admitted caller hands in, and cuts it into chunks; this may take a while. */
    public Draft read(Caller caller, Handed handed) {
        return intake.read(caller, handed);
    }

    /** Admits, reads and adds. */
    public Added add(Caller caller, Handed handed, boolean isPublic) {
        admit(caller);
        return addAdmitted(caller, handed, isPublic);
    }

    Added addAdmitted(Caller caller, Handed handed, boolean isPublic) {
        var draft = read(caller, handed);
        return db.inTransaction(tx -> add(tx, caller, draft, isPublic));
    }

    /** Makes a source of what was read, unless the caller has it already. */
    public Added add(Tx tx, Caller caller, Draft draft, boolean isPublic) {
        var source = source(caller.user(), isPublic, draft);
        while (true) {
            var made = writer.create(tx, source, draft.chunks());
            if (made.isPresent()) {
                return new Added(found(tx, caller, made.get()), true);
            }
            var known = writer.find(tx, source).filter(id -> store.lock(tx, id));
            if (known.isPresent()) {
                if (draft.origin() != null) {
                    rewrite(tx, found(tx, caller, known.get()), draft);
                    writer.show(tx, known.get(), isPublic);
                }
                return new Added(found(tx, caller, known.get()), false);
            }
            // It was deleted between the two statements.
        }
    }

    /** Gives a source other content; passages that it has already keep their vectors. */
    public Source replace(Caller caller, SourceId id, Handed handed) {
        var before = changeable(caller, id);
        if (MADE_ELSEWHERE.contains(before.type())) {
            throw new KnowledgeProblem(
                    Kind.CONFLICT, "made-elsewhere", "What it says comes from elsewhere and cannot be replaced here.");
        }
        admit(caller);
        return write(caller, id, read(caller, handed));
    }

    /** Fetches the address again that a source came from. */
    public Source refresh(Caller caller, SourceId id) {
        var before = changeable(caller, id);
        var url = before.fetchedFrom()
                .orElseThrow(() -> new KnowledgeProblem(
                        Kind.CONFLICT,
                        "no-address",
                        "It was not fetched from an address, so it cannot be fetched again."));
        admit(caller);
        return write(caller, id, read(caller, new Handed.Url(url)));
    }

    private Source write(Caller caller, SourceId id, Draft draft) {
        try {
            return db.inTransaction(tx -> {
                requireThere(tx, id);
                rewrite(tx, found(tx, caller, id), draft);
                return found(tx, caller, id);
            });
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.UNIQUE_VIOLATION)
                    ? new KnowledgeProblem(Kind.CONFLICT, "same-content", "Another source has that content already.")
                    : e;
        }
    }

    /** Writes over a source as it is now, under its lock: to read a draft may have taken long. */
    private void rewrite(Tx tx, Source now, Draft draft) {
        var title = now.titleWith(draft);
        var source = new NewSource(
                now.owner(),
                now.isPublic(),
                now.type(),
                title,
                draft.origin() == null ? now.uri() : draft.uri(),
                now.origin(),
                // An address stays what the source is known by, whatever its content is.
                now.origin() == null ? draft.contentHash() : null,
                Place.NONE,
                draft.metadata());
        writer.replace(tx, now.id(), source, draft.chunks());
        if (!title.equals(draft.title())) {
            writer.rename(tx, now.id(), title);
        }
    }

    /** Changes what is given: how the source is called, and whether everybody may read it. */
    public Source change(Caller caller, SourceId id, @Nullable String title, @Nullable Boolean isPublic) {
        changeable(caller, id);
        var name = title == null ? null : Titles.checked(title);
        return db.inTransaction(tx -> {
            requireThere(tx, id);
            if (name != null) {
                writer.rename(tx, id, name);
            }
            if (isPublic != null) {
                writer.show(tx, id, isPublic);
            }
            return found(tx, caller, id);
        });
    }

    /** Lets everybody read the source, or nobody but its owner. */
    public Source show(Caller caller, SourceId id, boolean isPublic) {
        return change(caller, id, null, isPublic);
    }

    public void delete(Caller caller, SourceId id) {
        changeable(caller, id);
        db.useTransaction(tx -> store.delete(tx, id));
    }

    void requireChangeable(Caller caller, SourceId id) {
        changeable(caller, id);
    }

    private Source changeable(Caller caller, SourceId id) {
        var source = get(caller, id);
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

    private Source found(Tx tx, Caller caller, SourceId id) {
        return store.find(tx, caller, id).orElseThrow(KnowledgeProblem::noSource);
    }

    private static NewSource source(UserId owner, boolean isPublic, Draft draft) {
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
}
