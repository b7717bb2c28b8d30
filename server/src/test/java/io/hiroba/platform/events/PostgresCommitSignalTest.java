package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PostgresCommitSignalTest {

    private static final TestDatabase database = TestDatabase.create();

    private final ConcurrentLinkedQueue<Set<String>> here = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Set<String>> there = new ConcurrentLinkedQueue<>();

    @AfterAll
    static void drop() {
        database.close();
    }

    private static PostgresCommitSignal node() {
        return new PostgresCommitSignal(database.db(), database.config());
    }

    /** The second node has begun to listen once everything counts as changed. */
    private void awaitListening(CommitSignal second) {
        second.listen("cards", there::add);
        await().until(() -> there.contains(Set.of(CommitSignal.ANY)));
    }

    @Test
    void aSignalOfOneNodeIsHeardByTheOthersAndByItselfOnce() {
        try (var first = node();
                var second = node()) {
            first.listen("cards", here::add);
            awaitListening(second);
            first.raise("posts", Set.of("7"));
            first.raise("cards", Set.of("3", "200"));
            await().until(() -> there.contains(Set.of("3", "200")));
            assertThat(there).doesNotContain(Set.of("7"));
            assertThat(here)
                    .filteredOn(keys -> !keys.contains(CommitSignal.ANY))
                    .containsExactly(Set.of("3", "200"));
            there.clear();
            first.raise(
                    "cards", IntStream.range(0, 5000).mapToObj(String::valueOf).collect(Collectors.toSet()));
            await().untilAsserted(() -> assertThat(there).containsExactly(Set.of(CommitSignal.ANY)));
        }
    }

    @Test
    void afterItsConnectionWasCutANodeTakesEverythingForChangedAndHearsAgain() {
        try (var first = node();
                var second = node()) {
            awaitListening(second);
            there.clear();
            database.db().read(reads -> reads.query("""
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND query LIKE 'LISTEN %'
                            """).mapTo(Boolean.class).list());
            await().until(() -> there.contains(Set.of(CommitSignal.ANY)));
            first.raise("cards", Set.of("9"));
            await().until(() -> there.contains(Set.of("9")));
        }
    }

    @Test
    void aForgedSignalEndsNothing() {
        try (var first = node();
                var second = node()) {
            second.listen("cards", keys -> {
                if (keys.contains("forged")) {
                    throw new IllegalArgumentException("no id");
                }
            });
            awaitListening(second);
            var listening = listening();
            database.db().read(reads -> reads.query("""
                            SELECT CAST(pg_notify('hiroba_signals', m) AS text)
                            FROM unnest(ARRAY['x', 'x cards forged', 'x nothing 7']) AS m
                            """).mapTo(String.class).list());
            first.raise("cards", Set.of("9"));
            await().until(() -> there.contains(Set.of("9")));
            assertThat(listening()).isEqualTo(listening).hasSize(2);
        }
    }

    private static List<Integer> listening() {
        return database.db().read(reads -> reads.query("""
                        SELECT pid FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE 'LISTEN %' ORDER BY pid
                        """).mapTo(Integer.class).list());
    }

    @Test
    void aNodeThatIsAloneTellsNobodyUntilAnotherComes() throws SQLException {
        var store = new CommitSignalStore();
        try (var wire = store.listen(database.config());
                var first = new PostgresCommitSignal(database.db(), database.config(), Duration.ZERO)) {
            var sent = new ArrayList<String>();
            await().until(() -> sent.addAll(store.receive(wire, Duration.ofMillis(100))));
            first.raise("cards", Set.of("1"));
            sent.addAll(store.receive(wire, Duration.ofMillis(300)));
            assertThat(sent).singleElement().asString().endsWith(" nodes hello");
            try (var second = node()) {
                second.listen("cards", there::add);
                // Once when it begins to listen, and once when the first node has answered.
                await().until(() -> there.size() == 2);
                assertThat(there).containsOnly(Set.of(CommitSignal.ANY));
                first.raise("cards", Set.of("2"));
                await().until(() -> there.contains(Set.of("2")));
            }
        }
    }
}
