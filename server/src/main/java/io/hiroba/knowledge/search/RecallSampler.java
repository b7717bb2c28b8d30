package io.hiroba.knowledge.search;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.SearchStore.Found;
import io.hiroba.knowledge.search.SearchStore.VectorScan;
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
 * Compares a sample of vector searches with exact ones afterwards and records how many of the ten nearest were found.
 * One at a time, so that it uses one connection at most.
 */
public final class RecallSampler implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RecallSampler.class);
    private static final int TOP_K = 10;
    /** An exact scan reads every vector, so it is rare. */
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(10);

    private final Db searchDatabase;
    private final double share;
    private final DistributionSummary recall;
    private final SearchStore store = new SearchStore();
    private final Semaphore turn = new Semaphore(1);
    private volatile long rested = System.nanoTime();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param searchDatabase connections with {@link Search#PLANNER} */
    public RecallSampler(Db searchDatabase, SearchConfig config, MeterRegistry meters) {
        this.searchDatabase = searchDatabase;
        this.share = config.recallSample();
        this.recall = DistributionSummary.builder("hiroba.knowledge.recall")
                .description("The share of the ten nearest chunks that searches by meaning find, of a sample")
                .register(meters);
    }

    /** Samples this search with some probability, in the background. */
    void sample(KnowledgeReader caller, Vector vector, SearchFilters filters) {
        if (ThreadLocalRandom.current().nextDouble() >= share || System.nanoTime() < rested || !turn.tryAcquire()) {
            return;
        }
        try {
            threads.execute(() -> compare(caller, vector, filters));
        } catch (RejectedExecutionException closed) {
            turn.release();
        }
    }

    private void compare(KnowledgeReader caller, Vector vector, SearchFilters filters) {
        try {
            var exact = nearest(caller, vector, filters, VectorScan.EXACT);
            if (!exact.isEmpty()) {
                recall.record(found(exact, caller, vector, filters));
            }
        } catch (RuntimeException e) {
            log.warn("A search could not be compared with an exact one", e);
        } finally {
            rested = System.nanoTime() + MIN_INTERVAL.toNanos();
            turn.release();
        }
    }

    /** The share of the nearest chunks that the graph finds; 1 if there are none. */
    double measure(KnowledgeReader caller, Vector vector, SearchFilters filters) {
        var exact = nearest(caller, vector, filters, VectorScan.EXACT);
        return exact.isEmpty() ? 1 : found(exact, caller, vector, filters);
    }

    private double found(Set<ChunkId> exact, KnowledgeReader caller, Vector vector, SearchFilters filters) {
        var found = new HashSet<>(nearest(caller, vector, filters, VectorScan.GRAPH));
        found.retainAll(exact);
        return (double) found.size() / exact.size();
    }

    private Set<ChunkId> nearest(KnowledgeReader caller, Vector vector, SearchFilters filters, VectorScan scan) {
        return searchDatabase.read(reads -> store.vectorSearch(reads, caller, vector, filters, TOP_K, scan)).stream()
                .map(Found::chunk)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        threads.close();
    }
}
