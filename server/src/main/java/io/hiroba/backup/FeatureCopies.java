package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/**
 * Copies backups of single features to a bucket and back. Each is {@code features/<name>} below its data folder, and complete when its
 * list of checksums is there, which is sent last.
 */
final class FeatureCopies {

    private static final String FEATURES = "/features/";

    private final BackupBucket bucket;
    private final Consumer<Text> progress;

    FeatureCopies(BackupBucket bucket, Consumer<Text> progress) {
        this.bucket = bucket;
        this.progress = progress;
    }

    void upload(Path backup) throws IOException {
        var name = String.valueOf(backup.getFileName());
        var start = FeatureManifest.read(backup).instance() + FEATURES + name + "/";
        progress.accept(Text.of("backup.uploading", "name", name, "bucket", bucket.url()));
        var meter = new TransferMeter(progress, 0);
        for (var path : StoredFiles.sums(backup).keySet()) {
            bucket.write(start + path, backup.resolve(path), true, meter);
        }
        for (var path : List.of(StoredFiles.CODE, StoredFiles.SUMS)) {
            if (Files.exists(backup.resolve(path))) {
                bucket.write(start + path, backup.resolve(path), true, meter);
            }
        }
        progress.accept(Text.of("backup.uploaded", "name", name, "bucket", bucket.url()));
    }

    /** The places in the bucket of the complete backups of a data folder's features, by their names, which begin with their times. */
    static NavigableMap<String, String> all(BackupBucket bucket, String instance) throws IOException {
        var found = new TreeMap<String, String>();
        for (var name : bucket.folders(instance + FEATURES)) {
            var start = instance + FEATURES + name + "/";
            if (BackupFolder.isFeatureName(name)
                    && bucket.list(start).stream()
                            .anyMatch(object -> object.name().equals(start + StoredFiles.SUMS))) {
                found.put(name, start);
            }
        }
        return found;
    }

    /**
     * Fetches a backup of a feature.
     *
     * @param name of one; if it is empty, the newest
     * @param meant the beginning of the name of the data folder whose backups are meant
     */
    Path fetch(String feature, Optional<String> name, Optional<String> meant, BackupDownload download)
            throws IOException {
        var found = new TreeMap<String, String>();
        var others = new TreeSet<String>();
        for (var instance : bucket.folders("")) {
            if (!BackupManifest.INSTANCE.matcher(instance).matches()) {
                continue;
            }
            var all = all(bucket, instance);
            all.keySet().removeIf(each -> name.isPresent() ? !each.equals(name.get()) : !each.endsWith("-" + feature));
            if (meant.filter(instance::startsWith).isPresent()) {
                found.putAll(all);
            } else if (!all.isEmpty()) {
                others.add(instance);
            }
        }
        if (found.isEmpty()) {
            throw FeatureCommand.none(bucket.url() + name.map(one -> "/" + one).orElse(""), feature, others);
        }
        var newest = found.lastEntry();
        progress.accept(Text.of("backup.downloading", "name", newest.getKey(), "bucket", bucket.url()));
        return download.fetchFolder(newest.getValue());
    }

    /**
     * Removes backups of a feature that were taken before a time, but not the newest.
     *
     * @return their number
     */
    int removeOlder(String instance, String feature, Instant bound) throws IOException {
        var own = all(bucket, instance);
        own.keySet().removeIf(name -> !name.endsWith("-" + feature));
        if (!own.isEmpty()) {
            own.pollLastEntry();
        }
        int removed = 0;
        for (var start : own.values()) {
            if (taken(start).isBefore(bound)) {
                // First: without it the rest is no backup.
                bucket.delete(start + StoredFiles.SUMS);
                for (var object : bucket.list(start)) {
                    bucket.delete(object.name());
                }
                removed++;
            }
        }
        return removed;
    }

    private Instant taken(String start) throws IOException {
        var file = start + FeatureManifest.FILE;
        try {
            return FeatureManifest.parse(new String(
                            bucket.read(file).orElseThrow(() -> bucket.damaged(file)), StandardCharsets.UTF_8))
                    .taken();
        } catch (JacksonException e) {
            throw bucket.damaged(file);
        }
    }
}
