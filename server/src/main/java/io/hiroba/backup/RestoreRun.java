package io.hiroba.backup;

import io.hiroba.backup.BackupCipher.NotAuthenticException;
import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.WalArchive.Extracted;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.FolderLock;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.MajorUpgrade;
import io.hiroba.embedded.Recovery;
import io.hiroba.embedded.Wal;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores a backup into a new data folder. It grows beside it as {@code NEW.partial} and gets its name when the database has been
 * recovered and stopped. In a folder that is there and empty, which may be a mount point or all that may be written, it grows as
 * {@code .partial}, becomes {@code .complete} and is moved up. The backup itself is only read.
 */
final class RestoreRun {

    static final String LOCK = "restore.lock";
    /** The mark of one that is complete and has not got its name yet. */
    static final String DONE = "restore.done";

    static final String PARTIAL = ".partial";
    static final String COMPLETE = ".complete";
    private static final String DATA = "data/";
    private static final String DATABASE = "postgres/";

    private static final Logger log = LoggerFactory.getLogger(RestoreRun.class);

    private final BackupSecret secret;
    private final Consumer<Text> progress;
    private final boolean isLowPriority;
    private final long bytesPerSecond;

    RestoreRun(BackupSecret secret, Consumer<Text> progress) {
        this(secret, progress, false, 0);
    }

