package io.hiroba.bench.chaos.saga;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls and effects of the service, in order; each idempotency key takes effect once, and an execution that comes after its
 * compensation has none.
 */
final class ServiceLog {

    private final long began = System.nanoTime();
    private final Map<String, List<Entry>> entries = new HashMap<>();
    private long last;

    /** The kind of an entry: a call, or its effect. */
    enum Kind {
        CALL,
        EFFECT
    }

    /**
     * A call or an effect.
     *
     * @param order the position in the log
     */
    record Entry(long order, long millis, Kind kind, String key, String method, String note) {

        @Override
        public String toString() {
            return "%6d ms %s %s %s %s".formatted(millis, kind, key.substring(key.indexOf(':') + 1), method, note);
        }
    }

    synchronized void recordCall(String key, String method, String note) {
        add(Kind.CALL, key, method, note);
    }

    /** Records the effect of a key once. */
    synchronized void recordEffect(String key, String method) {
        var undone = key.replace(":EXECUTE", ":COMPENSATE");
        if (of(saga(key)).stream()
                .noneMatch(entry -> entry.kind() == Kind.EFFECT
                        && (entry.key().equals(key) || entry.key().equals(undone)))) {
            add(Kind.EFFECT, key, method, "");
        }
    }

    private void add(Kind kind, String key, String method, String note) {
        long millis = (System.nanoTime() - began) / 1_000_000;
        entries.computeIfAbsent(saga(key), saga -> new ArrayList<>())
                .add(new Entry(++last, millis, kind, key, method, note));
    }

    /** The entries of a saga. */
    synchronized List<Entry> of(String saga) {
        return List.copyOf(entries.getOrDefault(saga, List.of()));
    }

    private static String saga(String key) {
        return key.substring(0, key.indexOf(':'));
    }
}
