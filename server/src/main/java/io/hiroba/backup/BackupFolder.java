package io.hiroba.backup;

import io.hiroba.embedded.FolderLock;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.Recovery;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/**
 * A folder of backups: {@code 20261118T000000Z-full} each. One that is being made or deleted has {@code .partial} at its end, so
 * that whatever has its final name is whole.
 */
final class BackupFolder {

    /** Written into a backup when it was restored on trial. */
    static final String VERIFIED = "verified.json";

    /** At the end of the name of the folder in which a backup is restored on trial. */
    static final String TRIAL = ".trial";

    /** In a backup that is being made: says what may go on with it. */
    private static final String MARK = "resumable";

    /** The files of a backup that are not the database's. */
    static final String FILES = "data";

    private static final String FULL = "-full";
    private static final String PARTIAL = ".partial";
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final Pattern NAMES = Pattern.compile("\\d{8}T\\d{6}Z" + FULL);
    private static final Pattern REMAINS = Pattern.compile("\\d{8}T\\d{6}Z-[a-z]+([.].*)?");
    private static final Pattern FEATURES = Pattern.compile("\\d{8}T\\d{6}Z-[a-z]+");
    private static final String LOCK = "backup.lock";
    private static final String UPLOAD_LOCK = "upload.lock";

    private final Path root;

    BackupFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    /** A complete backup. */
    record FullBackup(Path folder, BackupManifest manifest) {
        String name() {
            return String.valueOf(folder.getFileName());
        }
    }

    /** Whether a name is that of a complete backup. */
    static boolean isName(String name) {
        return NAMES.matcher(name).matches();
    }

    /** Whether a name is that of a backup of one feature. */
    static boolean isFeatureName(String name) {
        return FEATURES.matcher(name).matches() && !isName(name);
    }

    /** Whether a folder holds backups, or is one or what is left of one. */
    static boolean isOfBackups(Path folder) {
        return Files.exists(folder.resolve(LOCK))
                || REMAINS.matcher(folder.getFileName().toString()).matches();
    }

    Path root() {
        return root;
    }

    /** Admits one who writes here at a time, and makes the folder if need be. */
    FolderLock lock() throws IOException {
        createPrivate(root);
        return FolderLock.tryAcquire(root.resolve(LOCK))
                .orElseThrow(() -> new BackupException(Text.of("backup.problem.busy", "folder", root)));
    }

    /** Admits one who copies from here to a bucket at a time. */
    FolderLock uploadLock() throws IOException {
        createPrivate(root);
        return FolderLock.tryAcquire(root.resolve(UPLOAD_LOCK))
                .orElseThrow(() -> new BackupException(Text.of("backup.problem.busy", "folder", root)));
    }

    /** The backups with a description that can be read, the oldest first. */
    List<FullBackup> list() throws IOException {
        var found = new ArrayList<FullBackup>();
        for (var folder : children(FULL)) {
            read(folder).ifPresent(found::add);
        }
        found.sort(Comparator.comparing(backup -> backup.manifest().ended()));
        return found;
    }

    /** Those of a data folder, the oldest first. */
    List<FullBackup> list(String instance) throws IOException {
        return list().stream()
                .filter(backup -> backup.manifest().instance().equals(instance))
                .toList();
    }

    /** The others. */
    List<Path> unreadable() throws IOException {
        return children(FULL).stream().filter(folder -> read(folder).isEmpty()).toList();
    }

