package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DictionariesTest {
    @TempDir
    Path dir;

    @Test
    void nothingIsCachedBeforeItWasFetched() {
        assertThat(Dictionaries.cached(dir)).isEmpty();
    }
}
