package io.hiroba.platform.db;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A clock that goes by the database's, so that all nodes have one time. Between two readings a node measures with its monotonic
 * clock: its own date and time move nothing, however wrong they are.
 */
public final class DatabaseClock implements InstantSource {

    /** The time after which it should be read again; until then it is wrong by what a quartz is. */
    public static final Duration INTERVAL = Duration.ofMinutes(1);

    private record Reading(Instant time, long nanos) {}

    private final Db db;
    private volatile @Nullable Reading last;

    public DatabaseClock(Db db) {
        this.db = db;
    }

    @Override
    public Instant instant() {
        var reading = last;
        if (reading == null) {
            reading = read();
        }
        return reading.time().plusNanos(System.nanoTime() - reading.nanos()).truncatedTo(ChronoUnit.MICROS);
    }

    /** Reads the database's clock; on the way it is thought to have taken as long as on the way back. */
    public void update() {
        read();
    }

    private Reading read() {
        var reading = db.read(reads -> {
            // Only now: the wait for a connection is not part of the way.
            long before = System.nanoTime();
            var time = reads.query("SELECT clock_timestamp() AS now")
                    .map(row -> row.getObject("now", OffsetDateTime.class).toInstant())
                    .one();
            return new Reading(time, before + (System.nanoTime() - before) / 2);
        });
        last = reading;
        return reading;
    }
}