    static Optional<FullBackup> read(Path folder) {
        try {
            return Optional.of(new FullBackup(folder, BackupManifest.read(folder)));
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }

    private List<Path> children(String suffix) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (var children = Files.list(root)) {
            return children.filter(child -> child.getFileName().toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    /**
     * A folder for a backup, with the files that an interrupted one has left if it had the same mark; other remains go. The caller holds
     * the lock.
     *
     * @param mark tells whether what was stored may be gone on with
     */
    Path begin(Instant now, String mark) throws IOException {
        Optional<Path> resumed = Optional.empty();
        for (var remains : children(FULL + PARTIAL).reversed()) {
            if (resumed.isEmpty() && hasMark(remains, mark)) {
                resumed = Optional.of(remains);
            } else {
                Folders.delete(remains);
            }
        }
        removeTrials();
        var time = now;
        while (Files.exists(root.resolve(NAME.format(time) + FULL))) {
            time = time.plusSeconds(1);
        }
        var partial = root.resolve(NAME.format(time) + FULL + PARTIAL);
        if (resumed.isPresent()) {
            keepFilesOnly(resumed.get());
            if (!resumed.get().equals(partial)) {
                Folders.rename(resumed.get(), partial);
            }
        }
        createPrivate(partial);
        Files.writeString(partial.resolve(MARK), mark);
        return partial;
    }

    private static boolean hasMark(Path partial, String mark) throws IOException {
        var file = partial.resolve(MARK);
        return Files.exists(file) && Files.readString(file).equals(mark);
    }

    /** The database's are of one moment and so of no use, nor is a list of what was there. */
    private static void keepFilesOnly(Path partial) throws IOException {
        try (var children = Files.list(partial)) {
            for (var child : children.toList()) {
                if (!child.endsWith(FILES)) {
                    Folders.delete(child);
                }
            }
        }
    }

    /** A new folder for a backup of one feature, and the remains of interrupted ones away; the caller holds the lock. */
    Path beginFeature(String feature, Instant now) throws IOException {
        for (var remains : children("-" + feature + PARTIAL)) {
            Folders.delete(remains);
        }
        var time = now;
        while (Files.exists(root.resolve(NAME.format(time) + "-" + feature))) {
            time = time.plusSeconds(1);
        }
        return createPrivate(root.resolve(NAME.format(time) + "-" + feature + PARTIAL));
    }

    /** The backups of single features, the oldest first. */
    List<Path> features() throws IOException {
        return children("").stream()
                .filter(folder ->
                        FEATURES.matcher(folder.getFileName().toString()).matches()
                                && Files.exists(folder.resolve(FeatureManifest.FILE)))
                .toList();
    }

    /** Those of one feature. */
    List<Path> features(String feature) throws IOException {
        return features().stream()
                .filter(folder -> folder.getFileName().toString().endsWith("-" + feature))
                .toList();
    }

    /** Removes the remains of trials that were interrupted. */
    void removeTrials() throws IOException {
        for (var name : List.of(FULL + TRIAL, FULL + TRIAL + PARTIAL)) {
            for (var trial : children(name)) {
                try (var lock =
                        FolderLock.tryAcquire(trial.resolve(RestoreRun.LOCK)).orElse(null)) {
                    if (lock != null) {
                        Recovery.abandon(trial.resolve("postgres"));
                        Folders.delete(trial);
                    }
                }
            }
        }
    }

    Path complete(Path partial) throws IOException {
        Files.deleteIfExists(partial.resolve(MARK));
        Folders.flush(partial);
        var name = String.valueOf(partial.getFileName());
        var done = root.resolve(name.substring(0, name.length() - PARTIAL.length()));
        Folders.rename(partial, done);
        return done;
    }

    void remove(FullBackup backup) throws IOException {
        remove(backup.folder());
    }

    void remove(Path backup) throws IOException {
        var partial = root.resolve(backup.getFileName() + PARTIAL);
        Folders.rename(backup, partial);
        Folders.delete(partial);
    }

    /** Removes all full backups of a data folder but the newest, unless they are being copied, which ends with the same. */
    void keepNewest(String instance) throws IOException {
        var lock = FolderLock.tryAcquire(createPrivate(root).resolve(UPLOAD_LOCK));
        if (lock.isEmpty()) {
            return;
        }
        try (var _ = lock.get()) {
            var own = list(instance);
            for (var backup : own.subList(0, Math.max(0, own.size() - 1))) {
                remove(backup);
            }
        }
    }

    static Path createPrivate(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
    }
}
