package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Migrations;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The orchestrator's schema has a way down as well as up. */
class SagaMigrationsTest {

    /** What the schema holds, but for Flyway's own table. */
    private static final String HOLDS = """
            SELECT coalesce(string_agg(kind || ' ' || name, ', ' ORDER BY kind, name), '')
            FROM (
                SELECT c.relkind::text AS kind, c.relname::text AS name
                FROM pg_class AS c
                WHERE c.relnamespace = 'saga'::regnamespace AND c.relname NOT LIKE 'schema_history%'
                UNION ALL
                SELECT 'function', p.proname::text FROM pg_proc AS p WHERE p.pronamespace = 'saga'::regnamespace
                UNION ALL
                SELECT 'trigger', t.tgname::text
                FROM pg_trigger AS t
                JOIN pg_class AS c ON c.oid = t.tgrelid
                WHERE c.relnamespace = 'saga'::regnamespace AND NOT t.tgisinternal) AS held (kind, name)
            """;

    @Test
    void whatWasMadeIsTakenDownAgainAndCanBeMadeAnew() {
        try (var database = TestDatabase.create()) {
            var made = holds(database);
            assertThat(made)
                    .contains("saga_states", "saga_step_logs", "idx_saga_states_workflow_status", "append_events");
            takeDown(database);
            assertThat(holds(database)).isEmpty();
            run(database, "DELETE FROM saga.schema_history");
            Migrations.run(database.config(), List.of("saga"));
            assertThat(holds(database)).isEqualTo(made);
        }
    }

    @Test
    void eachMigrationHasItsWayDown() {
        assertThat(names("db"))
                .containsExactly(
                        "V001__saga.sql",
                        "V002__service_secrets.sql",
                        "V003__operating.sql",
                        "V004__approvals.sql",
                        "V005__search_attributes.sql",
                        "V006__children.sql",
                        "V007__schedules.sql",
                        "V008__limits.sql",
                        "V009__owners_and_places.sql",
                        "V010__tasks.sql",
                        "V011__workflow_pages.sql",
                        "V012__traces.sql",
                        "V013__bulk_refusals.sql",
                        "V014__schedule_priorities.sql",
                        "V015__bulk_filters.sql");
        assertThat(names("down")).isEqualTo(names("db"));
    }

    private static void takeDown(TestDatabase database) {
        for (var script : scripts("down").reversed()) {
            try {
                run(database, Files.readString(script, StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static List<String> names(String folder) {
        return scripts(folder).stream()
                .map(script -> String.valueOf(script.getFileName()))
                .toList();
    }

    private static List<Path> scripts(String folder) {
        var resource = SagaConfig.class.getResource(folder);
        try (var files = Files.list(Path.of(resource.toURI()))) {
            return files.sorted(Comparator.comparing(Path::getFileName)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String holds(TestDatabase database) {
        return database.db()
                .read(reads -> reads.query(HOLDS).mapTo(String.class).one());
    }

    private static void run(TestDatabase database, String sql) {
        database.db().useTransaction(tx -> tx.update(sql).execute());
    }
}
