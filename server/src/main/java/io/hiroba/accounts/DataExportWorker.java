package io.hiroba.accounts;

import io.hiroba.accounts.DataExport.PartProgress;
import io.hiroba.accounts.DataExportStore.Claim;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the archives of exports, on every node. A node claims one with a lease, writes it to a file of its own, stores it for
 * all nodes and only then says that it is ready. After a crash the next claim begins anew.
 */
final class DataExportWorker implements AutoCloseable {

    static final Duration KEPT = Duration.ofDays(7);

    private static final int MAX_ATTEMPTS = 5;
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** Longer than it takes to store a large archive, meanwhile nothing is renewed. */
    private static final Duration STORING_LEASE = Duration.ofMinutes(15);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration UNFINISHED_KEPT = Duration.ofHours(6);
    private static final Logger LOG = LoggerFactory.getLogger(DataExportWorker.class);

    private final Db db;
    private final Clock clock;
    private final Mailer mailer;
    private final Site site;
    private final Path folder;
    private final Users users;
    private final ArchiveStorage storage;
    private final List<ExportPart> parts;
    private final WakeSignal started;
    private final Duration interval;
    private final DataExportStore store = new DataExportStore();
    private @Nullable WorkLoop loop;
    private volatile boolean closing;

    /** @param interval between two times that progress is stored, and that the worker notices that it is not wanted any more */
    DataExportWorker(Platform platform, Users users, DataExports exports, ArchiveStorage storage, Duration interval) {
        this.db = platform.db();
        this.clock = platform.clock();
        this.mailer = platform.mailer();
        this.site = Site.of(platform.http());
        this.folder = platform.data().resolve("exports");
        this.users = users;
        this.storage = storage;
        this.parts = exports.parts();
        this.started = exports.started();
        this.interval = interval;
    }

    /** The export was cancelled, another node has it, or this node stops. */
    private static final class NotWanted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotWanted() {
            super("the export is not written any further", null, false, false);
        }
    }

    DataExportWorker start() {
        loop = WorkLoop.whenSignalled("exports of people", 1, started, WorkLoop.FALLBACK_POLL, this::runNext);
        return this;
    }

    /** Writes an unclaimed export; false if there is none. */
    boolean runNext() {
        var claim = closing ? Optional.<Claim>empty() : db.inTransaction(tx -> store.claim(tx, LEASE));
        claim.ifPresent(this::process);
        return claim.isPresent();
    }

    private void process(Claim claim) {
        var progress = claim.export().parts();
        if (claim.attempts() > MAX_ATTEMPTS) {
            var expiresAt = clock.instant().plus(KEPT);
            db.useTransaction(tx -> store.end(tx, claim, progress, null, expiresAt));
            return;
        }
        try {
            write(claim);
        } catch (NotWanted e) {
            db.useTransaction(tx -> store.release(tx, claim, false, Duration.ZERO));
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "The export {} failed and will be begun anew",
                    claim.export().id(),
                    e);
            db.useTransaction(tx -> store.release(tx, claim, true, RETRY_DELAY));
            started.raiseAlsoIn(RETRY_DELAY);
        }
    }

    private void write(Claim claim) throws IOException {
        Files.createDirectories(folder);
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        var file = folder.resolve(claim.archive());
        try {
            var written = writeFile(claim, file);
            renew(claim, written, STORING_LEASE);
            storage.put(claim.archive(), file);
            finish(claim, written, Files.size(file));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Writes the archive and returns the counts of its parts. */
    private List<PartProgress> writeFile(Claim claim, Path file) throws IOException {
        var user = claim.export().user();
        var now = clock.instant();
        var names = parts.stream()
                .map(part -> new PartProgress(part.name(), 0, false))
                .toList();
        try (var archive = new DataArchive(file, now, names, new Heartbeat(claim))) {
            archive.writeText("README.txt", readme(db.read(reads -> users.language(reads, user)), now));
            for (int i = 0; i < parts.size(); i++) {
                archive.write(i, parts.get(i), user);
            }
            archive.writeManifest(user);
            return archive.progress();
        }
    }

    private String readme(Language language, Instant now) {
        var list = parts.stream()
                .map(part -> "- %s/: %s".formatted(part.name(), part.label().in(language)))
                .collect(Collectors.joining("\n"));
        return Text.of("accounts.export-readme", "site", site.url(), "date", date(language, now), "parts", list)
                        .in(language)
                + "\n";
    }

    private String date(Language language, Instant time) {
        return new Reader(language, ZoneOffset.UTC, clock.instant()).date(time);
    }

    private void renew(Claim claim, List<PartProgress> progress, Duration lease) {
        if (!db.inTransaction(tx -> store.advance(tx, claim, progress, lease))) {
            throw new NotWanted();
        }
    }

    /** Where the claim was lost while the archive was stored, nobody would find it: it goes again. */
    private void finish(Claim claim, List<PartProgress> progress, long size) {
        var user = claim.export().user();
        var expiresAt = clock.instant().plus(KEPT);
        boolean ended = db.inTransaction(tx -> {
            boolean isOurs = store.end(tx, claim, progress, size, expiresAt);
            var owner = isOurs ? users.find(tx, user) : Optional.<Profile>empty();
            owner.ifPresent(profile -> {
                var language = users.language(tx, user);
                mailer.sendWithoutFail(
                        tx,
                        VerificationMails.exportReady(
                                language,
                                profile.user().email(),
                                site.link("/settings/data"),
                                date(language, expiresAt)));
            });
            return isOurs;
        });
        if (!ended) {
            storage.delete(claim.archive());
        }
    }

    /** Deletes files that were left by a crash. Nobody has written to them for hours, also on a node that shares the folder. */
    void sweep() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        // By the clock that files are dated by.
        var bound = FileTime.from(Instant.now().minus(UNFINISHED_KEPT));
        try (var files = Files.newDirectoryStream(folder, "*.zip")) {
            for (var file : files) {
                if (Files.exists(file) && Files.getLastModifiedTime(file).compareTo(bound) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException e) {
            LOG.debug("A file was finished meanwhile", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stores the progress now and then, which renews the claim, and stops the writing if that fails. */
    private final class Heartbeat implements Consumer<List<PartProgress>> {

        private final Claim claim;
        private long last = System.nanoTime();

        Heartbeat(Claim claim) {
            this.claim = claim;
        }

        @Override
        public void accept(List<PartProgress> progress) {
            if (closing) {
                throw new NotWanted();
            }
            if (System.nanoTime() - last >= interval.toNanos()) {
                renew(claim, progress, LEASE);
                last = System.nanoTime();
            }
        }
    }

    /** Stops what is being written; another node, or this one after a restart, begins it anew. */
    @Override
    public void close() {
        closing = true;
        if (loop != null) {
            loop.close();
        }
    }
}
