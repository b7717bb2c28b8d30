package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.TestInbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hundred deliveries with repetitions, in any order and many at once, end as they do one after the other. */
@Tag("slow")
class GitlabEventOrderTest {

    private static final int LENGTH = 100;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void anyOrderEndsAsTheOneInWhichItHappened(long seed) {
        var history = EventHistory.of(seed, LENGTH);
        Map<String, List<String>> expected;
        try (var gitlab = gitlab()) {
            history.forEach(gitlab::hook);
            expected = outcome(gitlab);
        }
        try (var gitlab = gitlab()) {
            deliver(gitlab, history, seed);
            assertThat(outcome(gitlab)).isEqualTo(expected);
            assertThat(gitlab.inbox.miscounted()).isEmpty();
            assertThat(count(gitlab, "state = 'handled' AND attempts = 1")).isEqualTo(history.size());
        }
    }

    private static TestGitlab gitlab() {
        var gitlab = new TestGitlab();
        EventHistory.PEOPLE.forEach(name -> gitlab.person(EventHistory.number(name), name));
        return gitlab;
    }

    private static void deliver(TestGitlab gitlab, List<String> history, long seed) {
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
                senders.execute(
                        () -> gitlab.deliveries.receive(TestInbox.GITLAB, null, "event " + number, "Some Hook", body));
            }
            senders.shutdown();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> senders.isTerminated() && count(gitlab, "state = 'waiting'") == 0);
        }
    }

    private static int count(TestGitlab gitlab, String condition) {
        return gitlab.inbox.accounts.count("SELECT count(*) FROM inbox.deliveries WHERE " + condition);
    }

    private static Map<String, List<String>> outcome(TestGitlab gitlab) {
        var outcome = new TreeMap<String, List<String>>();
        for (var name : EventHistory.PEOPLE) {
            outcome.put(name, gitlab.pending(name).stream().sorted().toList());
        }
        for (var type : List.of(ResourceType.ISSUE, ResourceType.MERGE_REQUEST)) {
            outcome.put(
                    type.text(),
                    IntStream.rangeClosed(1, 6)
                            .mapToObj(id -> gitlab.resource(type, Integer.toString(id)))
                            .toList());
        }
        return outcome;
    }
}
