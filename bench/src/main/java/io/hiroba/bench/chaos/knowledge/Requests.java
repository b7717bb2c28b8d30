package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Http;
import io.hiroba.bench.chaos.Http.Reply;
import io.hiroba.bench.chaos.Node;
import io.hiroba.bench.chaos.Person;
import io.hiroba.bench.chaos.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Requests of people who want to know: what may have got lost on its way is sent again, to any server. */
final class Requests {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(60);

    private final List<Node> nodes;
    private final Tally tally;
    private final SplittableRandom random;
    private final Http http = new Http();

    Requests(List<Node> nodes, Tally tally, SplittableRandom random) {
        this.nodes = nodes;
        this.tally = tally;
        this.random = random;
    }

    /**
     * The answer to a request.
     *
     * @param repeated it was sent more than once: one that got no answer may take effect only now
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

        /** What cannot be answered otherwise, unless the run itself is wrong. */
        Outcome require(int... statuses) {
            if (!is(statuses)) {
                throw new IllegalStateException("a request was answered with " + reply);
            }
            return this;
        }
    }

    Outcome send(Person by, String method, String path, String json, Map<String, String> headers) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        boolean repeated = false;
        while (System.nanoTime() < end) {
            var node = nodes.get(random.nextInt(nodes.size())).address();
            if (node.isPresent()) {
                var reply = http.send(node.get(), by, method, path, json, headers);
                if (isKnown(reply)) {
                    (reply.isDone() ? tally.done : tally.refused).incrementAndGet();
                    return new Outcome(reply, repeated);
                }
                tally.unknown.incrementAndGet();
                repeated = true;
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        throw new IllegalStateException("nobody knows what became of %s %s".formatted(method, path));
    }

    private static boolean isKnown(Reply reply) {
        return !reply.isUnknown() && !(reply.status() == 409 && reply.body().contains("idempotency-in-progress"));
    }
}
