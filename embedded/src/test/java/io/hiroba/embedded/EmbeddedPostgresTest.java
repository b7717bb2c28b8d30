package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EmbeddedPostgresTest {
    @TempDir
    Path dir;

    @Test
    void aFreshStartHasVectorsWithAnHnswIndex() throws Exception {
        var steps = new ArrayList<Progress.Step>();
        try (var postgres = EmbeddedPostgres.start(Databases.durable(dir.resolve("pg")), steps::add)) {
            assertThat(steps).endsWith(Progress.Step.INITIALISING, Progress.Step.STARTING);
            assertThat(postgres.adopted()).isFalse();
            Databases.execute(postgres, """
                    CREATE EXTENSION vector;
                    CREATE TABLE places (id int PRIMARY KEY, position halfvec(3) NOT NULL);
                    INSERT INTO places (id, position) VALUES (1, '[1,0,0]'), (2, '[0,1,0]'), (3, '[0,0.8,0.6]');
                    CREATE INDEX ON places USING hnsw (position halfvec_cosine_ops);
                    """);
            // So small a table would be read as a whole: the index has to be asked for.
            Databases.execute(postgres, "ALTER ROLE hiroba SET enable_seqscan = off");
            String nearest = "SELECT id FROM places ORDER BY position <=> '[0,0.9,0.5]' LIMIT 1";
            assertThat(Databases.query(postgres, nearest)).isEqualTo("3");
            assertThat(Databases.query(postgres, "EXPLAIN (FORMAT JSON) " + nearest))
                    .contains("places_position_idx");
        }
    }

    @Test
    void everyRestartKeepsTheData() throws Exception {
        Path data = dir.resolve("pg");
        try (var postgres = Databases.startDurable(data)) {
            Databases.execute(postgres, "CREATE TABLE notes (text text); INSERT INTO notes VALUES ('kept')");
        }
        for (int start = 0; start < 2; start++) {
            try (var postgres = Databases.startDurable(data)) {
                assertThat(Databases.query(postgres, "SELECT text FROM notes")).isEqualTo("kept");
            }
        }
    }
}
