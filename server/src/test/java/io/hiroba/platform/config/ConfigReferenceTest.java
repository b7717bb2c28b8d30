package io.hiroba.platform.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.AppConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigReferenceTest {

    private static final Path FILE = Path.of("../docs/reference/configuration.md");

    /** With {@code -Dhiroba.write-docs=true} the file is written instead. */
    @Test
    void theReferenceIsWhatTheRecordsSay() throws IOException {
        var reference = ConfigReference.of(AppConfig.class);
        if (Boolean.getBoolean("hiroba.write-docs")) {
            Files.writeString(FILE, reference);
        }
        assertThat(Files.readString(FILE)).isEqualTo(reference);
    }

    @Test
    void everyKeyHasAMeaning() {
        assertThat(ConfigKeys.of(AppConfig.class).all())
                .allSatisfy(key -> assertThat(key.meaning()).as(key.path()).isNotEmpty());
    }
}
