package io.hiroba.platform.db;

import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The scripts of migrations on the class path. */
final class MigrationScripts {

    private MigrationScripts() {}

    /** The SHA-256 of the names and texts of all scripts of {@code features}. */
    static String fingerprint(List<String> features) {
        try {
            var digest = Sha256.digest();
            var folders = features.stream()
                    .map(feature -> "io/hiroba/" + feature + "/db/")
                    .toList();
            for (var path : paths(folders)) {
                digest.update(path.substring(path.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8));
                try (var text = MigrationScripts.class.getResourceAsStream("/" + path)) {
                    digest.update(Objects.requireNonNull(text, path).readAllBytes());
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The paths of the scripts in {@code folders}, those of a folder sorted. */
    private static List<String> paths(List<String> folders) throws IOException {
        var paths = new ArrayList<String>();
        @Nullable List<String> packed = null;
        for (var folder : folders) {
            var url = Objects.requireNonNull(MigrationScripts.class.getResource("/" + folder), folder);
            if (url.openConnection() instanceof JarURLConnection jar) {
                // All folders are in one jar, and a list of what is in that takes a while.
                packed = packed == null ? scripts(jar.getJarFile().stream().map(JarEntry::getName)) : packed;
                packed.stream().filter(path -> path.startsWith(folder)).forEach(paths::add);
            } else {
                try (var files = Files.list(Path.of(URI.create(url.toString())))) {
                    paths.addAll(scripts(files.map(file -> folder + file.getFileName())));
                }
            }
        }
        return paths;
    }

    private static List<String> scripts(Stream<String> paths) {
        return paths.filter(path -> path.endsWith(".sql")).sorted().toList();
    }
}
