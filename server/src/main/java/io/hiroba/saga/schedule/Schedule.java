package io.hiroba.saga.schedule;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schedule of sagas.
 *
 * @param note why it is paused
 * @param nextAt null while it is paused and when there is no due time any more
 * @param handledUntil the due times up to here do not come again
 * @param waitingAt the due time of the run that waits for the one before
 * @param error why its last due time has no saga, if that is so
 * @param lastRun the newest, where it is still kept
 * @param owner in whose name its sagas are started: who made or last changed it
 */
public record Schedule(
        long id,
        Settings settings,
        boolean paused,
        @Nullable String note,
        @Nullable Instant nextAt,
        @Nullable Instant handledUntil,
        @Nullable Instant waitingAt,
        @Nullable Text error,
        @Nullable Instant errorAt,
        @Nullable Run lastRun,
        String createdBy,
        String owner,
        Instant createdAt,
        Instant updatedAt) {

    private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MIN_WINDOW = Duration.ofMinutes(1);
    private static final Duration MAX_DURATION = Duration.ofDays(366);

    /** The treatment of a due time while a run of before is still going on. */
    public enum Overlap {
        /** Leaves the due time out. */
        SKIP,
        /** Starts when the run has ended; one waits at most. */
        QUEUE,
        /** Starts beside it. */
        ALLOW,
        /** Cancels the run, and starts when it is undone. */
        CANCEL_PREVIOUS;

        /** The name in JSON, for example {@code cancel-previous}. */
        public String code() {
            return Schedule.code(this);
        }
    }

    /** The treatment of due times at which no node was there. */
    public enum CatchUp {
        /** Leaves them out. */
        NONE,
        /** Starts one saga for the last of them. */
        LAST,
        /** Starts one for each. */
        ALL;

        public String code() {
            return Schedule.code(this);
        }
    }

    private static String code(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The settings of a schedule.
     *
     * @param cron five fields or a nickname such as {@code @hourly}; null where there is an interval
     * @param every the interval; null where there is a cron expression
     * @param timeZone an IANA name
     * @param priority of its sagas
     * @param window how long ago a due time may be that is caught up with
     * @param startAt no due time is before it
     * @param endAt no due time is after it
     */
    public record Settings(
            String name,
            String workflow,
            @Nullable String cron,
            @Nullable Duration every,
            String timeZone,
            JsonNode payload,
            int priority,
            Overlap overlap,
            CatchUp catchUp,
            Duration window,
            @Nullable Instant startAt,
            @Nullable Instant endAt) {

        ScheduleTimes times() {
            return Schedule.times(cron, every, timeZone);
        }

        /** The first due time after {@code time}. */
        Optional<Instant> after(ScheduleTimes times, Instant time) {
            var from = startAt != null && startAt.isAfter(time) ? startAt.minusNanos(1) : time;
            return times.after(from).filter(next -> endAt == null || !next.isAfter(endAt));
        }
    }

    /** A run that a schedule has started. */
    public record Run(SagaId saga, Instant dueAt, SagaStatus status) {}

    /** Its id at every interface. */
    public String hex() {
        return Ids.hex(id);
    }

    /** The next due times, as far as there are any: as if it were not paused. */
    public List<Instant> upcoming(Instant now) {
        var all = new ArrayList<Instant>();
        var times = readable().orElse(null);
        if (times == null) {
            return all;
        }
        var from = handledUntil != null && handledUntil.isAfter(now) ? handledUntil : now;
        for (var next = Optional.ofNullable(nextAt).or(() -> settings.after(times, from));
                next.isPresent() && all.size() < Schedules.SHOWN_AHEAD;
                next = settings.after(times, next.get())) {
            all.add(next.get());
        }
        return all;
    }

    /** Its times in words, where they are of a usual form. */
    public Optional<Text> words() {
        return readable().flatMap(ScheduleTimes::words);
    }

    /** Its times, unless they are none any more: those of a zone that has gone, for example. */
    private Optional<ScheduleTimes> readable() {
        try {
            return Optional.of(settings.times());
        } catch (SagaProblem refusal) {
            return Optional.empty();
        }
    }

    static ScheduleTimes times(@Nullable String cron, @Nullable Duration every, String timeZone) {
        var zone = ScheduleTimes.zone(timeZone);
        if (cron != null && every == null) {
            return ScheduleTimes.ofCron(cron, zone);
        } else if (cron == null && every != null) {
            if (!isWithin(every, MIN_INTERVAL)) {
                throw SagaProblem.invalid("every", Text.of("saga.schedule.field.duration"));
            }
            return ScheduleTimes.ofInterval(every);
        }
        throw SagaProblem.invalid("cron", Text.of("saga.schedule.field.cron-or-every"));
    }

    static void requireWindow(Duration window) {
        if (!isWithin(window, MIN_WINDOW)) {
            throw SagaProblem.invalid("catchUpWindow", Text.of("saga.schedule.field.window"));
        }
    }

    private static boolean isWithin(Duration duration, Duration min) {
        return duration.compareTo(min) >= 0
                && duration.compareTo(MAX_DURATION) <= 0
                && duration.equals(duration.truncatedTo(ChronoUnit.SECONDS));
    }
}
