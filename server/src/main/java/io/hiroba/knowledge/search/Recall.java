package io.hiroba.knowledge.search;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.embedding.QueryVectors.Vector;
import io.hiroba.knowledge.search.SearchStore.Found;
import io.hiroba.knowledge.search.SearchStore.Way;
import io.hiroba.platform.db.Db;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a share of the searches by meaning with exact ones, once they are answered: how many of the ten nearest were
 * found is a metric. One at a time, so that it never takes more than a connection.
 */
public final class Recall implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Recall.class);
    private static final int NEAREST = 10;
    /** An exact search looks at every vector: it must not become what the database does all day. */
    private static final Duration REST = Duration.ofSeconds(10);

    private final Db near;
    private final double share;
    private final DistributionSummary recall;
    private final SearchStore store = new SearchStore();
    private final Semaphore turn = new Semaphore(1);
    private volatile long rested = System.nanoTime();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param near connections with {@link Search#PLANNER} */
    public Recall(Db near, SearchConfig config, MeterRegistry meters) {
        this.near = near;
        this.share = config.recallSample();
        this.recall = DistributionSummary.builder("hiroba.knowledge.recall")
                .description("The share of the ten nearest chunks that searches by meaning find, of a sample")
                .register(meters);
    }

    /** Perhaps compares this search, in the background. */
    void sample(UserId caller, Vector vector, Filters filters) {
        if (ThreadLocalRandom.current().nextDouble() >= share || System.nanoTime() < rested || !turn.tryAcquire()) {
            return;
        }
        try {
            threads.execute(() -> compare(caller, vector, filters));
        } catch (RejectedExecutionException closed) {
            turn.release();
        }
    }

    private void compare(UserId caller, Vector vector, Filters filters) {
        try {
            var exact = nearest(caller, vector, filters, Way.EXACT);
            if (!exact.isEmpty()) {
                recall.record(found(exact, caller, vector, filters));
            }
        } catch (RuntimeException e) {
            log.warn("A search could not be compared with an exact one", e);
        } finally {
            rested = System.nanoTime() + REST.toNanos();
            turn.release();
        }
    }

    /** The share of the nearest chunks that the graph finds; 1 if there are none. */
    double measure(UserId caller, Vector vector, Filters filters) {
        var exact = nearest(caller, vector, filters, Way.EXACT);
        return exact.isEmpty() ? 1 : found(exact, caller, vector, filters);
    }

    private double found(Set<ChunkId> exact, UserId caller, Vector vector, Filters filters) {
        var found = new HashSet<>(nearest(caller, vector, filters, Way.GRAPH));
        found.retainAll(exact);
        return (double) found.size() / exact.size();
    }

    private Set<ChunkId> nearest(UserId caller, Vector vector, Filters filters, Way way) {
        return near.read(reads -> store.near(reads, caller, vector, filters, NEAREST, way)).stream()
                .map(Found::chunk)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        threads.close();
    }
}
