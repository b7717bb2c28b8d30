package io.hiroba.bench.chaos.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schedule of a run. Each starts sagas of the workflow {@code nightly}, which take longer than the shortest interval.
 *
 * @param cron null where it is due at the interval; else one that is due at the same times
 * @param missed how long no node had been there when the run begins
 */
record ChaosSchedule(
        int index, @Nullable String cron, Duration every, Overlap overlap, CatchUp catchUp, Duration missed) {

    /** The admin in whose name the sagas are started. */
    static final UserId OWNER = new UserId(1);

    private static final String WORKFLOW = "nightly";
    private static final Duration WINDOW = Duration.ofMinutes(30);
    private static final Duration OUTAGE = Duration.ofHours(1);

    /** The distance between the numbers of the sagas of two due times. */
    private static final int NUMBERS = 100;

    /** Seconds since 1970 before any due time; the numbers of other sagas are lower than a hundred times that. */
    private static final long EARLIEST = 1_000_000_000L;

    /** A due time of less long ago has not been missed. */
    static final Duration GRACE = Duration.ofMinutes(1);

    static final List<ChaosSchedule> ALL = List.of(
            every(0, 1, Overlap.ALLOW, CatchUp.ALL),
            every(1, 2, Overlap.SKIP, CatchUp.NONE),
            every(2, 2, Overlap.QUEUE, CatchUp.LAST),
            every(3, 3, Overlap.CANCEL_PREVIOUS, CatchUp.LAST),
            new ChaosSchedule(4, "* * * * *", Duration.ofMinutes(1), Overlap.ALLOW, CatchUp.ALL, Duration.ZERO),
            afterOutage(5, CatchUp.NONE),
            afterOutage(6, CatchUp.LAST),
            afterOutage(7, CatchUp.ALL));

    private static ChaosSchedule every(int index, int seconds, Overlap overlap, CatchUp catchUp) {
        return new ChaosSchedule(index, null, Duration.ofSeconds(seconds), overlap, catchUp, Duration.ZERO);
    }

    private static ChaosSchedule afterOutage(int index, CatchUp catchUp) {
        return new ChaosSchedule(index, null, Duration.ofMinutes(5), Overlap.ALLOW, catchUp, OUTAGE);
    }

    long id() {
        return 1000L + index;
    }

    /** How long ago a due time may be that is started. */
    Duration window() {
        return catchUp == CatchUp.NONE ? GRACE : WINDOW;
    }

    /** Its due times after {@code from} and up to {@code to}. */
    List<Instant> dueTimes(Instant from, Instant to) {
        long step = every.toSeconds();
        return LongStream.rangeClosed(
                        Math.floorDiv(from.getEpochSecond(), step) + 1, Math.floorDiv(to.getEpochSecond(), step))
                .mapToObj(n -> Instant.ofEpochSecond(n * step))
                .toList();
    }

    /** Inserts it as if it had been there before {@code begin}. */
    void insert(Handle handle, Instant begin, Instant end) {
        var handled = begin.minus(missed);
        handle.createUpdate("""
                        INSERT INTO saga.schedules (
                            id, name, workflow_name, cron, every_ms, time_zone, payload, overlap, catch_up, window_ms, end_at,
                            next_at, handled_until, created_by)
                        VALUES (:id, :name, :workflow, :cron, :every, 'UTC', CAST(:payload AS jsonb), :overlap, :catchUp,
                                :window, :end, :next, :handled, :owner)
                        """)
                .bind("id", id())
                .bind("name", "schedule " + index)
                .bind("workflow", WORKFLOW)
                .bind("cron", cron)
                .bind("every", cron == null ? every.toMillis() : null)
                .bind("payload", "{\"schedule\": %d}".formatted(index))
                .bind("overlap", overlap.name())
                .bind("catchUp", catchUp.name())
                .bind("window", WINDOW.toMillis())
                .bind("end", end)
                .bind("next", dueTimes(handled, end).stream().findFirst().orElse(null))
                .bind("handled", handled)
                .bind("owner", OWNER.hex())
                .execute();
    }

    /** The number of the saga that has this payload, which decides how the service behaves: that of a client, or by the due time. */
    static long number(JsonNode payload) {
        return payload.has("scheduledAt")
                ? number(
                        payload.path("schedule").asInt(),
                        Instant.parse(payload.path("scheduledAt").asString()))
                : payload.path("number").asLong();
    }

    private static long number(int index, Instant dueAt) {
        return dueAt.getEpochSecond() * NUMBERS + index;
    }

    /** Whether the saga of this number may be cancelled by the next run of its schedule. */
    static boolean cancels(long number) {
        return number > NUMBERS * EARLIEST && ALL.get((int) (number % NUMBERS)).overlap() == Overlap.CANCEL_PREVIOUS;
    }

    long number(Instant dueAt) {
        return number(index, dueAt);
    }
}
