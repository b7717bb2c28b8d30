package io.hiroba.platform.events;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Signals after a commit what has changed, by topic and key, to the listeners of this node; a subclass also to those of the
 * others. It only saves them the wait for their next poll: a lost signal loses nothing.
 */
public class CommitSignal {

    /** The key that stands for all of a topic, where it is not known which have changed or where they are too many. */
    public static final String ANY = "*";

    private static final Set<String> ALL_KEYS = Set.of(ANY);

    /** More and longer ones are told as {@link #ANY}, so that a message stays below the 8,000 bytes that PostgreSQL takes. */
    private static final int MAX_KEYS = 300;

    private static final int MAX_LENGTH = 7_000;

    private final Map<String, List<Consumer<Set<String>>>> listeners = new ConcurrentHashMap<>();

    /** Calls {@code listener} with the changed keys of a topic. It must neither block nor throw. */
    public void listen(String topic, Consumer<Set<String>> listener) {
        listeners.computeIfAbsent(topic, name -> new CopyOnWriteArrayList<>()).add(listener);
    }

    /**
     * Called after the commit that made the changes visible.
     *
     * @param keys in letters, digits and hyphens
     */
    public void raise(String topic, Collection<String> keys) {
        var changed = Set.copyOf(keys);
        receive(topic, changed);
        send(topic, bounded(changed));
    }

    static Set<String> bounded(Set<String> keys) {
        return keys.size() > MAX_KEYS || keys.contains(ANY) || length(keys) > MAX_LENGTH ? ALL_KEYS : keys;
    }

    private static int length(Set<String> keys) {
        return keys.stream().mapToInt(key -> key.length() + 1).sum();
    }

    /** Tells the other nodes; here there are none. */
    void send(String topic, Set<String> keys) {}

    /** Calls the listeners of this node. */
    final void receive(String topic, Set<String> keys) {
        listeners.getOrDefault(topic, List.of()).forEach(listener -> listener.accept(keys));
    }

    /** Calls all listeners of this node, after signals may have been lost. */
    final void receiveAll() {
        listeners.keySet().forEach(topic -> receive(topic, ALL_KEYS));
    }

    /** A signal as text: the node that sends it, the topic and the keys. */
    record Message(String node, String topic, Set<String> keys) {

        private static final Pattern TEXT = Pattern.compile("([^ ]+) ([a-z]+) ([0-9A-Za-z*-]+(?:,[0-9A-Za-z*-]+)*)");

        /** Null if {@code text} is not a message. */
        static @Nullable Message parse(String text) {
            var parts = TEXT.matcher(text);
            return parts.matches()
                    ? new Message(
                            parts.group(1),
                            parts.group(2),
                            Set.copyOf(Arrays.asList(parts.group(3).split(",", -1))))
                    : null;
        }

        String text() {
            return node + " " + topic + " " + String.join(",", keys);
        }
    }
}
