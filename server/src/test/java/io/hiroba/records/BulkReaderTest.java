package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of bulk requests are read as their writers mean them. */
class BulkReaderTest {

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine(@TempDir Path folder) throws IOException {
        var line = "{\"op\": \"create\", \"values\": {}}\n";
        var file = Files.writeString(
                folder.resolve("lines"), "\uFEFF" + line + line + "\n{\"op\": \"create\" x}\n\uFEFF" + line);
        try (var reader = new BulkReader(file, 10)) {
            var lines = reader.next().lines();
            assertThat(lines).extracting(BulkLine::number).containsExactly(1L, 2L, 4L, 5L);
            assertThat(lines).extracting(BulkLine::isGood).containsExactly(true, true, false, false);
            assertThat(lines.get(2).reason().code()).isEqualTo("http.malformed-json");
            assertThat(lines.get(2).reason().getMessage())
                    .contains("Line 4, column")
                    .doesNotContain("Line 1");
        }
    }
}
