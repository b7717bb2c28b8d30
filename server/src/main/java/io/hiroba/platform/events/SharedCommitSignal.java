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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A commit signal that reaches the other nodes as well. What changes within a few milliseconds is sent together, and nothing
 * while this node is the only one.
 */
abstract class SharedCommitSignal extends CommitSignal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SharedCommitSignal.class);

    /** The topic under which nodes learn of each other. */
    private static final String NODES = "nodes";

    private static final String HELLO = "hello";
    private static final String HERE = "here";

    private final String self = UUID.randomUUID().toString();
    private final Duration interval;
    private final Duration answerTime;
    private final WakeSignal changed = new WakeSignal();
    private final WorkLoop sender;

    /** The keys to send, by topic. */
    private Map<String, Set<String>> pending = new HashMap<>();

    /** Whether a message of another node was received. */
    private volatile boolean heard;

    /** The time of {@link System#nanoTime} of the last greeting; null while another node could not be heard. */
    private volatile @Nullable Long greetedAt;

    /**
     * @param interval the shortest time between two sendings
     * @param answerTime a node whose greeting nobody has answered for so long is alone
     */
    SharedCommitSignal(Duration interval, Duration answerTime) {
        this.interval = interval;
        this.answerTime = answerTime;
        sender = WorkLoop.whenSignalled("signal sender", 1, changed, Duration.ofMinutes(1), this::sendPending);
    }

    /** Sends messages to all nodes. What cannot be sent is lost, and the other nodes poll. */
    abstract void publish(List<String> messages);

    /** Lets the other nodes know that this one listens; they answer. */
    final void greet() {
        publish(List.of(new Message(self, NODES, Set.of(HELLO)).text()));
        greetedAt = System.nanoTime();
    }

    /** Called when this node stops listening: until it greets again it takes itself for one of several. */
    final void deafen() {
        greetedAt = null;
    }

    private boolean isAlone() {
        var since = greetedAt;
        return !heard && since != null && System.nanoTime() - since > answerTime.toNanos();
    }

    @Override
    void send(String topic, Set<String> keys) {
        if (isAlone()) {
            return;
        }
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
            heard = true;
            if (!message.topic().equals(NODES)) {
                receiveValid(message);
            } else if (message.keys().contains(HELLO)) {
                publish(List.of(new Message(self, NODES, Set.of(HERE)).text()));
            } else {
                // The other node was alone until it heard this one, and has told nobody of its changes.
                receiveAll();
            }
        }
    }

    /** Every role of the database can send a notification, and no listener may end what receives the others. */
    private void receiveValid(Message message) {
        try {
            receive(message.topic(), message.keys());
        } catch (RuntimeException e) {
            log.warn("ignored a signal whose keys are not those of its topic: {}", message.topic());
            log.debug("a signal with keys of another kind", e);
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
