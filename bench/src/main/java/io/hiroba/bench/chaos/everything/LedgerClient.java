package io.hiroba.bench.chaos.everything;

import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.bench.chaos.everything.LedgerKind.Write;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.json.JsonMapper;

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
        Optional<Reply> last = Optional.empty();
        for (var write : kind.writes(entry, places)) {
            var reply = untilAcknowledged(write);
            if (!reply.isDone()) {
                ledger.refuse(kind, entry, reply.toString());
                return;
            }
            last = Optional.of(reply);
        }
        last.ifPresent(reply -> ledger.acknowledge(
                kind,
                kind.mark(
                        entry,
                        JsonMapper.shared().readTree(reply.body()).path("id").asString(""))));
    }

    /**
     * Repeats the request, since a server may have done what it says, with the same key until one says so. When nothing fails any
     * more, one does soon.
     */
    private Reply untilAcknowledged(Write write) {
        var key = write.method().equals("POST")
                ? Map.of("Idempotency-Key", UUID.randomUUID().toString())
                : Map.<String, String>of();
        var reply = new Reply(0, "no server was there");
        long end = 0; // none before the faults stop
        while (end == 0 || System.nanoTime() - end < 0) {
            if (end == 0 && stopped.getAsBoolean()) {
                end = System.nanoTime() + TIMEOUT.toNanos();
            }
            var node = nodes.get(random.nextInt(nodes.size())).address();
            if (node.isPresent()) {
                reply = http.send(node.get(), places.user(), write.method(), write.path(), write.json(), key);
                counters.count(reply.isDone(), reply.isUnknown());
                if (!reply.isUnknown() && !isUnderWay(reply)) {
                    return reply;
                }
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
        return reply;
    }

    /** Whether the request before with the same key is not answered yet. */
    private static boolean isUnderWay(Reply reply) {
        return reply.status() == 409 && reply.body().contains("idempotency");
    }
}
