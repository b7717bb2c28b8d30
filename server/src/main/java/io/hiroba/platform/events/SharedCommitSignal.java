package io.hiroba.platform.events;

import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A commit signal that reaches the other nodes as well. What changes within a few milliseconds is sent together. */
abstract class SharedCommitSignal extends CommitSignal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SharedCommitSignal.class);

    private final String self = UUID.randomUUID().toString();
    private final Duration interval;
    private final WakeSignal changed = new WakeSignal();
    private final WorkLoop sender;

    /** The keys to send, by topic. */
    private Map<String, Set<String>> pending = new HashMap<>();

    /** @param interval the shortest time between two sendings */
    SharedCommitSignal(Duration interval) {
        this.interval = interval;
        sender = WorkLoop.whenSignalled("signal sender", 1, changed, Duration.ofMinutes(1), this::sendPending);
    }

    /** Sends messages to all nodes. What cannot be sent is lost, and the other nodes poll. */
    abstract void publish(List<String> messages);

    @Override
    void send(String topic, Set<String> keys) {
        synchronized (this) {
            pending.computeIfAbsent(topic, name -> new HashSet<>()).addAll(keys);
        }
        changed.raise();
    }

    private boolean sendPending() throws InterruptedException {
        Map<String, Set<String>> taken;
        synchronized (this) {
            taken = pending;
            pending = new HashMap<>();
        }
        if (taken.isEmpty()) {
            return false;
        }
        publish(taken.entrySet().stream()
                .map(each -> new Message(self, each.getKey(), bounded(each.getValue())).text())
                .toList());
        Thread.sleep(interval);
        return true;
    }

    /** Calls the listeners of this node, unless it has sent the message itself. */
    final void received(String text) {
        var message = Message.parse(text);
        if (message == null) {
            log.warn("ignored a malformed signal");
        } else if (!message.node().equals(self)) {
            receive(message.topic(), message.keys());
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
