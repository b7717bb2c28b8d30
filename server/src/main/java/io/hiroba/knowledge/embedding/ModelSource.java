package io.hiroba.knowledge.embedding;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A place that files of a model come from: a folder, a file, an archive, or the address of either of the latter.
 *
 * @param sha256 the checksum of the file or archive, or of the model in the folder; needed for an address
 */
record ModelSource(String from, @Nullable String sha256) {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** More than any model that a processor can run. */
    private static final long MAX_BYTES = 16L << 30;

    private static final int MAX_ENTRIES = 1_000;
    private static final int STEP_PERCENT = 10;

    private boolean isAddress() {
        return from.matches("[A-Za-z][A-Za-z0-9+.-]+://?.*");
    }

    /**
     * The folder that holds its files.
     *
     * @param into an empty folder for what is fetched or unpacked
     */
    Path fetch(Path into, HttpClient client, Consumer<Text> progress) throws ModelException, IOException {
        if (isAddress()) {
            return opened(download(into, client, progress), into);
        }
        var path = Path.of(from);
        if (Files.isDirectory(path)) {
            return path;
        }
        if (!Files.isRegularFile(path)) {
            throw new ModelException(Text.of("knowledge.models.no-file", "file", from));
        }
        if (!isArchive(path)) {
            var copy = into.resolve(String.valueOf(path.getFileName()));
            try (var content = Files.newInputStream(path)) {
                check(copy(content, copy, Files.size(path), progress));
            }
            return into;
        }
        if (sha256 != null) {
            check(checksum(path));
        }
        return opened(path, into);
    }

    private static boolean isArchive(Path file) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
    }

    private static Path opened(Path file, Path into) throws ModelException, IOException {
        if (!isArchive(file)) {
            return into;
        }
        var unpacked = Files.createDirectory(into.resolve("unpacked"));
        unpack(file, unpacked);
        return unpacked;
    }

    private Path download(Path into, HttpClient client, Consumer<Text> progress) throws ModelException, IOException {
        URI address;
        try {
            address = URI.create(from);
        } catch (IllegalArgumentException e) {
            throw new ModelException(Text.of("knowledge.models.bad-address", "address", from), e);
        }
        var scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        if (address.getPath() == null || !(scheme.equals("https") || scheme.equals("file"))) {
            throw new ModelException(Text.of("knowledge.models.bad-address", "address", from));
        }
        if (sha256 == null) {
            throw new ModelException(Text.of("knowledge.models.checksum-needed", "address", from));
        }
        var name = Path.of(address.getPath()).getFileName();
        if (name == null) {
            throw new ModelException(Text.of("knowledge.models.bad-address", "address", from));
        }
        var file = into.resolve(name.toString());
        if (scheme.equals("file")) {
            var original = Path.of(address);
            if (!Files.isRegularFile(original)) {
                throw new ModelException(Text.of("knowledge.models.no-file", "file", original));
            }
            try (var content = Files.newInputStream(original)) {
                check(copy(content, file, Files.size(original), progress));
            }
        } else {
            request(address, file, client, progress);
        }
        return file;
    }

    private void request(URI address, Path file, HttpClient client, Consumer<Text> progress)
            throws ModelException, IOException {
        var request = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("User-Agent", "Hiroba")
                .build();
        try {
            var response = client.send(request, BodyHandlers.ofInputStream());
            try (var content = response.body()) {
                if (response.statusCode() != 200) {
                    throw new ModelException(Text.of(
                            "knowledge.models.refused-by-server",
                            "host",
                            String.valueOf(address.getHost()),
                            "status",
                            String.valueOf(response.statusCode())));
                }
                check(copy(
                        content,
                        file,
                        response.headers().firstValueAsLong("Content-Length").orElse(-1),
                        progress));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void check(String found) throws ModelException {
        var expected = sha256;
        if (expected != null && !expected.equalsIgnoreCase(found)) {
            throw new ModelException(
                    Text.of("knowledge.models.wrong-checksum", "from", from, "found", found, "expected", expected));
        }
    }

    /** Compares the checksum of the model in a folder, for which alone one can be given. */
    void checkModel(Path folder, Path model) throws ModelException, IOException {
        if (sha256 != null && folder.equals(Path.of(from))) {
            check(checksum(model));
        }
    }

    /** Copies {@code content} and returns its checksum. */
    private static String copy(InputStream content, Path file, long size, Consumer<Text> progress)
            throws IOException, ModelException {
        var digest = Sha256.digest();
        var buffer = new byte[1 << 16];
        long copied = 0;
        long shown = 0;
        try (var out = Files.newOutputStream(file)) {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
                out.write(buffer, 0, read);
                copied += read;
                if (copied > MAX_BYTES) {
                    throw new ModelException(Text.of("knowledge.models.too-large"));
                }
                long percent = size <= 0 ? 0 : 100 * copied / size;
                if (percent >= shown + STEP_PERCENT) {
                    shown = percent - percent % STEP_PERCENT;
                    progress.accept(Text.of(
                            "knowledge.models.fetching", "file", String.valueOf(file.getFileName()), "percent", shown));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The SHA-256 of a file in hex. */
    static String checksum(Path file) throws IOException {
        var digest = Sha256.digest();
        var buffer = new byte[1 << 16];
        try (var content = Files.newInputStream(file)) {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void unpack(Path archive, Path into) throws ModelException, IOException {
        long left = MAX_BYTES;
        int entries = 0;
        try (var zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (++entries > MAX_ENTRIES) {
                    throw new ModelException(Text.of("knowledge.models.too-large"));
                }
                var file = target(entry, into);
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                    continue;
                }
                Files.createDirectories(file.getParent() == null ? into : file.getParent());
                left -= write(zip, file, left);
            }
        } catch (ZipException e) {
            throw new ModelException(Text.of("knowledge.models.no-archive", "file", archive), e);
        }
        if (entries == 0) {
            throw new ModelException(Text.of("knowledge.models.no-archive", "file", archive));
        }
    }

    /** A name such as {@code ../../.bashrc} would be written outside of the folder. */
    private static Path target(ZipEntry entry, Path into) throws ModelException {
        var name = entry.getName().replace('\\', '/');
        var file = into.resolve(name).normalize();
        if (name.startsWith("/") || !file.startsWith(into) || name.indexOf('\0') >= 0) {
            throw new ModelException(Text.of("knowledge.models.outside", "name", name.replace('\0', '?')));
        }
        return file;
    }

    private static long write(InputStream content, Path file, long max) throws ModelException, IOException {
        var buffer = new byte[1 << 16];
        long written = 0;
        try (var out = Files.newOutputStream(file)) {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                written += read;
                if (written > max) {
                    throw new ModelException(Text.of("knowledge.models.too-large"));
                }
                out.write(buffer, 0, read);
            }
        }
        return written;
    }
}
