package io.hiroba.bench.chaos.everything;

import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A client that writes entries through all features, and repeats each request with its key until a server acknowledges it. */
final class LedgerClient implements Runnable {

    private static final long MIN_PAUSE_MS = 20;
    private static final long MAX_PAUSE_MS = 200;
    private static final long RETRY_NANOS = 300_000_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final AtomicLong TURN = new AtomicLong();
    private static final AtomicLong COUNT = new AtomicLong();

    private final List<NodeProcess> nodes;
    private final LedgerPlaces places;
    private final Ledger ledger;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final BooleanSupplier stopped;
    private final ChaosHttpClient http = new ChaosHttpClient();

    LedgerClient(
            List<NodeProcess> nodes,
            LedgerPlaces places,
            Ledger ledger,
            RunCounters counters,
            SplittableRandom random,
            BooleanSupplier stopped) {
        this.nodes = nodes;
        this.places = places;
        this.ledger = ledger;
        this.counters = counters;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        var kinds = LedgerKind.values();
        while (!stopped.getAsBoolean()) {
            // One after the other, so that even the shortest run has entries of each.
            write(kinds[(int) (TURN.getAndIncrement() % kinds.length)]);
            LockSupport.parkNanos(random.nextLong(MIN_PAUSE_MS, MAX_PAUSE_MS) * 1_000_000);
        }
    }

    /** Writes an entry, and returns when it is acknowledged or refused. */
    void write(LedgerKind kind) {
        var entry = kind.entry(COUNT.incrementAndGet());
        var id = "";
        for (var each : kind.writes()) {
            var write = each.filled(places, entry, id);
            var reply = untilAcknowledged(write, entry);
            if (!reply.isDone()) {
                ledger.refuse(kind, entry, reply.toString());
                return;
            }
            id = write.id(reply.body(), entry).orElse(id);
        }
        ledger.acknowledge(kind, kind.mark(entry, id));
    }

    /**
     * Repeats the request, since a server may have done what it says, with the same key until one says so. When nothing fails any
     * more, one does soon.
     */
    private Reply untilAcknowledged(LedgerWrite write, String entry) {
        var headers = new HashMap<>(write.headers());
        if (write.isKeyed()) {
            headers.put("Idempotency-Key", UUID.randomUUID().toString());
        }
        var reply = new Reply(0, "no server was there");
        boolean isRepeated = false;
        long end = 0; // none before the faults stop
        while (end == 0 || System.nanoTime() - end < 0) {
            if (end == 0 && stopped.getAsBoolean()) {
                end = System.nanoTime() + TIMEOUT.toNanos();
            }
            var node = nodes.get(random.nextInt(nodes.size())).address();
            if (node.isPresent()) {
                reply = http.send(node.get(), places.user(), write.method(), write.path(), write.body(), headers);
                counters.count(reply.isDone(), reply.isUnknown());
                if (isRepeated && isDecided(reply)) {
                    return new Reply(HttpURLConnection.HTTP_OK, "");
                }
                if (!reply.isUnknown() && !isUnderWay(reply) && isFound(write, reply, entry)) {
                    return reply;
                }
                isRepeated = true;
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
        return reply;
    }

    /** Whether the request before with the same key is not answered yet. */
    private static boolean isUnderWay(Reply reply) {
        return reply.status() == HttpURLConnection.HTTP_CONFLICT
                && (reply.body().contains("idempotency") || reply.body().contains("conversation-busy"));
    }

    /** A decision takes no key: that it has been made is what the one before has done. */
    private static boolean isDecided(Reply reply) {
        return reply.status() == HttpURLConnection.HTTP_CONFLICT && reply.body().contains("approval-");
    }

    /** Whether what is waited for is there. */
    private static boolean isFound(LedgerWrite write, Reply reply, String entry) {
        return !write.method().equals("GET")
                || !reply.isDone()
                || write.id(reply.body(), entry).isPresent();
    }
}
