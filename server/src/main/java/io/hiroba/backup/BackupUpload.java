package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.backup.BucketIndex.Entry;
import io.hiroba.embedded.Wal;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Copies the backups and the archived log of one data folder from a folder of backups to a bucket, and removes what is older than it has
 * to be kept there. What is there already is not sent again; an interrupted copy goes on where it was (ADR 128).
 */
final class BackupUpload {

    static final String BLOBS = "blobs/";

    private final BackupBucket bucket;
    private final BackupFolder folder;
    private final String instance;
    private final Consumer<Text> progress;
    private final long bytesPerSecond;

    /** The objects of the archived log that were sent, with a mark of their content. */
    private final Map<String, String> sent = new HashMap<>();

    private final Set<String> listed = new HashSet<>();

    /** @param bytesPerSecond 0 for as fast as it goes */
    BackupUpload(
            BackupBucket bucket, BackupFolder folder, String instance, Consumer<Text> progress, long bytesPerSecond) {
        this.bucket = bucket;
        this.folder = folder;
        this.instance = instance;
        this.progress = progress;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** The name of the data folder in its backups. */
    String instance() {
        return instance;
    }

    private String name(String below) {
        return instance + "/" + below;
    }

    /** The names of the full backups that are there as a whole. */
    private Set<String> complete() throws IOException {
        var found = new HashSet<String>();
        for (var each : bucket.folders(name(""))) {
            if (BackupFolder.isName(each)
                    && !bucket.list(name(each) + "/" + BucketIndex.FILE).isEmpty()) {
                found.add(each);
            }
        }
        return found;
    }

    /**
     * Copies the full backups that are not there yet; the answer is their number.
     *
     * @param since older ones are left out, unless it is the newest: they would be removed again
     */
    int copyBackups(Instant since) throws IOException {
        var there = complete();
        var own = folder.list(instance);
        int copied = 0;
        for (var backup : own) {
            if (!there.contains(backup.name())
                    && (backup.equals(own.getLast())
                            || !backup.manifest().ended().isBefore(since))) {
                copy(backup);
                copied++;
            }
        }
        return copied;
    }

    private void copy(FullBackup backup) throws IOException {
        progress.accept(Text.of("backup.uploading", "name", backup.name(), "bucket", bucket.url()));
        var blobs = new HashMap<String, Long>();
        bucket.list(name(BLOBS)).forEach(blob -> blobs.put(blob.name(), blob.size()));
        var meter = new TransferMeter(progress, bytesPerSecond);
        var entries = new ArrayList<Entry>();
        var sums = StoredFiles.sums(backup.folder());
        for (var sum : sums.entrySet()) {
            entries.add(copy(backup.folder(), sum.getKey(), sum.getValue(), blobs, meter));
        }
        for (var own : List.of(StoredFiles.SUMS, StoredFiles.CODE)) {
            var file = backup.folder().resolve(own);
            if (Files.exists(file)) {
                entries.add(copy(backup.folder(), own, sum(file), blobs, meter));
            }
        }
        bucket.write(
                name(backup.name() + "/" + BackupManifest.FILE),
                Files.readAllBytes(backup.folder().resolve(BackupManifest.FILE)));
        bucket.write(name(backup.name() + "/" + BucketIndex.FILE), new BucketIndex(entries).json());
        progress.accept(Text.of("backup.uploaded", "name", backup.name(), "bucket", bucket.url()));
    }

    private Entry copy(Path backup, String path, String sum, Map<String, Long> blobs, TransferMeter meter)
            throws IOException {
        var file = backup.resolve(path);
        var blob = name(BLOBS + sum);
        long size = Files.size(file);
        if (!Long.valueOf(size).equals(blobs.get(blob))) {
            if (!sum(file).equals(sum)) {
                throw StoredFiles.damaged(file);
            }
            bucket.write(blob, file, true, meter);
            blobs.put(blob, size);
        }
        return new Entry(path, sum, size, Files.getLastModifiedTime(file).toInstant());
    }

    static String sum(Path file) throws IOException {
        var digest = Sha256.digest();
        try (InputStream content = new DigestInputStream(Files.newInputStream(file), digest)) {
            content.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Copies what is new of the archived log, and only then the time up to which it is complete.
     *
     * @return that time; null if there is no archive
     */
    @Nullable
    Instant copyLog(String archive) throws IOException {
        var local = folder.root().resolve("wal").resolve(archive);
        if (!Files.isDirectory(local)) {
            return null;
        }
        var log = new WalArchive(folder.root(), archive, BackupCipher.NONE);
        // Before the files are listed: all that it speaks of is there by then.
        var until = log.until();
        var there = name("wal/" + archive + "/");
        if (listed.add(archive)) {
            bucket.list(there).stream()
                    .filter(object -> object.name().endsWith(StoredFiles.COMPRESSED)
                            && !object.name().startsWith(there + "files/"))
                    .forEach(object -> sent.put(object.name(), Long.toString(object.size())));
        }
        var meter = new TransferMeter(text -> {}, bytesPerSecond);
        for (var file : files(local)) {
            var path = local.relativize(file).toString();
            if (!path.endsWith(".partial") && !path.equals(WalArchive.UNTIL)) {
                send(there + path, file, path.startsWith("files/"), meter);
            }
        }
        if (until.isPresent()) {
            bucket.write(there + WalArchive.UNTIL, (until.get() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return until.orElse(null);
    }

    private static List<Path> files(Path local) throws IOException {
        try (var all = Files.walk(local)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }

    private void send(String name, Path file, boolean mayChange, TransferMeter meter) throws IOException {
        try {
            var mark = Long.toString(Files.size(file))
                    + (mayChange ? " " + Files.getLastModifiedTime(file).toMillis() : "");
            if (!mark.equals(sent.get(name))) {
                bucket.write(name, file, false, meter);
                sent.put(name, mark);
            }
        } catch (NoSuchFileException e) {
            // It is older than it has to be kept.
        }
    }

    /** The same for another data folder in the bucket, which was in use before this one. */
    private BackupUpload of(String former) {
        return new BackupUpload(bucket, folder, former, progress, bytesPerSecond);
    }

    /**
     * Removes full backups that ended before {@code bound} and contents that no other has, of this data folder and of former ones, but
     * not the newest of each.
     *
     * @param unused another data folder with a backup since then may be in use, and is left to who writes it
     */
    int removeAllBackups(Instant bound, Instant unused) throws IOException {
        int removed = removeBackups(bound);
        for (var former : former(unused)) {
            removed += former.removeBackups(bound);
        }
        return removed;
    }

    /** Removes the log that leads only to times before {@code bound}, of former data folders too. */
    void removeAllLogs(Instant bound, Instant unused) throws IOException {
        removeLogs(bound);
        for (var former : former(unused)) {
            former.removeLogs(bound);
        }
    }

    private List<BackupUpload> former(Instant unused) throws IOException {
        var found = new ArrayList<BackupUpload>();
        for (var name : bucket.folders("")) {
            if (BackupManifest.INSTANCE.matcher(name).matches() && !name.equals(instance)) {
                var other = of(name);
                try {
                    var backups = other.manifests().values();
                    if (!backups.isEmpty()
                            && backups.stream()
                                    .allMatch(backup -> backup.ended().isBefore(unused))) {
                        found.add(other);
                    }
                } catch (BackupException e) {
                    // One that is damaged there must not keep this one's from being removed.
                    progress.accept(e.sentence());
                }
            }
        }
        return found;
    }

    /** Removes full backups that ended before {@code bound}, but not the newest, and the contents that no other has. */
    private int removeBackups(Instant bound) throws IOException {
        var manifests = manifests();
        var newest = manifests.values().stream()
                .map(BackupManifest::ended)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        int removed = 0;
        for (var each : manifests.entrySet()) {
            if (each.getValue().ended().isBefore(bound)
                    && each.getValue().ended().isBefore(newest)) {
                // First: without it the rest is no backup.
                bucket.delete(name(each.getKey() + "/" + BucketIndex.FILE));
                removed++;
            }
        }
        if (removed > 0) {
            removeRemains();
        }
        return removed;
    }

    /** Removes backups without an index, and contents that no index names. */
    private void removeRemains() throws IOException {
        var needed = new HashSet<String>();
        var complete = complete();
        for (var each : complete) {
            index(bucket, instance, each).files().forEach(entry -> needed.add(name(BLOBS + entry.sha256())));
        }
        for (var each : bucket.folders(name(""))) {
            if (BackupFolder.isName(each) && !complete.contains(each)) {
                for (var object : bucket.list(name(each) + "/")) {
                    bucket.delete(object.name());
                }
            }
        }
        for (var blob : bucket.list(name(BLOBS))) {
            if (!needed.contains(blob.name())) {
                bucket.delete(blob.name());
            }
        }
        bucket.abortBegun(name(BLOBS));
    }

    static BucketIndex index(BackupBucket bucket, String instance, String backup) throws IOException {
        var name = instance + "/" + backup + "/" + BucketIndex.FILE;
        try {
            return BucketIndex.parse(bucket.read(name).orElseThrow(() -> bucket.damaged(name)));
        } catch (JacksonException e) {
            throw bucket.damaged(name);
        }
    }

    /** The descriptions of the backups that are there as a whole, by their names. */
    Map<String, BackupManifest> manifests() throws IOException {
        var found = new HashMap<String, BackupManifest>();
        for (var each : complete()) {
            var name = name(each + "/" + BackupManifest.FILE);
            try {
                found.put(
                        each,
                        BackupManifest.parse(new String(
                                bucket.read(name).orElseThrow(() -> bucket.damaged(name)), StandardCharsets.UTF_8)));
            } catch (JacksonException e) {
                throw bucket.damaged(name);
            }
        }
        return found;
    }

    /** Removes, from the folder, what is older than the newest full backup that is in the bucket, and is there as well. */
    void removeLocal() throws IOException {
        var there = complete();
        var own = folder.list(instance).stream()
                .filter(backup -> there.contains(backup.name()))
                .toList();
        if (own.isEmpty()) {
            return;
        }
        for (var backup : own.subList(0, own.size() - 1)) {
            folder.remove(backup);
        }
        var newest = own.getLast().manifest();
        var first = Wal.EMBEDDED.name(newest.timeline(), newest.firstSegment());
        var start = name("wal/" + newest.archive() + "/");
        for (var name : List.copyOf(sent.keySet())) {
            var path = name.startsWith(start) ? name.substring(start.length()) : "";
            var file = folder.root().resolve("wal").resolve(newest.archive()).resolve(path);
            if (WalArchive.isBefore(path, first)
                    || (path.startsWith("files/")
                            && Files.exists(file)
                            && DataFiles.changed(file).isBefore(newest.started()))) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Stores the result of a restoration on trial. */
    void writeVerified(FullBackup backup) throws IOException {
        bucket.write(
                name(backup.name() + "/" + BackupFolder.VERIFIED),
                Files.readAllBytes(backup.folder().resolve(BackupFolder.VERIFIED)));
    }

    /** Removes the log that leads only to times before {@code bound}. */
    private void removeLogs(Instant bound) throws IOException {
        var manifests = manifests().values();
        for (var archive : bucket.folders(name("wal/"))) {
            var backups = manifests.stream()
                    .filter(manifest -> manifest.archive().equals(archive))
                    .sorted(Comparator.comparing(BackupManifest::consistent))
                    .toList();
            var start = name("wal/" + archive + "/");
            if (backups.isEmpty()) {
                // That of a former key: nothing leads there without a full backup.
                for (var object : bucket.list(start)) {
                    bucket.delete(object.name());
                    sent.remove(object.name());
                }
                continue;
            }
            var needed = backups.stream()
                    .filter(manifest -> manifest.consistent().isBefore(bound))
                    .reduce((older, newer) -> newer)
                    .orElse(backups.getFirst());
            var first = Wal.EMBEDDED.name(needed.timeline(), needed.firstSegment());
            for (var object : bucket.list(start)) {
                var path = object.name().substring(start.length());
                if (WalArchive.isBefore(path, first)) {
                    bucket.delete(object.name());
                    sent.remove(object.name());
                } else if (path.startsWith("files/") && object.modified().isBefore(needed.started())) {
                    bucket.delete(object.name());
                    sent.remove(object.name());
                }
            }
        }
    }
}
