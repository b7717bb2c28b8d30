package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.platform.i18n.Text;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A rule of somebody by which an agent is woken for them: by the clock, or by an item of their inbox.
 *
 * @param kind {@link Wake#SCHEDULE}, {@link Wake#INBOX} or {@link Wake#QUERY}
 * @param prompt the message that is sent to the agent
 * @param times when it is due; null unless the kind is a schedule
 * @param failure why it sent nothing the last time; null if it did
 */
record AgentTrigger(
        long id,
        UserId agent,
        UserId owner,
        Wake kind,
        String prompt,
        @Nullable WeeklyTimes times,
        @Nullable Instant dueAt,
        @Nullable Instant lastAt,
        @Nullable String failure,
        Instant createdAt) {

    /** The kinds that a trigger has. */
    static final Set<Wake> KINDS = EnumSet.of(Wake.SCHEDULE, Wake.INBOX, Wake.QUERY);

    static Wake kind(String code) {
        return KINDS.stream()
                .filter(kind -> kind.code().equals(code))
                .findFirst()
                .orElseThrow(() -> AgentsProblem.invalid("kind", Text.of("agents.field.trigger-kind")));
    }

    /**
     * A time of day on some days of the week, somewhere.
     *
     * @param days at least one
     */
    record WeeklyTimes(LocalTime time, Set<DayOfWeek> days, ZoneId zone) {

        WeeklyTimes {
            days = Set.copyOf(days);
        }

        /** @param days their names, such as {@code monday}; all if there are none */
        static WeeklyTimes parse(String time, Collection<String> days, String zone) {
            var parsed = EnumSet.noneOf(DayOfWeek.class);
            for (var day : days) {
                parsed.add(day(day));
            }
            return new WeeklyTimes(
                    QuietHours.time("time", time),
                    parsed.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : parsed,
                    QuietHours.zone(zone));
        }

        private static DayOfWeek day(String name) {
            for (var day : DayOfWeek.values()) {
                if (code(day).equals(name)) {
                    return day;
                }
            }
            throw AgentsProblem.invalid("days", Text.of("agents.field.days"));
        }

        static String code(DayOfWeek day) {
            return day.name().toLowerCase(Locale.ROOT);
        }

        /** The names of the days, in their order. */
        List<String> dayCodes() {
            return new TreeSet<>(days).stream().map(WeeklyTimes::code).toList();
        }

        /** The first time after {@code after}. One that a change of the clocks skips is due as much later. */
        Instant next(Instant after) {
            var date = after.atZone(zone).toLocalDate();
            while (true) {
                var due = date.atTime(time).atZone(zone).toInstant();
                if (days.contains(date.getDayOfWeek()) && due.isAfter(after)) {
                    return due;
                }
                date = date.plusDays(1);
            }
        }
    }
}
