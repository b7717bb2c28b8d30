package io.hiroba.saga;

import io.hiroba.saga.SagaListener.SagaUpdate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Writes down what it is sent: attempts as {@code EXECUTE reserve 1 SUCCESS}, states by their status, and the end. */
final class RecordingSagaListener implements SagaListener {

    final List<String> attempts = new CopyOnWriteArrayList<>();
    final List<SagaStatus> states = new CopyOnWriteArrayList<>();
    final List<Integer> sent = new CopyOnWriteArrayList<>();
    final List<String> ends = new CopyOnWriteArrayList<>();

    @Override
    public void changed(SagaUpdate update) {
        update.attempts()
                .forEach(each -> attempts.add(
                        "%s %s %d %s".formatted(each.action(), each.stepName(), each.attempt(), each.status())));
        states.add(update.saga().status());
        sent.add(update.sent());
    }

    @Override
    public void ended() {
        ends.add("end");
    }

    @Override
    public void expired() {
        ends.add("expired");
    }

    RecordingSagaListener awaitAttempts(int count) {
        await().until(() -> attempts.size() >= count);
        return this;
    }

    void awaitState(SagaStatus status) {
        await().until(() -> states.contains(status));
    }

    RecordingSagaListener awaitEnd() {
        await().until(() -> !ends.isEmpty());
        return this;
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(15)).pollInterval(Duration.ofMillis(5));
    }
}
