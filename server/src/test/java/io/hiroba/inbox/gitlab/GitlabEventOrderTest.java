package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.TestInbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deliveries with repetitions, in any order and many at once, end as they do one after the other, in all that is kept. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GitlabEventOrderTest {

    private static final int LENGTH = 24;

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        EventHistory.PEOPLE.forEach(name -> gitlab.person(EventHistory.number(name), name));
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        gitlab.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void anyOrderEndsAsTheOneInWhichItHappened(long seed) {
        int inOrder = (int) seed * 10_000;
        int shuffled = inOrder + 5_000;
        EventHistory.of(seed, LENGTH, inOrder).forEach(gitlab::hook);
        var history = EventHistory.of(seed, LENGTH, shuffled);
        deliver(history, seed);
        assertThat(state(shuffled)).isEqualTo(state(inOrder)).isNotEmpty();
        assertThat(count("state = 'handled' AND attempts = 1 AND delivery_key LIKE 'key " + seed + " event%'"))
                .isEqualTo(history.size());
    }

    private void deliver(List<String> history, long seed) {
        var numbers = new ArrayList<>(IntStream.range(0, history.size()).boxed().toList());
        numbers.addAll(numbers.subList(0, history.size() / 2));
        Collections.shuffle(numbers, new Random(seed));
        var worker = new DeliveryWorker(
                gitlab.inbox.db,
                gitlab.inbox.accounts.clock,
                InboxConfig.DEFAULT,
                gitlab.signal,
                gitlab.events,
                gitlab.meters);
        try (worker;
                var senders = Executors.newFixedThreadPool(6)) {
            worker.start();
            for (int number : numbers) {
                var body = history.get(number).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
                var key = "%d event %d".formatted(seed, number);
                senders.execute(() -> gitlab.deliveries.receive(TestInbox.GITLAB, key, key, "Some Hook", body));
            }
            senders.shutdown();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> senders.isTerminated() && count("state = 'waiting'") == 0);
        }
    }

    private int count(String condition) {
        return gitlab.inbox.accounts.count("SELECT count(*) FROM inbox.deliveries WHERE " + condition);
    }

    /** All that a history has left, without what differs between two: ids, and when it was handled. */
    private List<String> state(int base) {
        return gitlab.inbox.db.read(
                reads -> reads.query("""
                        WITH mine AS (
                            SELECT r.id, r.type, CAST(r.external_id AS BIGINT) - :base AS number, r.title, r.state, r.changed_at
                            FROM inbox.resources r
                            JOIN inbox.namespaces n ON n.id = r.namespace_id
                            WHERE n.path = 'harbour' || :base || '/boat' AND r.type IN (1, 2, 3)
                        )
                        SELECT concat_ws(' ', 'item', u.nickname, n.action, r.type, r.number, n.happened_at, n.state,
                                         n.resolved_by_action, n.read, coalesce(author.username, 'nobody')) AS line
                        FROM mine r
                        JOIN inbox.notifications n ON n.resource_id = r.id
                        JOIN accounts.user_card u ON u.id = n.user_id
                        LEFT JOIN inbox.people author ON author.id = n.author_person_id
                        UNION ALL
                        SELECT concat_ws(' ', 'resource', r.type, r.number, r.title, r.state, r.changed_at,
                                         coalesce(i.iid, m.iid), m.merge_status)
                        FROM mine r
                        LEFT JOIN inbox.issues i ON i.id = r.id
                        LEFT JOIN inbox.merge_requests m ON m.id = r.id
                        UNION ALL
                        SELECT concat_ws(' ', 'participant', r.type, r.number, p.role, person.username)
                        FROM mine r
                        JOIN inbox.participants p ON p.resource_id = r.id
                        JOIN inbox.people person ON person.id = p.person_id
                        UNION ALL
                        SELECT concat_ws(' ', 'member', p.username, m.access, m.changed_at, m.has_left)
                        FROM inbox.members m
                        JOIN inbox.namespaces n ON n.id = m.namespace_id
                        JOIN inbox.people p ON p.id = m.person_id
                        WHERE n.path = 'harbour' || :base AND n.external_id = 'group:' || :base
                        ORDER BY line
                        """).bind("base", base).mapTo(String.class).list());
    }
}
