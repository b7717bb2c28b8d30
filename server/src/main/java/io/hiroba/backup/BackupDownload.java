package io.hiroba.backup;

import io.hiroba.backup.BackupBucket.Stored;
import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.Wal;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Copies backups from a bucket into a folder of backups, with as much of the archived log as a restoration needs. What is there already
 * is not fetched again, so that an interrupted copy goes on where it was.
 */
final class BackupDownload {

    private final BackupBucket bucket;
    private final Path staging;
    private final Consumer<Text> progress;
    private final TransferMeter meter;

    /** @param staging a folder of its own, which is made */
    BackupDownload(BackupBucket bucket, Path staging, Consumer<Text> progress) {
        this.bucket = bucket;
        this.staging = staging;
        this.progress = progress;
        this.meter = new TransferMeter(progress, 0);
    }

    /** The descriptions of the backups of all data folders: a folder of backups for each, without contents. */
    List<BackupFolder> describe() throws IOException {
        BackupFolder.createPrivate(staging);
        var found = bucket.folders("").stream()
                .filter(BackupManifest.INSTANCE.asMatchPredicate())
                .toList();
        for (var instance : found) {
            describe(instance);
        }
        return found.stream()
                .map(instance -> new BackupFolder(staging.resolve(instance)))
                .toList();
    }

    private void describe(String instance) throws IOException {
        for (var each : bucket.folders(instance + "/")) {
            var start = instance + "/" + each + "/";
            if (!BackupFolder.isName(each)
                    || bucket.list(start + BucketIndex.FILE).isEmpty()) {
                continue;
            }
            for (var name : List.of(BackupManifest.FILE, BackupFolder.VERIFIED)) {
                var content = bucket.read(start + name);
                if (content.isPresent()) {
                    var file = staging.resolve(start + name);
                    Files.createDirectories(Objects.requireNonNull(file.getParent()));
                    Files.write(file, content.get());
                }
            }
        }
    }

    /**
     * Fetches the backup that a restoration would choose, and the log after it.
     *
     * @param name of one backup, whose log is followed only if there is a time; if it is empty, the newest that leads there
     * @return the folder of backups, or of the one
     */
    Path fetch(Optional<String> name, Optional<Instant> time, boolean withLog) throws IOException {
        var folder = newest(describe(), name);
        var instance = String.valueOf(folder.root().getFileName());
        var logs = withLog ? bucket.list(instance + "/wal/") : List.<Stored>of();
        // The marks first: all that they speak of is listed afterwards.
        fetchMarks(folder, logs);
        var from = name.map(one -> folder.root().resolve(one)).orElse(folder.root());
        var chosen = RestoreRun.choose(from, time);
        progress.accept(Text.of("backup.downloading", "name", chosen.name(), "bucket", bucket.url()));
        fetchFiles(instance, chosen);
        if (withLog && (name.isEmpty() || time.isPresent())) {
            fetchLog(instance, chosen, RestoreRun.bound(chosen, time));
        }
        return from;
    }

    private BackupFolder newest(List<BackupFolder> folders, Optional<String> name) throws IOException {
        BackupFolder newest = null;
        var ended = Instant.MIN;
        for (var folder : folders) {
            for (var backup : folder.list()) {
                if (name.map(backup.name()::equals).orElse(true)
                        && backup.manifest().ended().isAfter(ended)) {
                    ended = backup.manifest().ended();
                    newest = folder;
                }
            }
        }
        if (newest == null) {
            throw new BackupException(Text.of(
                    "backup.problem.none",
                    "folder",
                    bucket.url() + name.map(one -> "/" + one).orElse("")));
        }
        return newest;
    }

    /** Fetches what the choice of a backup looks at: the times that are covered, and the first file of the log after each. */
    private void fetchMarks(BackupFolder folder, List<Stored> logs) throws IOException {
        var instance = String.valueOf(folder.root().getFileName());
        var firsts = folder.list().stream()
                .map(FullBackup::manifest)
                .map(manifest -> "%s/wal/%s/%s%s"
                        .formatted(
                                instance,
                                manifest.archive(),
                                Wal.EMBEDDED.name(manifest.timeline(), manifest.lastSegment() + 1),
                                StoredFiles.COMPRESSED))
                .toList();
        for (var object : logs) {
            boolean isMark = object.name().contains("/" + WalArchive.UNTIL);
            if (isMark || firsts.contains(object.name())) {
                // A mark changes; what was fetched before may be older.
                fetch(object, isMark);
            }
        }
    }

    private void fetchLog(String instance, FullBackup chosen, Optional<String> bound) throws IOException {
        var start = instance + "/wal/" + chosen.manifest().archive() + "/";
        var before = Wal.EMBEDDED.name(
                chosen.manifest().timeline(), chosen.manifest().lastSegment());
        for (var object : bucket.list(start)) {
            var path = object.name().substring(start.length());
            boolean isFile = path.startsWith("files/");
            if (isFile
                    || (path.endsWith(StoredFiles.COMPRESSED)
                            && path.compareTo(before + StoredFiles.COMPRESSED) > 0
                            && bound.filter(end -> path.compareTo(end + StoredFiles.COMPRESSED) > 0)
                                    .isEmpty())) {
                fetch(object, isFile);
            }
        }
    }

    private void fetchFiles(String instance, FullBackup backup) throws IOException {
        var index = BackupUpload.index(bucket, instance, backup.name());
        for (var entry : index.files().stream()
                .sorted(Comparator.comparing(BucketIndex.Entry::path))
                .toList()) {
            var file = backup.folder().resolve(entry.path());
            if (!Files.exists(file)
                    || Files.size(file) != entry.size()
                    || !BackupUpload.sum(file).equals(entry.sha256())) {
                var blob = instance + "/" + BackupUpload.BLOBS + entry.sha256();
                store(blob, file);
                if (!BackupUpload.sum(file).equals(entry.sha256())) {
                    throw bucket.damaged(blob);
                }
            }
            Files.setLastModifiedTime(file, FileTime.from(entry.modified()));
        }
    }

    private void fetch(Stored object, boolean mayChange) throws IOException {
        if (!StoredFiles.isBelow(object.name())) {
            throw bucket.damaged(object.name());
        }
        var file = staging.resolve(object.name());
        if (mayChange || !Files.exists(file) || Files.size(file) != object.size()) {
            store(object.name(), file);
        }
    }

    private void store(String name, Path file) throws IOException {
        var folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(folder);
        var next = file.resolveSibling(file.getFileName() + ".partial");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (var content = bucket.open(name)) {
            if (content == null) {
                throw bucket.damaged(name);
            }
            try (var out = Files.newOutputStream(next)) {
                meter.add(content.transferTo(out));
            }
            var modified = BackupBucket.modified(content.response());
            if (modified.isPresent()) {
                Files.setLastModifiedTime(next, FileTime.from(modified.get()));
            }
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes what was fetched. */
    void remove() throws IOException {
        Folders.delete(staging);
    }
}
