package io.hiroba.saga.schedule;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Optional;
import java.util.Set;

/**
 * The due times of a cron expression or of a fixed interval.
 *
 * <p>A local time that a change of the clocks skips is due at the moment of the change, and one that exists twice is due the first
 * time. An expression for every hour follows the time that passes instead: it skips nothing and runs in both of the hours that
 * have the same name.
 */
abstract sealed class ScheduleTimes {

    private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();
    private static final Instant SAMPLE = Instant.parse("2026-01-01T00:00:00Z");

    /** Reads an expression of five fields, or one such as {@code @hourly}; another is refused with what is wrong in it. */
    static ScheduleTimes ofCron(String expression, ZoneId zone) {
        var times = new CronTimes(CronExpression.parse(expression), zone);
        if (times.after(SAMPLE).isEmpty()) {
            throw SagaProblem.invalid("cron", Text.of("saga.schedule.field.never"));
        }
        return times;
    }

    /** Every multiple of {@code interval} since 1970, so that it does not drift. */
    static ScheduleTimes ofInterval(Duration interval) {
        return new IntervalTimes(interval.toMillis());
    }

    static ZoneId zone(String name) {
        if (!ZONES.contains(name)) {
            throw SagaProblem.invalid("timeZone", Text.of("saga.schedule.field.zone"));
        }
        return ZoneId.of(name);
    }

    /** The first due time after {@code time}, if there is one. */
    abstract Optional<Instant> after(Instant time);

    /** The times in words, where it is of a usual form. */
    abstract Optional<Text> words();

    /** The last due time in {@code (from, to]}, if there is one. */
    final Optional<Instant> lastWithin(Instant from, Instant to) {
        // In steps back that double: of what is found then, only the last part has to be gone through.
        for (var step = Duration.ofMinutes(2); ; step = step.multipliedBy(2)) {
            var begin = to.minus(step);
            boolean isAll = !begin.isAfter(from);
            var last = Optional.<Instant>empty();
            for (var next = after(isAll ? from : begin);
                    next.isPresent() && !next.get().isAfter(to);
                    next = after(next.get())) {
                last = next;
            }
            if (last.isPresent() || isAll) {
                return last;
            }
        }
    }

    private static final class CronTimes extends ScheduleTimes {

        private final CronExpression cron;
        private final ZoneRules rules;

        CronTimes(CronExpression cron, ZoneId zone) {
            this.cron = cron;
            this.rules = zone.getRules();
        }

        @Override
        Optional<Instant> after(Instant time) {
            return cron.isEveryHour() ? afterByElapsedTime(time) : afterByLocalTime(time);
        }

        private Optional<Instant> afterByLocalTime(Instant time) {
            var local = cron.after(LocalDateTime.ofInstant(time, rules.getOffset(time)));
            while (local.isPresent() && !instant(local.get()).isAfter(time)) {
                local = cron.after(local.get());
            }
            return local.map(this::instant);
        }

        private Instant instant(LocalDateTime local) {
            var transition = rules.getTransition(local);
            return transition != null && transition.isGap()
                    ? transition.getInstant()
                    : local.toInstant(rules.getValidOffsets(local).getFirst());
        }

        private Optional<Instant> afterByElapsedTime(Instant time) {
            var offset = rules.getOffset(time);
            var next = cron.after(LocalDateTime.ofInstant(time, offset));
            var change = rules.nextTransition(time);
            while (change != null
                    && next.isPresent()
                    && !next.get().toInstant(offset).isBefore(change.getInstant())) {
                // From the first moment with the other offset, which may be due itself.
                offset = change.getOffsetAfter();
                next = cron.after(change.getDateTimeAfter().minusMinutes(1));
                change = rules.nextTransition(change.getInstant());
            }
            return next.isEmpty() ? Optional.empty() : Optional.of(next.get().toInstant(offset));
        }

        @Override
        Optional<Text> words() {
            return cron.words();
        }
    }

    private static final class IntervalTimes extends ScheduleTimes {

        private final long interval;

        IntervalTimes(long interval) {
            this.interval = interval;
        }

        @Override
        Optional<Instant> after(Instant time) {
            return Optional.of(Instant.ofEpochMilli((Math.floorDiv(time.toEpochMilli(), interval) + 1) * interval));
        }

        @Override
        Optional<Text> words() {
            return Optional.of(CronWords.interval(Duration.ofMillis(interval)));
        }
    }
}
