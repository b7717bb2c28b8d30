package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares SQL statements that are assembled from parts with files that show them resolved. Run with {@code
 * -Dhiroba.write-docs=true} to write the files.
 */
public final class GoldenStatements {

    private static final Path ROOT = Path.of("src/test/resources/golden");

    private GoldenStatements() {}

    /** Compares {@code sql} with the file {@code NAME.sql} of a feature. */
    public static void check(String feature, String name, String sql) {
        var file = ROOT.resolve(feature).resolve(name + ".sql");
        var text = sql.stripTrailing() + "\n";
        if (Boolean.getBoolean("hiroba.write-docs")) {
            try {
                Files.createDirectories(file.getParent());
                Files.writeString(file, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        assertThat(file).hasContent(text);
    }
}