    /** @param bytesPerSecond 0 for as fast as it goes */
    RestoreRun(BackupSecret secret, Consumer<Text> progress, boolean isLowPriority, long bytesPerSecond) {
        this.secret = secret;
        this.progress = progress;
        this.isLowPriority = isLowPriority;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** The work on a database that was recovered and runs. */
    interface Inspection {
        void look(EmbeddedPostgres postgres) throws IOException, SQLException;
    }

    /**
     * Restores.
     *
     * @param from a folder of backups, or one backup in it
     * @param time the newest state is restored if it is empty
     */
    void restore(Path from, Optional<Instant> time, Path target) throws IOException, SQLException {
        boolean isOne = Files.exists(from.resolve(BackupManifest.FILE));
        restore(choose(from, time), time.isPresent() || !isOne, time, target, postgres -> {});
    }

    /** @param followsLog whether the archived log after the backup is followed, to the time or to its end */
    void restore(FullBackup backup, boolean followsLog, Optional<Instant> time, Path target, Inspection inspection)
            throws IOException, SQLException {
        requireKnown(backup);
        var cipher = secret.cipher(backup.folder(), backup.manifest());
        boolean isInside = Files.exists(target);
        requireEmpty(target);
        var partial = isInside ? target.resolve(PARTIAL) : target.resolveSibling(target.getFileName() + PARTIAL);
        requireWritable(Objects.requireNonNull(partial.toAbsolutePath().getParent()));
        if (isInside && Files.exists(target.resolve(COMPLETE))) {
            moveUp(target);
            return;
        }
        if (Files.exists(partial.resolve(DONE))) {
            giveName(partial, target);
            return;
        }
        try (var _ = claim(partial)) {
            progress.accept(Text.of("backup.checking", "folder", backup.folder()));
            StoredFiles.requireAuthentic(backup.folder(), cipher);
            var sums = StoredFiles.check(backup.folder(), new TransferMeter(progress, bytesPerSecond));
            progress.accept(Text.of("backup.copying"));
            var meter = new TransferMeter(progress, bytesPerSecond);
            for (var path : sums.keySet()) {
                copy(backup.folder(), path, cipher, partial, meter);
            }
            var archive = archive(backup, cipher);
            var extracted = followsLog
                    ? archive.extract(backup.manifest(), bound(backup, time), partial.resolve("postgres/data/pg_wal"))
                    : Extracted.NONE;
            if (extracted.isAny()) {
                copyLater(archive.files(), cipher, partial, meter);
            }
            progress.accept(Text.of("backup.recovering"));
            if (extracted.damaged().isPresent()) {
                recoverBefore(extracted.damaged().get(), backup, time, partial, inspection);
            } else {
                recover(backup, time, partial, inspection);
            }
            Folders.flush(partial);
            if (isInside) {
                Folders.rename(partial, target.resolve(COMPLETE));
                moveUp(target);
            } else {
                // First the mark of what is unfinished: no server starts on what bears it, whatever its name.
                Files.move(partial.resolve(LOCK), partial.resolve(DONE), StandardCopyOption.ATOMIC_MOVE);
                giveName(partial, target);
            }
        }
    }

    /** Ends a restoration; when this is interrupted, the next one does it. */
    private static void giveName(Path partial, Path target) throws IOException {
        Folders.rename(partial, target);
        Files.deleteIfExists(target.resolve(DONE));
    }

    /** Whether a folder is what an interrupted restoration has left: it is deleted when the restoration is repeated. */
    static boolean isUnfinished(Path data) {
        return Files.exists(data.resolve(LOCK))
                || Files.exists(data.resolve(PARTIAL).resolve(LOCK))
                || isMovingUp(data);
    }

    private static boolean isMovingUp(Path target) {
        return Files.exists(target.resolve(COMPLETE).resolve("postgres"));
    }

    /** Refuses a target with something in it. */
    static void requireEmpty(Path target) throws IOException {
        if (Files.exists(target) && !isEmptyFolder(target) && !isMovingUp(target)) {
            throw new BackupException(Text.of("backup.problem.not-empty", "folder", target));
        }
    }

    /** Ends a restoration in a folder that was there; the database comes last, and can be started only then. */
    private static void moveUp(Path target) throws IOException {
        var complete = target.resolve(COMPLETE);
        for (var child : children(complete)) {
            if (!child.endsWith(LOCK) && !child.endsWith("postgres")) {
                Folders.rename(child, target.resolve(child.getFileName()));
            }
        }
        if (Files.exists(complete.resolve("postgres"))) {
            Folders.rename(complete.resolve("postgres"), target.resolve("postgres"));
        }
        Folders.delete(complete);
    }

    /** The last file of the log that is needed: the next full backup has all of that time, and what follows may have a gap. */
    static Optional<String> bound(FullBackup backup, Optional<Instant> time) throws IOException {
        if (time.isEmpty()) {
            return Optional.empty();
        }
        return new BackupFolder(parent(backup))
                .list(backup.manifest().instance()).stream()
                        .map(FullBackup::manifest)
                        .filter(later -> later.ended().isAfter(time.get()))
                        .map(later -> Wal.EMBEDDED.name(later.timeline(), later.lastSegment()))
                        .min(Comparator.naturalOrder());
    }

    private static void requireWritable(Path folder) {
        var there = folder;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (!Files.isWritable(there)) {
            throw new BackupException(Text.of("backup.problem.not-writable", "folder", there));
        }
    }

    /** Recovers to a time that the log reaches although it is damaged later; refuses any other, and tells how far it reaches. */
    private void recoverBefore(
            Path damaged, FullBackup backup, Optional<Instant> time, Path partial, Inspection inspection)
            throws IOException, SQLException {
        if (time.isPresent()) {
            try {
                recover(backup, time, partial, inspection);
                return;
            } catch (EmbeddedException e) {
                log.info("The log ends before {}: {}", time.get(), e.getMessage());
            }
        }
        var reached = new AtomicReference<>(backup.manifest().consistent());
        recover(
                backup,
                Optional.empty(),
                partial,
                server -> Recovery.lastCommit(server).ifPresent(reached::set));
        throw new BackupException(Text.of("backup.problem.damaged-log", "file", damaged, "last", reached.get()));
    }

    private void recover(FullBackup backup, Optional<Instant> time, Path partial, Inspection inspection)
            throws IOException, SQLException {
        var database = partial.resolve("postgres");
        var config = new EmbeddedConfig(database, EmbeddedConfig.defaultCacheDir(), true);
        try (var postgres = EmbeddedPostgres.recover(config, new Recovery(time, isLowPriority), step -> {})) {
            var schemas = Recovery.schemas(postgres);
            if (!schemas.keySet().containsAll(backup.manifest().schemas().keySet())) {
                throw new BackupException(Text.of("backup.problem.incomplete", "folder", backup.folder()));
            }
            inspection.look(postgres);
        }
        Files.deleteIfExists(database.resolve("data/backup_label.old"));
    }

    /** The newest backup from which a time can be reached; one that cannot be read is not passed over in silence. */
    static FullBackup choose(Path from, Optional<Instant> time) throws IOException {
        if (Files.exists(from.resolve(BackupManifest.FILE))) {
            var one = BackupFolder.read(from).orElseThrow(() -> StoredFiles.damaged(from.resolve(BackupManifest.FILE)));
            requireCovered(time, one, one);
            return one;
        }
        var folder = new BackupFolder(from);
        var all = folder.list();
        var unreadable = folder.unreadable();
        var chosen = all.stream()
                .filter(backup ->
                        time.isEmpty() || !backup.manifest().consistent().isAfter(time.get()))
                .reduce((older, newer) -> newer);
        if (!unreadable.isEmpty()
                && (chosen.isEmpty()
                        || unreadable.getLast().compareTo(chosen.get().folder()) > 0)) {
            throw StoredFiles.damaged(unreadable.getLast().resolve(BackupManifest.FILE));
        }
        if (all.isEmpty()) {
            throw new BackupException(Text.of("backup.problem.none", "folder", from));
        }
        var backup = chosen.orElse(all.getFirst());
        var reachable = all.stream()
                .filter(each -> archive(each, BackupCipher.NONE).follows(each.manifest()))
                .findFirst()
                .orElse(backup);
        requireCovered(time, reachable, backup);
        return backup;
    }

    private static void requireCovered(Optional<Instant> time, FullBackup oldest, FullBackup backup)
            throws IOException {
        if (time.isEmpty()) {
            return;
        }
        var first = backup.manifest().consistent();
        var archive = archive(backup, BackupCipher.NONE);
        var last = archive.follows(backup.manifest())
                ? archive.until(backup.manifest())
                        .filter(until -> until.isAfter(first))
                        .orElse(first)
                : first;
        if (time.get().isBefore(first) || !time.get().isBefore(last)) {
            throw WalArchive.notCovered(time.get(), oldest.manifest().consistent(), last);
        }
    }

    private static WalArchive archive(FullBackup backup, BackupCipher cipher) {
        return new WalArchive(parent(backup), backup.manifest().archive(), cipher);
    }

    private static Path parent(FullBackup backup) {
        return backup.folder().resolveSibling(".").normalize();
    }

    private static void requireKnown(FullBackup backup) {
        var manifest = backup.manifest();
        var version = manifest.postgresql().split("[^0-9]", 2)[0];
        var own = MajorUpgrade.ownMajor(new EmbeddedConfig(backup.folder(), EmbeddedConfig.defaultCacheDir(), true));
        if (!version.equals(own)) {
            throw new BackupException(Text.of(
                    "backup.problem.other-postgresql", "folder", backup.folder(), "version", version, "own", own));
        }
        BackupManifest.requireKnown(backup.folder(), manifest.format() > BackupManifest.FORMAT, manifest.program());
    }

    private static boolean isEmptyFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        return children(folder).stream()
                .allMatch(child -> child.endsWith(PARTIAL) || child.endsWith(COMPLETE) || child.endsWith("lost+found"));
    }

