package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Sends requests to random servers and repeats those whose outcome is unknown. */
final class RetryingClient {

    /** On a busy machine it takes minutes until a server is there that was killed. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(60);

    private final List<NodeProcess> nodes;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final ChaosHttpClient http = new ChaosHttpClient();

    RetryingClient(List<NodeProcess> nodes, RunCounters counters, SplittableRandom random) {
        this.nodes = nodes;
        this.counters = counters;
        this.random = random;
    }

    /**
     * The outcome of a request.
     *
     * @param repeated it was sent more than once, so that an unanswered attempt may still take effect
     */
    record Outcome(Reply reply, boolean repeated) {

        boolean is(int... statuses) {
            for (int status : statuses) {
                if (reply.status() == status) {
                    return true;
                }
            }
            return false;
        }

        /** Any other status is a defect of the test itself. */
        Outcome require(int... statuses) {
            if (!is(statuses)) {
                throw new IllegalStateException("a request was answered with " + reply);
            }
            return this;
        }
    }

    Outcome send(ChaosUser by, String method, String path, String json, Map<String, String> headers) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        boolean repeated = false;
        while (System.nanoTime() < end) {
            var node = nodes.get(random.nextInt(nodes.size())).address();
            if (node.isPresent()) {
                var reply = http.send(node.get(), by, method, path, json, headers);
                if (isKnown(reply)) {
                    (reply.isDone() ? counters.done : counters.refused).incrementAndGet();
                    return new Outcome(reply, repeated);
                }
                counters.unknown.incrementAndGet();
                repeated = true;
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        throw new IllegalStateException("the outcome of %s %s stays unknown".formatted(method, path));
    }

    private static boolean isKnown(Reply reply) {
        return !reply.isUnknown() && !(reply.status() == 409 && reply.body().contains("idempotency-in-progress"));
    }
}
