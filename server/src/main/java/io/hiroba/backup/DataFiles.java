package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of a node beside its database: pictures, originals, archives, keys, mail, models and whatever else is in its data
 * folder. They are copied before the database and once more after it: a file is written before the row that names it, so each
 * row's file is there by then, and one that goes meanwhile was copied before.
 */
final class DataFiles {

    /** Names in the data folder of what belongs to the process that runs there. */
    private static final Set<String> LEFT_OUT = Set.of(
            "postgres", "log", "uploads", "hiroba.pid", "hiroba.lock", "hiroba.lock.held", BackupWriter.INSTANCE_FILE);

    private static final String INCOMING = "media/incoming";

    private final BackupSources sources;
    private final Path except;
    private final StoredFiles stored;
    private final Optional<FullBackup> former;
    private final Map<String, String> formerSums;
    private final Map<String, Version> copied = new HashMap<>();

    /**
     * @param except the folder of the backups, which may lie in the data folder
     * @param former the backup before, whose files need no second copy where they are the same
     */
    DataFiles(BackupSources sources, Path except, StoredFiles stored, Optional<FullBackup> former) throws IOException {
        this.sources = sources;
        this.except = except;
        this.stored = stored;
        this.former = former;
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
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                var path = path(folder);
                return LEFT_OUT.contains(path) || path.equals(INCOMING) || folder.equals(except)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !LEFT_OUT.contains(path(file))) {
                    copyFile(file, "data/" + path(file), new Version(attributes.size(), attributes.lastModifiedTime()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                return gone(problem);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) throws IOException {
                return gone(problem);
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

    private static FileVisitResult gone(@Nullable IOException problem) throws IOException {
        if (problem != null && !(problem instanceof NoSuchFileException)) {
            throw problem;
        }
        return FileVisitResult.CONTINUE;
    }

    private void copyFile(Path file, String path, Version version) throws IOException {
        if (version.equals(copied.get(path))) {
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
            return new Version(Files.size(file), Files.getLastModifiedTime(file)).equals(version)
                    && stored.link(path, file, sum);
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
