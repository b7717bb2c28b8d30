package io.hiroba.platform.db;

import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The scripts of migrations on the class path. */
final class MigrationScripts {

    private MigrationScripts() {}

    /** The SHA-256 of the names and texts of all scripts of {@code features}. */
    static String fingerprint(List<String> features) {
        try {
            var digest = Sha256.digest();
            for (var feature : features) {
                var folder = "io/hiroba/" + feature + "/db/";
                for (var script : names(folder)) {
                    digest.update(script.getBytes(StandardCharsets.UTF_8));
                    try (var text = MigrationScripts.class.getResourceAsStream("/" + folder + script)) {
                        digest.update(Objects.requireNonNull(text, script).readAllBytes());
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(String folder) throws IOException {
        var url = Objects.requireNonNull(MigrationScripts.class.getResource("/" + folder), folder);
        if (url.openConnection() instanceof JarURLConnection jar) {
            return sorted(jar.getJarFile().stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(folder))
                    .map(name -> name.substring(folder.length())));
        }
        try (var files = Files.list(Path.of(URI.create(url.toString())))) {
            return sorted(files.map(file -> file.getFileName().toString()));
        }
    }

    private static List<String> sorted(Stream<String> names) {
        return names.filter(name -> name.endsWith(".sql")).sorted().toList();
    }
}
