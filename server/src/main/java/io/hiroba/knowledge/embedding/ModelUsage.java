package io.hiroba.knowledge.embedding;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what models are asked, by day. It is written every few seconds and not with each call; a node that dies takes the
 * last seconds with it, which is little for an estimate of costs.
 */
final class ModelUsage {

    private static final Logger log = LoggerFactory.getLogger(ModelUsage.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Db db;
    private final InstantSource clock;
    private final ModelUsageStore store = new ModelUsageStore();
    private final Map<ModelDay, UsageAmount> unwritten = new HashMap<>();

    ModelUsage(Db db, InstantSource clock) {
        this.db = db;
        this.clock = clock;
    }

    /** The purpose of a model. */
    enum ModelUse {
        EMBEDDING,
        CHAT
    }

    /** A model on a day. */
    record ModelDay(LocalDate day, ModelUse use, String model) implements Comparable<ModelDay> {

        @Override
        public int compareTo(ModelDay other) {
            return (day + "/" + use + "/" + model).compareTo(other.day + "/" + other.use + "/" + other.model);
        }
    }

    /** The calls, and the tokens that the service reported. */
    record UsageAmount(long calls, long tokensIn, long tokensOut) {

        UsageAmount plus(UsageAmount other) {
            return new UsageAmount(calls + other.calls, tokensIn + other.tokensIn, tokensOut + other.tokensOut);
        }
    }

    /** Counts a call that was answered. */
    void called(ModelUse use, String model) {
        add(use, model, new UsageAmount(1, 0, 0));
    }

    /** Counts the tokens of a call, as far as the service reports them; other numbers than counts are not believed. */
    void tokens(ModelUse use, String model, long in, long out) {
        if (in > 0 || out > 0) {
            add(use, model, new UsageAmount(0, Math.max(in, 0), Math.max(out, 0)));
        }
    }

    private void add(ModelUse use, String model, UsageAmount amount) {
        var asked = new ModelDay(clock.instant().atZone(ZoneOffset.UTC).toLocalDate(), use, model);
        synchronized (unwritten) {
            unwritten.merge(asked, amount, UsageAmount::plus);
        }
    }

    /** Writes what was counted; what cannot be written is kept for the next time. */
    void flush() {
        Map<ModelDay, UsageAmount> counted;
        synchronized (unwritten) {
            // In one order on all nodes, so that none waits for another that waits for it.
            counted = new TreeMap<>(unwritten);
            unwritten.clear();
        }
        if (counted.isEmpty()) {
            return;
        }
        try {
            db.useTransaction(tx -> counted.forEach((asked, amount) -> store.add(tx, asked, amount)));
        } catch (DbException e) {
            log.debug("the use of models is written later", e);
            synchronized (unwritten) {
                counted.forEach((asked, amount) -> unwritten.merge(asked, amount, UsageAmount::plus));
            }
        }
    }

    /** Writes from time to time, and what is left at the end. */
    AutoCloseable start() {
        var loop = WorkLoop.every(INTERVAL, "use of models", this::flush);
        return () -> {
            loop.close();
            flush();
        };
    }
}
