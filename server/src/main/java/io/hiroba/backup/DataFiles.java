package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.Folders;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a node beside its database: pictures, originals, archives, keys, mail, models and whatever else is in its data
 * folder. They are copied before the database and once more after it: a file is written before the row that names it, so each
 * row's file is there by then, and one that goes meanwhile was copied before.
 */
final class DataFiles {

    /** Names in the data folder of what belongs to the process that runs there. */
    private static final Set<String> LEFT_OUT = Set.of(
            "postgres",
            "log",
            BackupConfig.STAGING,
            "uploads",
            "hiroba.pid",
            "hiroba.lock",
            "hiroba.lock.held",
            RestoreRun.LOCK,
            RestoreRun.PARTIAL,
            RestoreRun.COMPLETE,
            BackupWriter.INSTANCE_FILE);

    /** A file system on another machine has a clock of its own. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(1);

    private static final String INCOMING = "media/incoming";

    /** Files below it are moved in as a whole and never changed, so that their folder's time tells of new ones. */
    private static final String PICTURES = "media/";

    private final BackupSources sources;
    private final Set<Path> except;
    private final StoredFiles stored;
    private final Optional<FullBackup> former;
    private final Instant since;
    private final Map<String, String> formerSums;
    private final Map<String, Version> copied = new HashMap<>();

    /** The times of folders of pictures of which all is copied. */
    private final Map<Path, FileTime> settled = new HashMap<>();

    /**
     * All files.
     *
     * @param backups the folder that is written to, which may lie in the data folder
     * @param former the backup before, whose files need no second copy where they are the same
     */
    static DataFiles all(BackupSources sources, Path backups, StoredFiles stored, Optional<FullBackup> former)
            throws IOException {
        return new DataFiles(sources, backups, stored, former, Instant.MIN);
    }

    /** The files that came or changed since a full backup was begun. */
    static DataFiles after(BackupSources sources, Path backups, StoredFiles stored, FullBackup full)
            throws IOException {
        return new DataFiles(
                sources,
                backups,
                stored,
                Optional.of(full),
                full.manifest().started().minus(CLOCK_DIFFERENCE));
    }

    private DataFiles(
            BackupSources sources, Path backups, StoredFiles stored, Optional<FullBackup> former, Instant since)
            throws IOException {
        this.sources = sources;
        this.except = new HashSet<>();
        for (var folder :
                Stream.concat(Stream.of(backups), sources.backups().stream()).toList()) {
            if (Files.isDirectory(folder)) {
                except.add(folder.toRealPath());
                except.add(folder.toRealPath().resolve(WalArchive.FOLDER));
            }
        }
        this.stored = stored;
        this.former = former;
        this.since = since;
        this.formerSums = former.isPresent() ? StoredFiles.sums(former.get().folder()) : Map.of();
    }

    private record Version(long size, FileTime modified) {}

    /** Copies what is new or was changed since the last call. */
    void copy() throws IOException {
        if (Files.isDirectory(sources.data())) {
            copyTree(sources.data(), "");
        }
        for (var each : sources.elsewhere().entrySet()) {
            if (Files.exists(each.getValue())) {
                copyTree(each.getValue(), each.getKey());
            }
        }
        if (sources.configFile().isPresent()) {
            copyTree(sources.configFile().get(), "hiroba.yaml");
        }
    }

    private void copyTree(Path root, String name) throws IOException {
        // What a link leads to, which may be another disk.
        copyFiles(root.toRealPath(), name);
    }

    private void copyFiles(Path root, String name) throws IOException {
        // The time of a folder that has just changed may be that of the next change too.
        var bound = Instant.now().minus(CLOCK_DIFFERENCE);
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            private final Map<Path, FileTime> entered = new HashMap<>();

            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                var path = path(folder);
                if (folder.equals(root)) {
                    return FileVisitResult.CONTINUE;
                }
                // One with folders in it has no time that tells of all.
                entered.remove(folder.getParent());
                if (path.startsWith(PICTURES)) {
                    var time = attributes.lastModifiedTime();
                    if (time.equals(settled.get(folder))) {
                        return FileVisitResult.SKIP_SUBTREE;
                    }
                    if (time.toInstant().isBefore(bound)) {
                        entered.put(folder, time);
                    }
                }
                return LEFT_OUT.contains(path)
                                || path.equals(INCOMING)
                                || except.contains(folder)
                                || BackupFolder.isOfBackups(folder)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !LEFT_OUT.contains(path(file))) {
                    copyFile(
                            file,
                            BackupFolder.FILES + "/" + path(file),
                            new Version(attributes.size(), attributes.lastModifiedTime()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                return Folders.unlessGone(problem);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) throws IOException {
                var time = entered.remove(folder);
                if (time != null && problem == null) {
                    settled.put(folder, time);
                }
                return Folders.unlessGone(problem);
            }

            private String path(Path file) {
                var below = root.relativize(file).toString();
                if (name.isEmpty() || below.isEmpty()) {
                    return name + below;
                }
                return name + "/" + below;
            }
        });
    }

    /** When a file was last changed or renamed: one that is moved here keeps the time of its content. */
    static Instant changed(Path file) throws IOException {
        var modified = Files.getLastModifiedTime(file).toInstant();
        try {
            var changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
            return changed.isAfter(modified) ? changed : modified;
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return modified;
        }
    }

    private boolean isOlder(Path file) throws IOException {
        try {
            return since.isAfter(Instant.MIN) && changed(file).isBefore(since);
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    private void copyFile(Path file, String path, Version version) throws IOException {
        if (version.equals(copied.get(path))) {
            return;
        }
        if (isOlder(file)) {
            if (!path.startsWith(BackupFolder.FILES + "/" + PICTURES)) {
                copied.put(path, version);
            }
            return;
        }
        if (stored.isThere(path, version.size(), version.modified())) {
            copied.put(path, version);
            return;
        }
        stored.remove(path);
        if (!isFormer(path, version)) {
            try (var content = Files.newInputStream(file)) {
                stored.store(path, content, version.modified());
            } catch (NoSuchFileException e) {
                return;
            }
        }
        copied.put(path, version);
    }

    private boolean isFormer(String path, Version version) throws IOException {
        var sum = formerSums.get(path);
        if (former.isEmpty() || sum == null) {
            return false;
        }
        var file = former.get().folder().resolve(path);
        try {
            return former.get().manifest().key().equals(stored.cipher().id())
                    && Files.size(file) == stored.cipher().size(version.size())
                    && Files.getLastModifiedTime(file).equals(version.modified())
                    && stored.link(path, file, sum);
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
