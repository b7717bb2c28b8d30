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
import java.util.ArrayList;
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

    /** Fetches nothing more from now on where less is left of the disk. */
    void keepFree(DiskReserve space) {
        meter.keepFree(space, staging);
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
        for (var feature : FeatureCopies.all(bucket, instance).entrySet()) {
            var description = bucket.read(feature.getValue() + FeatureManifest.FILE);
            if (description.isPresent()) {
                var file = staging.resolve(instance).resolve(feature.getKey()).resolve(FeatureManifest.FILE);
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.write(file, description.get());
            }
        }
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
     * Chooses the backup that a restoration begins with, by descriptions and marks alone.
     *
     * @param name of one backup; if it is empty, the newest that leads there
     * @param instance the beginning of the name of a data folder
     */
    FullBackup choose(Optional<String> name, Optional<Instant> time, Optional<String> instance) throws IOException {
        var all = all(name, instance);
        var newest = BackupChoice.newest(all, time).orElse(all.getFirst());
        if (name.isEmpty()) {
            BackupChoice.requireOne(all, newest, bucket.url());
        }
        var folder = new BackupFolder(BackupChoice.parent(newest));
        // The marks first: all that they speak of is listed afterwards.
        fetchMarks(folder);
        return BackupChoice.choose(name.map(one -> folder.root().resolve(one)).orElse(folder.root()), time);
    }

    /** Fetches the backup that is chosen, and the log after it; after one that is named only if there is a time. */
    FullBackup fetch(Optional<String> name, Optional<Instant> time, Optional<String> instance) throws IOException {
        var chosen = choose(name, time, instance);
        fetchFiles(chosen);
        if (name.isEmpty() || time.isPresent()) {
            fetchLog(chosen, BackupChoice.bound(chosen, time));
        }
        return chosen;
    }

    /** Fetches the newest backup of the data folder that is meant, or the one of this name, without the log after it. */
    FullBackup fetchAlone(Optional<String> name, Optional<String> instance, Optional<String> own) throws IOException {
        var there = all(name, instance);
        var all = BackupChoice.of(there, BackupChoice.meant(there, instance, own));
        var newest = all.getLast();
        if (name.isEmpty()) {
            BackupChoice.requireOne(all, newest, bucket.url());
        }
        fetchFiles(newest);
        return newest;
    }

    /** The descriptions of the backups that are meant, the oldest first; refuses if there are none. */
    private List<FullBackup> all(Optional<String> name, Optional<String> instance) throws IOException {
        var found = new ArrayList<FullBackup>();
        for (var folder : describe()) {
            found.addAll(BackupChoice.of(folder.list(), instance));
        }
        found.removeIf(backup -> name.isPresent() && !name.get().equals(backup.name()));
        found.sort(Comparator.comparing(backup -> backup.manifest().ended()));
        if (found.isEmpty()) {
            throw BackupChoice.none(bucket.url() + name.map(one -> "/" + one).orElse(""), instance);
        }
        return found;
    }

    /** Fetches what the choice of a backup looks at: the times that are covered, and the first file of the log after each. */
    private void fetchMarks(BackupFolder folder) throws IOException {
        var instance = String.valueOf(folder.root().getFileName());
        var logs = bucket.list(instance + "/wal/");
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

    private void fetchLog(FullBackup chosen, Optional<String> bound) throws IOException {
        var start = chosen.manifest().instance() + "/wal/" + chosen.manifest().archive() + "/";
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

    private void fetchFiles(FullBackup backup) throws IOException {
        progress.accept(Text.of("backup.downloading", "name", backup.name(), "bucket", bucket.url()));
        var instance = backup.manifest().instance();
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

    /** Fetches all objects whose names begin with that of a folder, which has a slash at its end. */
    Path fetchFolder(String start) throws IOException {
        BackupFolder.createPrivate(staging);
        for (var object : bucket.list(start)) {
            fetch(object, false);
        }
        return staging.resolve(start);
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
            var buffer = new byte[1 << 16];
            try (var out = Files.newOutputStream(next)) {
                for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                    out.write(buffer, 0, read);
                    meter.add(read);
                }
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
