package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The migrations that are out, by the SHA-256 of each: whoever has run one would be refused by a server that has another in its
 * place. {@code -Dhiroba.write-docs=true} adds new ones to the list, and leaves the lines that are there.
 */
class MigrationScriptsTest {

    private static final Path SCRIPTS = Path.of("src", "main", "resources", "io", "hiroba");
    private static final Path OUT = Path.of("src", "test", "resources", "migrations.sha256");

    @Test
    void noMigrationThatIsOutWasChanged() throws IOException {
        var out = new ArrayList<>(Files.readAllLines(OUT));
        var scripts = scripts();
        if (Boolean.getBoolean("hiroba.write-docs")) {
            var names = out.stream().map(MigrationScriptsTest::name).toList();
            scripts.stream().filter(script -> !names.contains(name(script))).forEach(out::add);
            out.sort(null);
            Files.write(OUT, out);
        }
        assertThat(scripts)
                .as("a new script is added with -Dhiroba.write-docs=true, and one that is out stays as it is")
                .containsExactlyElementsOf(out);
    }

    /** Each script as {@code feature/V001__name.sql sha256}, sorted. */
    private static List<String> scripts() throws IOException {
        try (var files = Files.walk(SCRIPTS)) {
            var lines = new ArrayList<String>();
            for (var script : files.filter(MigrationScriptsTest::isMigration).toList()) {
                var feature = SCRIPTS.relativize(script).getName(0);
                lines.add("%s/%s %s".formatted(feature, script.getFileName(), Sha256.hex(Files.readAllBytes(script))));
            }
            lines.sort(null);
            return lines;
        }
    }

    private static boolean isMigration(Path file) {
        return file.getParent().endsWith("db") && file.toString().endsWith(".sql");
    }

    private static String name(String line) {
        return line.substring(0, line.indexOf(' '));
    }
}
