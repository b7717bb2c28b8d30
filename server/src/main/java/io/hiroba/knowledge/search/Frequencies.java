package io.hiroba.knowledge.search;

import io.hiroba.platform.db.Db;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many chunks hold a word, as PostgreSQL's own statistics know it: exactly enough to tell common words from rare ones,
 * and nobody has to keep count.
 */
final class Frequencies {

    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Db db;
    private final Clock clock;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Known known = new Known(0, Map.of(), 0, Instant.MIN);

    private record Known(double chunks, Map<String, Double> shares, double rarest, Instant until) {}

    Frequencies(Db db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** About how many chunks hold {@code lexeme}; a word that the statistics do not name is half as common as the rarest they do. */
    double chunksWith(String lexeme) {
        var now = current();
        return now.chunks * now.shares.getOrDefault(lexeme, now.rarest / 2);
    }

    /** Whether the statistics name {@code lexeme}. */
    boolean knows(String lexeme) {
        return current().shares.containsKey(lexeme);
    }

    /** About how many chunks there are. */
    double chunks() {
        return current().chunks;
    }

    private Known current() {
        var now = clock.instant();
        if (known.until.isBefore(now)) {
            refresh(now);
        }
        return known;
    }

    /** One reads; who comes meanwhile goes by what was known, and waits only if nothing was. */
    private void refresh(Instant now) {
        if (known.until.equals(Instant.MIN)) {
            reading.lock();
        } else if (!reading.tryLock()) {
            return;
        }
        try {
            if (known.until.isBefore(now)) {
                known = read(now.plus(FRESH));
            }
        } finally {
            reading.unlock();
        }
    }

    private Known read(Instant until) {
        return db.read(reads -> {
            var shares = new HashMap<String, Double>();
            double chunks = reads.query("""
                    SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'knowledge.knowledge_chunks'::regclass
                    """).mapTo(Double.class).one();
            reads.query("""
                    SELECT f.lexeme, f.share
                    FROM pg_stats s
                    CROSS JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs)
                        AS f (lexeme, share)
                    WHERE s.schemaname = 'knowledge' AND s.tablename = 'knowledge_chunks' AND s.attname = 'words'
                      AND f.lexeme IS NOT NULL
                    """)
                    .map(row -> Map.entry(row.getString("lexeme"), row.getDouble("share")))
                    .forEach(entry -> shares.put(entry.getKey(), entry.getValue()));
            double rarest =
                    shares.values().stream().min(Comparator.naturalOrder()).orElse(0.0);
            return new Known(chunks, Map.copyOf(shares), rarest, until);
        });
    }
}
