package io.hiroba.bench.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecordsBenchTest {

    @Test
    void everybodyFindsTheSameAndEveryWorkIsMeasured() {
        var printed = new ByteArrayOutputStream();
        var before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            RecordsBench.run(1000, 0.02);
        } finally {
            System.setOut(before);
        }
        var table = printed.toString(StandardCharsets.UTF_8);
        for (var work : RecordWorkload.values()) {
            assertThat(table).contains("| %s | records |".formatted(work.label()));
        }
        assertThat(table)
                .contains("| fetch one record | one TEXT column |")
                .contains("| space of 1,000 records | JSONB with GIN |")
                .contains("; with indexes that follow use | records |")
                .contains("| insert one | records |")
                .contains("| insert 1,000 | native table |")
                .contains("| import 100 | records |");
    }
}
