package io.hiroba.embedded;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/**
 * The Japanese and the Chinese dictionary of Debian 13 in the cache folder, with their licences.
 *
 * <p>They are found in a Debian mirror over HTTP, on any system, or by apt where only that knows the way out. A checksum
 * in the code holds each to one version: what is computed with them is the same on every node.
 */
public final class Dictionaries {

    private static final Logger log = LoggerFactory.getLogger(Dictionaries.class);
    private static final String FOLDER = "dictionaries-2025";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DOWNLOAD_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(10);
    private static final String ARCHIVE = "https://deb.debian.org/debian/";
    /** Has each version for ever, also those that the archive has replaced. */
    private static final String SNAPSHOT = "https://snapshot.debian.org/archive/debian/20250901T000000Z/";

    private Dictionaries() {}

    /** The dictionaries, each a file of a package. */
    public enum Dictionary {
        /** EDICT, Japanese and English. */
        EDICT(
                "edict",
                "pool/main/e/edict/edict_2024.08.08-1_all.deb",
                "usr/share/edict/edict.utf8",
                "2a3ae8377d85f699e6de2a30347589c23b6bdb6509c16f024ddfa0804feb0271"),
        /** CC-CEDICT, Chinese and English. */
        CEDICT(
                "dict-cc-cedict",
                "pool/main/c/cc-cedict/dict-cc-cedict_0.0~repack20250329-1_all.deb",
                "usr/share/dictd/cc-cedict.dict.dz",
                "84047d293503b8cdb89683063878226c74913492ef851a7e89b9a50a0e0b62a1");

        private final String packageName;
        private final String path;
        private final String file;
        private final String sha256;

        Dictionary(String packageName, String path, String file, String sha256) {
            this.packageName = packageName;
            this.path = path;
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
            Path next = Folders.createReadable(work.resolve("next"));
            for (var dictionary : Dictionary.values()) {
                fetch(dictionary, next, work);
            }
            Folders.flush(next);
            Path folder = cacheDir.resolve(FOLDER);
            Folders.rename(next, folder);
            return folder;
        } finally {
            Folders.delete(work);
        }
    }

    private static void fetch(Dictionary dictionary, Path folder, Path work) throws IOException {
        var failures = new ArrayList<String>();
        for (var mirror : mirrors()) {
            try (var deb = download(URI.create(mirror + dictionary.path))) {
                keep(dictionary, unpacked(deb, dictionary), folder);
                log.info("The dictionary {} comes from {}", dictionary.packageName, mirror);
                return;
            } catch (IOException | EmbeddedException e) {
                failures.add(mirror + ": " + e);
            }
        }
        var archive = new DebianArchive(work.resolve("apt"));
        try {
            if (archive.available()) {
                Path unpacked = archive.unpackedPackage(dictionary.packageName, work.resolve(dictionary.packageName));
                keep(
                        dictionary,
                        Map.of(
                                dictionary.file,
                                Files.readAllBytes(unpacked.resolve(dictionary.file)),
                                dictionary.licence(),
                                Files.readAllBytes(unpacked.resolve(dictionary.licence()))),
                        folder);
                return;
            }
        } catch (IOException | EmbeddedException e) {
            failures.add("apt: " + e);
        }
        throw new EmbeddedException(
                "the dictionary " + dictionary.packageName + " could not be fetched: " + String.join("; ", failures));
    }

    private static List<String> mirrors() {
        var mirrors = new ArrayList<String>();
        if (Command.find("apt-get").isPresent()) {
            DebianArchive.mirror().filter(uri -> uri.startsWith("http")).ifPresent(mirrors::add);
        }
        mirrors.add(ARCHIVE);
        mirrors.add(SNAPSHOT);
        return mirrors;
    }

    private static InputStream download(URI address) throws IOException {
        try (var client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            var request =
                    HttpRequest.newBuilder(address).timeout(DOWNLOAD_TIMEOUT).build();
            var response = client.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("status " + response.statusCode());
            }
            return new ByteArrayInputStream(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The dictionary and its licence, out of the package. */
    static Map<String, byte[]> unpacked(InputStream deb, Dictionary dictionary) throws IOException {
        var files = new HashMap<String, byte[]>();
        var packaged = new ArArchiveInputStream(new BufferedInputStream(deb));
        for (var part = packaged.getNextEntry(); part != null; part = packaged.getNextEntry()) {
            if (part.getName().equals("data.tar.xz")) {
                var tar = new TarArchiveInputStream(new XZInputStream(packaged));
                for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    var name = entry.getName().replaceFirst("^\\./", "");
                    if (entry.isFile() && (name.equals(dictionary.file) || name.equals(dictionary.licence()))) {
                        files.put(name, tar.readAllBytes());
                    }
                }
                break;
            }
        }
        return files;
    }

    private static void keep(Dictionary dictionary, Map<String, byte[]> files, Path folder) throws IOException {
        var content = files.get(dictionary.file);
        var licence = files.get(dictionary.licence());
        if (content == null || licence == null) {
            throw new EmbeddedException("the package " + dictionary.packageName + " holds no " + dictionary.file);
        }
        Files.write(dictionary.in(folder), content);
        Files.write(dictionary.licenceIn(folder), licence);
        if (!DebianArchive.sha256(dictionary.in(folder)).equals(dictionary.sha256)) {
            throw new EmbeddedException("the checksum of " + dictionary.file + " is not the known one");
        }
    }
}
