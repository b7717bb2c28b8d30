package io.hiroba.knowledge;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.ArchiveStorage.Stored;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.FileDeletionStore;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files that sources were made from, each content once, in the storage that all nodes share. An original is known before its
 * file is written, and its file is deleted after its row: whatever dies in between, a sweep finds what is left.
 */
final class Originals {

    private static final Logger LOG = LoggerFactory.getLogger(Originals.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    /** After that time an upload is taken for dead. */
    private static final Duration UPLOAD_TIMEOUT = Duration.ofHours(1);

    private static final Duration CLAIM_TIMEOUT = Duration.ofMinutes(10);
    private static final int BATCH_SIZE = 100;

    private final Db db;
    private final InstantSource clock;
    private final ArchiveStorage storage;
    private final ByteSize perUser;
    private final OriginalStore store = new OriginalStore();
    private final FileDeletionStore deletions = new FileDeletionStore("knowledge.original_deletions");

    Originals(Db db, InstantSource clock, ArchiveStorage storage, ByteSize perUser) {
        this.db = db;
        this.clock = clock;
        this.storage = storage;
        this.perUser = perUser;
    }

    /** Stores a file before its source is written; empty if none are kept. Uploads at the same time may exceed the limit a little. */
    Optional<Long> keep(UserId owner, byte[] content) {
        if (perUser.bytes() == 0) {
            return Optional.empty();
        }
        if (db.read(reads -> store.usedBy(reads, owner)) + content.length > perUser.bytes()) {
            throw new KnowledgeProblem(Kind.FORBIDDEN, "originals-quota", "size", perUser.bytes() / 1048576.0);
        }
        var until = clock.instant().plus(UPLOAD_TIMEOUT);
        long id = db.inTransaction(tx -> store.register(tx, Sha256.hex(content), content.length, until));
        storage.put(name(id), content);
        return Optional.of(id);
    }

    /** Gives a source the original that was kept for it, or takes it away. */
    void attach(Tx tx, SourceId source, @Nullable Long original) {
        store.attach(tx, source, original);
    }

    boolean has(SourceId source) {
        return db.read(reads -> store.of(reads, source)).isPresent();
    }

    /** The original of a source, to be closed by the reader. */
    Optional<Stored> open(SourceId source) {
        return db.read(reads -> store.of(reads, source)).flatMap(id -> storage.get(name(id)));
    }

    private static String name(long id) {
        return Long.toString(id);
    }

    /** Writes the originals of a person's sources. */
    void export(long user, ExportPart.Folder folder) throws IOException {
        long after = 0;
        List<OriginalStore.Exported> page;
        do {
            long from = after;
            page = db.read(reads -> store.listFrom(reads, new UserId(user), from, BATCH_SIZE));
            for (var original : page) {
                after = original.source().value();
                var stored = storage.get(name(original.original()));
                if (stored.isPresent()) {
                    try (var content = stored.get().content()) {
                        content.transferTo(folder.begin(fileName(original)));
                    }
                }
            }
        } while (page.size() == BATCH_SIZE);
    }

    private static String fileName(OriginalStore.Exported original) {
        var name = original.name() == null ? "" : "-" + original.name().replaceAll("[^\\p{L}\\p{N}._ -]", "_");
        return "original-" + original.source().hex() + name;
    }

    WorkLoop start() {
        return WorkLoop.every(INTERVAL, "originals sweep", this::sweep);
    }

    void sweep() {
        RetentionSweep.run(
                BATCH_SIZE,
                limit -> db.inTransaction(tx -> {
                    var due = store.lockDue(tx, clock.instant(), limit);
                    store.release(tx, due, clock.instant());
                    return due.size();
                }));
        RetentionSweep.run(BATCH_SIZE, this::deleteFiles);
    }

    /** Deletes files outside any transaction: a slow storage must hold no lock. */
    private int deleteFiles(int limit) {
        var now = clock.instant();
        var claimed = db.inTransaction(tx -> deletions.claim(tx, now, now.plus(CLAIM_TIMEOUT), limit));
        for (long id : claimed) {
            try {
                storage.delete(name(id));
            } catch (RuntimeException e) {
                LOG.warn("The file of a deleted source could not be deleted and will be tried again", e);
                return 0;
            }
            db.useTransaction(tx -> deletions.finish(tx, id));
        }
        return claimed.size();
    }
}
