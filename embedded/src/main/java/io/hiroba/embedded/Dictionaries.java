package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Japanese and the Chinese dictionary of Debian 13 in the cache folder, with their licences.
 *
 * <p>They come from the Debian archive as this machine reaches it. A checksum in the code holds each to one version: what
 * is computed with them is the same on every node.
 */
public final class Dictionaries {

    private static final Logger log = LoggerFactory.getLogger(Dictionaries.class);
    private static final String FOLDER = "dictionaries-2025";
    private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(10);

    private Dictionaries() {}

    /** The dictionaries, each a file of a package. */
    public enum Dictionary {
        /** EDICT, Japanese and English. */
        EDICT(
                "edict",
                "usr/share/edict/edict.utf8",
                "2a3ae8377d85f699e6de2a30347589c23b6bdb6509c16f024ddfa0804feb0271"),
        /** CC-CEDICT, Chinese and English. */
        CEDICT(
                "dict-cc-cedict",
                "usr/share/dictd/cc-cedict.dict.dz",
                "84047d293503b8cdb89683063878226c74913492ef851a7e89b9a50a0e0b62a1");

        private final String packageName;
        private final String file;
        private final String sha256;

        Dictionary(String packageName, String file, String sha256) {
            this.packageName = packageName;
            this.file = file;
            this.sha256 = sha256;
        }

        /** The dictionary in {@code folder}. */
        public Path in(Path folder) {
            return folder.resolve(file.substring(file.lastIndexOf('/') + 1));
        }

        private Path licenceIn(Path folder) {
            return folder.resolve(packageName + ".copyright");
        }

        private String licence() {
            return "usr/share/doc/" + packageName + "/copyright";
        }
    }

    /** The folder with all dictionaries, if they have been fetched. */
    public static Optional<Path> cached(Path cacheDir) {
        Path folder = cacheDir.resolve(FOLDER);
        return Files.isDirectory(folder) ? Optional.of(folder) : Optional.empty();
    }

    /** The folder with all dictionaries, which are fetched if they are not there: some 20 MB. */
    public static Path fetch(Path cacheDir) throws IOException {
        var cached = cached(cacheDir);
        if (cached.isPresent()) {
            return cached.get();
        }
        Folders.createReadable(cacheDir);
        var lock = FolderLock.acquire(cacheDir.resolve("dictionaries.lock"), LOCK_TIMEOUT);
        try {
            var meanwhile = cached(cacheDir);
            return meanwhile.isPresent() ? meanwhile.get() : fetchAll(cacheDir);
        } finally {
            lock.close();
        }
    }

    private static Path fetchAll(Path cacheDir) throws IOException {
        Folders.deleteLeftovers(cacheDir, ".dictionaries-");
        Path work = Folders.createReadable(Folders.unique(cacheDir, ".dictionaries-"));
        try {
            var archive = new DebianArchive(work.resolve("apt"));
            if (!archive.available()) {
                throw new EmbeddedException("apt and dpkg, which know the way to the Debian archive, are not here");
            }
            Path next = Folders.createReadable(work.resolve("next"));
            for (var dictionary : Dictionary.values()) {
                fetch(dictionary, archive, next, work);
            }
            Folders.flush(next);
            Path folder = cacheDir.resolve(FOLDER);
            Folders.rename(next, folder);
            return folder;
        } finally {
            Folders.delete(work);
        }
    }

    private static void fetch(Dictionary dictionary, DebianArchive archive, Path folder, Path work) throws IOException {
        Path unpacked = archive.unpackedPackage(dictionary.packageName, work.resolve(dictionary.packageName));
        Path content = unpacked.resolve(dictionary.file);
        Path licence = unpacked.resolve(dictionary.licence());
        if (!Files.exists(content) || !Files.exists(licence)) {
            throw new EmbeddedException("the package " + dictionary.packageName + " holds no " + dictionary.file);
        }
        if (!DebianArchive.sha256(content).equals(dictionary.sha256)) {
            throw new EmbeddedException("the checksum of " + dictionary.file + " is not the known one");
        }
        Files.copy(content, dictionary.in(folder));
        Files.copy(licence, dictionary.licenceIn(folder));
        log.info("The dictionary {} comes from the Debian archive", dictionary.packageName);
    }
}
