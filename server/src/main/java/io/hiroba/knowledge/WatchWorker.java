package io.hiroba.knowledge;

import io.hiroba.accounts.Admins;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.knowledge.WatchStore.Claimed;
import io.hiroba.knowledge.WatchStore.Outcome;
import io.hiroba.knowledge.WatchStore.WatchedFile;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at watched places when they are due. A node claims one for as long as its lease lasts, reads outside any transaction, and writes
 * each file in a transaction of its own if the claim is still its own: whatever dies, another node goes on with the files that are left.
 */
final class WatchWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchWorker.class);
    private static final Duration LEASE = Duration.ofMinutes(10);
    /** Whoever sets up a watch raises the signal on its own node; others look this seldom. */
    private static final Duration POLL = Duration.ofMinutes(5);

    private static final Duration MAX_BACKOFF = Duration.ofDays(1);

    private final Db db;
    private final InstantSource clock;
    private final SourceWriter writer;
    private final WatchedPlace places;
    private final WakeSignal due;
    private final WatchStore store = new WatchStore();
    private final SourceStore sources = new SourceStore();
    private final Admins admins = new Admins();
    private final AtomicBoolean closed = new AtomicBoolean();
    private Optional<WorkLoop> loop = Optional.empty();

    WatchWorker(Db db, InstantSource clock, SourceWriter writer, WatchedPlace places, WakeSignal due) {
        this.db = db;
        this.clock = clock;
        this.writer = writer;
        this.places = places;
        this.due = due;
    }

    WatchWorker start() {
        loop = Optional.of(WorkLoop.whenSignalled("watches", 1, due, POLL, () -> !closed.get() && step()));
        return this;
    }

    /** Looks at the place that is due the longest; false if none is. */
    boolean step() {
        var now = clock.instant();
        var claimed = db.inTransaction(tx -> store.claim(tx, now, now.plus(LEASE)));
        if (claimed.isEmpty()) {
            db.read(store::nextDue).ifPresent(next -> {
                var wait = Duration.between(clock.instant(), next);
                due.raiseIn(wait.isNegative() ? Duration.ZERO : wait);
            });
            return false;
        }
        look(claimed.get());
        return true;
    }

    private void look(Claimed claimed) {
        Outcome outcome;
        try {
            requireEditor(claimed);
            outcome = sync(claimed);
        } catch (Problem refusal) {
            outcome = Outcome.failure(refusal.detail());
        } catch (RuntimeException e) {
            LOG.warn("A watched place could not be looked at and will be tried again", e);
            outcome = Outcome.failure(Text.of("knowledge.watch.failed"));
        }
        var now = clock.instant();
        var wait =
                outcome.isFailure() ? backoff(claimed.watch()) : claimed.watch().interval();
        if (closed.get()) {
            // A node that stops leaves the rest to another.
            db.useTransaction(tx -> store.leave(tx, claimed, now));
            return;
        }
        var came = outcome;
        db.useTransaction(tx -> store.finish(tx, claimed, now, now.plus(wait), came));
    }

    private static Duration backoff(Watch watch) {
        var wait = watch.interval().multipliedBy(1L << Math.min(watch.failures(), 10));
        var longest = watch.interval().compareTo(MAX_BACKOFF) > 0 ? watch.interval() : MAX_BACKOFF;
        return wait.compareTo(longest) < 0 ? wait : longest;
    }

    /** Refuses a watch whose owner may not add what it finds any more. */
    private void requireEditor(Claimed claimed) {
        var role = claimed.role();
        var owner = claimed.watch().owner();
        boolean isAdmin = db.read(reads -> !admins.among(reads, List.of(owner)).isEmpty());
        boolean mayFolder = claimed.watch().kind() != CollectionWatches.WatchKind.FOLDER || isAdmin;
        if (!mayFolder || !(isAdmin || (role != null && role.includes(Role.EDITOR)))) {
            throw new KnowledgeProblem(Kind.FORBIDDEN, "watch-role");
        }
    }

    private Outcome sync(Claimed claimed) {
        var watch = claimed.watch();
        var known = new HashMap<>(db.read(reads -> store.files(reads, watch.id())));
        boolean isChanged = false;
        try (var look = places.look(watch, Map.copyOf(known))) {
            var unread = new ArrayList<>(look.unread());
            for (var entry : look.entries()) {
                if (closed.get()) {
                    return new Outcome(false, null, isChanged);
                }
                isChanged |= file(claimed, entry, known.remove(entry.path()), unread);
            }
            var whole = look.whole();
            var before = whole == null ? null : known.remove(whole.path());
            for (var missing : known.entrySet()) {
                if (!isBelow(missing.getKey(), unread)) {
                    isChanged |= missing(claimed, missing.getKey(), missing.getValue());
                }
            }
            if (whole != null && unread.isEmpty()) {
                file(claimed, whole, before, unread);
            }
            return new Outcome(false, note(unread, look), isChanged);
        }
    }

    /** Whether a path is one of {@code unread} or in one of these folders: nobody knows whether it is missing. */
    private static boolean isBelow(String path, List<String> unread) {
        return unread.stream().anyMatch(each -> Path.of(path).startsWith(each));
    }

    private static @Nullable Text note(List<String> unread, WatchedPlace.Look look) {
        if (!unread.isEmpty()) {
            return Text.of("knowledge.watch.unread", "count", unread.size(), "path", unread.getFirst());
        }
        return look.leftOut() == 0 ? null : Text.of("knowledge.watch.left-out", "count", look.leftOut());
    }

    /**
     * Returns whether a source was written.
     *
     * @param unread gets the path of a file that cannot be read
     */
    private boolean file(Claimed claimed, WatchedPlace.Entry entry, @Nullable WatchedFile known, List<String> unread) {
        var content = entry.content();
        if (content == null) {
            if (known != null && known.isMissing()) {
                write(claimed, tx -> store.put(tx, claimed.watch().id(), entry.path(), known));
            }
            return false;
        }
        byte[] bytes;
        try {
            bytes = content.bytes();
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            LOG.warn("A watched file cannot be read; the others are read all the same", e);
            unread.add(entry.path());
            return false;
        }
        var hash = Sha256.hex(bytes);
        if (known != null && known.hash().equals(hash)) {
            var seen = new WatchedFile(known.source(), entry.fingerprint(), hash, false);
            write(claimed, tx -> store.put(tx, claimed.watch().id(), entry.path(), seen));
            return false;
        }
        var draft = draft(claimed.watch(), content, bytes);
        write(claimed, tx -> {
            var source = draft == null
                    ? (known == null ? null : known.source())
                    : source(tx, claimed.watch(), draft, known == null ? null : known.source());
            store.put(
                    tx, claimed.watch().id(), entry.path(), new WatchedFile(source, entry.fingerprint(), hash, false));
        });
        return draft != null;
    }

    /** Null for a file of a folder or repository that cannot be read: the others are wanted all the same. */
    private static SourceIngestion.@Nullable Draft draft(Watch watch, WatchedPlace.Content content, byte[] bytes) {
        try {
            return content.draft(bytes);
        } catch (KnowledgeProblem unreadable) {
            if (watch.kind() == CollectionWatches.WatchKind.URL || unreadable.kind() == Kind.UNAVAILABLE) {
                throw unreadable;
            }
            return null;
        } catch (RuntimeException e) {
            if (watch.kind() == CollectionWatches.WatchKind.URL) {
                throw e;
            }
            LOG.warn("A watched file cannot be understood; the others are read all the same", e);
            return null;
        }
    }

    private SourceId source(Tx tx, Watch watch, SourceIngestion.Draft draft, @Nullable SourceId known) {
        var source = new NewSource(
                watch.owner(),
                false,
                draft.type(),
                draft.title(),
                draft.uri(),
                draft.origin(),
                null,
                Place.NONE,
                draft.metadata(),
                watch.collection());
        if (known != null && sources.lock(tx, known)) {
            writer.replace(tx, known, source, draft.chunks());
            return known;
        }
        var made = writer.create(tx, source, draft.chunks());
        if (made.isPresent()) {
            return made.get();
        }
        // A node that died had written it, or its row was forgotten.
        var there = writer.find(tx, source).filter(id -> sources.lock(tx, id)).orElseThrow();
        writer.replace(tx, there, source, draft.chunks());
        return there;
    }

    /** Deletes what a second look does not find either. */
    private boolean missing(Claimed claimed, String path, WatchedFile file) {
        write(claimed, tx -> {
            if (!file.isMissing()) {
                store.setMissing(tx, claimed.watch().id(), path, clock.instant());
                return;
            }
            store.forget(tx, claimed.watch().id(), path);
            if (file.source() != null) {
                sources.delete(tx, file.source());
            }
        });
        return file.isMissing();
    }

    private void write(Claimed claimed, Consumer<Tx> change) {
        Instant until = clock.instant().plus(LEASE);
        db.useTransaction(tx -> {
            if (!store.hold(tx, claimed, until)) {
                throw new KnowledgeProblem(Kind.CONFLICT, "watch-lost");
            }
            change.accept(tx);
        });
    }

    @Override
    public void close() {
        closed.set(true);
        places.stop();
        loop.ifPresent(WorkLoop::close);
    }
}