    private static List<Path> children(Path folder) throws IOException {
        try (var children = Files.list(folder)) {
            return children.sorted().toList();
        }
    }

    /** An empty folder that is nobody else's; what an interrupted restoration has left there is removed. */
    private static FolderLock claim(Path partial) throws IOException {
        if (Files.exists(partial) && !isEmptyFolder(partial) && !Files.exists(partial.resolve(LOCK))) {
            throw new BackupException(Text.of("backup.problem.not-empty", "folder", partial));
        }
        BackupFolder.createPrivate(partial);
        var lock = FolderLock.tryAcquire(partial.resolve(LOCK))
                .orElseThrow(() -> new BackupException(Text.of("backup.problem.busy", "folder", partial)));
        try {
            var other = Recovery.abandon(partial.resolve("postgres"));
            if (other.isPresent()) {
                throw new BackupException(
                        Text.of("backup.problem.in-use", "folder", partial, "process", Long.toString(other.get())));
            }
            for (var child : children(partial)) {
                if (!child.endsWith(LOCK)) {
                    Folders.delete(child);
                }
            }
            return lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static void copy(Path backup, String path, BackupCipher cipher, Path target, TransferMeter meter)
            throws IOException {
        var file = backup.resolve(path);
        if (path.startsWith(DATABASE)) {
            var name = path.substring(0, path.length() - StoredFiles.COMPRESSED.length());
            try (var content = new GZIPInputStream(cipher.open(path, Files.newInputStream(file)))) {
                write(content, target.resolve(name), meter);
            } catch (NotAuthenticException e) {
                throw StoredFiles.damaged(file);
            }
        } else if (path.startsWith(DATA)) {
            var to = target.resolve(path.substring(DATA.length()));
            try (var content = cipher.open(path, Files.newInputStream(file))) {
                write(content, to, meter);
            } catch (NotAuthenticException e) {
                throw StoredFiles.damaged(file);
            }
            Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
        }
    }

    /** The files that came after the full backup, or changed. */
    static void copyLater(Path files, BackupCipher cipher, Path target, TransferMeter meter) throws IOException {
        var data = files.resolve("data");
        if (!Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var all = Files.walk(data)) {
            for (var file : all.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                var to = target.resolve(data.relativize(file).toString());
                if (Files.exists(to)
                        && cipher.size(Files.size(to)) == Files.size(file)
                        && Files.getLastModifiedTime(to).equals(Files.getLastModifiedTime(file))) {
                    continue;
                }
                Files.deleteIfExists(to);
                try (var content = cipher.open(files.relativize(file).toString(), Files.newInputStream(file))) {
                    write(content, to, meter);
                } catch (NotAuthenticException e) {
                    throw StoredFiles.damaged(file);
                }
                Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
            }
        }
    }

    private static void write(InputStream content, Path to, TransferMeter meter) throws IOException {
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        Files.createFile(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (var out = Files.newOutputStream(to)) {
            meter.add(content.transferTo(out));
        }
    }
}
