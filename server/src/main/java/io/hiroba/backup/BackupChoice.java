package io.hiroba.backup;

import io.hiroba.backup.BackupFolder.FullBackup;
import io.hiroba.embedded.Wal;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The choice of the full backup that a restoration begins with, and of the log that it follows. */
final class BackupChoice {

    private BackupChoice() {}

    /**
     * The backup that a restoration begins with. Where a folder is used by two Hirobas it has to be said which is meant.
     *
     * @param instance the beginning of the name of a data folder
     */
    static FullBackup choose(Path from, Optional<Instant> time, Optional<String> instance) throws IOException {
        if (Files.exists(from.resolve(BackupManifest.FILE))) {
            return choose(from, time);
        }
        var folder = new BackupFolder(from);
        var all = of(folder.list(), instance);
        if (all.isEmpty()) {
            requireReadable(folder, Optional.empty());
            throw none(String.valueOf(from), instance);
        }
        requireOne(all, newest(all, time).orElse(all.getFirst()), String.valueOf(from));
        return choose(folder, all, time);
    }

    /**
     * The newest backup of the data folder that is meant: the one of this name, or else the own one where it has any there, or the only one.
     *
     * @param instance the beginning of the name of a data folder
     * @param own the name of the own one
     */
    static FullBackup newest(Path from, Optional<String> instance, Optional<String> own) throws IOException {
        return choose(from, Optional.empty(), meant(new BackupFolder(from).list(), instance, own));
    }

    static Optional<String> meant(List<FullBackup> all, Optional<String> instance, Optional<String> own) {
        return instance.or(() -> own.filter(name -> !of(all, Optional.of(name)).isEmpty()));
    }

    /** The newest backup from which a time can be reached; one that cannot be read is not passed over in silence. */
    static FullBackup choose(Path from, Optional<Instant> time) throws IOException {
        if (Files.exists(from.resolve(BackupManifest.FILE))) {
            var one = BackupFolder.read(from).orElseThrow(() -> StoredFiles.damaged(from.resolve(BackupManifest.FILE)));
            requireCovered(time, one, one);
            return one;
        }
        var folder = new BackupFolder(from);
        return choose(folder, folder.list(), time);
    }

    private static FullBackup choose(BackupFolder folder, List<FullBackup> all, Optional<Instant> time)
            throws IOException {
        var chosen = newest(all, time);
        requireReadable(folder, chosen);
        if (all.isEmpty()) {
            throw none(String.valueOf(folder.root()), Optional.empty());
        }
        var backup = chosen.orElse(all.getFirst());
        var reachable = all.stream()
                .filter(each -> archive(each, BackupCipher.NONE).follows(each.manifest()))
                .findFirst()
                .orElse(backup);
        requireCovered(time, reachable, backup);
        return backup;
    }

    /** Those of one data folder. */
    static List<FullBackup> of(List<FullBackup> all, Optional<String> instance) {
        return all.stream()
                .filter(backup ->
                        instance.isEmpty() || backup.manifest().instance().startsWith(instance.get()))
                .toList();
    }

    /** The newest that leads to a time, of backups in their order. */
    static Optional<FullBackup> newest(List<FullBackup> all, Optional<Instant> time) {
        return all.stream()
                .filter(backup ->
                        time.isEmpty() || !backup.manifest().consistent().isAfter(time.get()))
                .reduce((older, newer) -> newer);
    }

    static BackupException none(String place, Optional<String> instance) {
        return new BackupException(Text.of(
                "backup.problem.none",
                "folder",
                place + instance.map(name -> " (--instance " + name + ")").orElse("")));
    }

    private static void requireReadable(BackupFolder folder, Optional<FullBackup> chosen) throws IOException {
        var unreadable = folder.unreadable();
        if (!unreadable.isEmpty()
                && (chosen.isEmpty()
                        || unreadable.getLast().compareTo(chosen.get().folder()) > 0)) {
            throw StoredFiles.damaged(unreadable.getLast().resolve(BackupManifest.FILE));
        }
    }

    /** Refuses to guess between data folders that are not of one Hiroba after the other. */
    static void requireOne(List<FullBackup> all, FullBackup chosen, String place) {
        var folders = new TreeMap<String, List<BackupManifest>>();
        all.forEach(backup -> folders.computeIfAbsent(backup.manifest().instance(), _ -> new ArrayList<>())
                .add(backup.manifest()));
        var own = folders.remove(chosen.manifest().instance());
        if (own == null || folders.values().stream().noneMatch(other -> isRival(own, other))) {
            return;
        }
        folders.put(chosen.manifest().instance(), own);
        var choices = folders.entrySet().stream()
                .map(each -> "%s (%s – %s)"
                        .formatted(
                                shortName(each.getKey()),
                                each.getValue().getFirst().ended(),
                                each.getValue().getLast().ended()))
                .collect(Collectors.joining(", "));
        throw new BackupException(Text.of("backup.problem.several-instances", "folder", place, "instances", choices));
    }

    /**
     * Whether two data folders were used side by side, or neither came of the other: a restored database has the identity of the former,
     * and one that was upgraded another version.
     */
    private static boolean isRival(List<BackupManifest> own, List<BackupManifest> other) {
        boolean isApart = own.getLast().ended().isBefore(other.getFirst().ended())
                || other.getLast().ended().isBefore(own.getFirst().ended());
        boolean isOther = !own.getFirst().systemId().equals(other.getFirst().systemId())
                && own.getFirst().majorVersion().equals(other.getFirst().majorVersion());
        return !isApart || isOther;
    }

    /** So much of the name of a data folder as people can compare. */
    static String shortName(String instance) {
        return instance.substring(0, 8);
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

    static WalArchive archive(FullBackup backup, BackupCipher cipher) {
        return new WalArchive(parent(backup), backup.manifest().archive(), cipher);
    }

    static Path parent(FullBackup backup) {
        return backup.folder().resolveSibling(".").normalize();
    }
}
