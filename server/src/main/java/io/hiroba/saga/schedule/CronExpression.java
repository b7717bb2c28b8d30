package io.hiroba.saga.schedule;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaProblem;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A cron expression of five fields, with the rules of Vixie's cron: where both the day of the month and that of the week are
 * restricted, either is enough.
 */
final class CronExpression {

    private static final Map<String, String> NICKNAMES = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");

    /** The 29th of February may be eight years away. */
    private static final int MAX_YEARS = 9;

    private static final int DAYS_A_WEEK = 7;
    private static final long EVERY_HOUR = (1L << 24) - 1;
    private static final int MAX_LENGTH = 255;
    private static final Pattern SPACE = Pattern.compile("[ \t]+");
    private static final int NAME_LENGTH = 3;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,2}");

    /** A field: its range, and the names of its numbers from {@code min} on, of three letters each. */
    private enum Field {
        MINUTE(0, 59, ""),
        HOUR(0, 23, ""),
        DAY(1, 31, ""),
        MONTH(1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"),
        WEEKDAY(0, 7, "sunmontuewedthufrisat");

        private final int min;
        private final int max;
        private final String names;

        Field(int min, int max, String names) {
            this.min = min;
            this.max = max;
            this.names = names;
        }

        /** The numbers that the field allows, a bit each. */
        private long parse(String text) {
            long bits = 0;
            for (var part : text.split(",", -1)) {
                bits |= part(part, text);
            }
            // Sunday is 0 and 7.
            return this == WEEKDAY && (bits & (1L << 7)) != 0 ? bits | 1 : bits;
        }

        private long part(String part, String text) {
            var halves = part.split("/", -1);
            if (halves.length > 2) {
                throw refusal(text);
            }
            int step = halves.length == 2 ? positive(halves[1], text) : 1;
            var range = halves[0].split("-", -1);
            int from = min;
            int to = max;
            if (!halves[0].equals("*")) {
                from = number(range[0], text);
                if (range.length == 2) {
                    to = number(range[1], text);
                } else if (halves.length == 1) {
                    to = from;
                }
                if (this == WEEKDAY && to == 0 && from > 0) {
                    to = 7;
                }
            }
            if (range.length > 2 || from > to) {
                throw refusal(text);
            }
            long bits = 0;
            for (int i = from; i <= to; i += step) {
                bits |= 1L << i;
            }
            return bits;
        }

        private int number(String text, String whole) {
            int named = text.length() == NAME_LENGTH ? names.indexOf(text) : -1;
            int number = -1;
            if (named >= 0 && named % NAME_LENGTH == 0) {
                number = named / NAME_LENGTH + min;
            } else if (NUMBER.matcher(text).matches()) {
                number = Integer.parseInt(text);
            }
            if (number < min || number > max) {
                throw refusal(whole);
            }
            return number;
        }

        private int positive(String text, String whole) {
            if (!NUMBER.matcher(text).matches() || Integer.parseInt(text) == 0) {
                throw refusal(whole);
            }
            return Integer.parseInt(text);
        }

        private SagaProblem refusal(String value) {
            return SagaProblem.invalid(
                    "cron",
                    switch (this) {
                        case MINUTE -> Text.of("saga.schedule.field.minute", "value", value);
                        case HOUR -> Text.of("saga.schedule.field.hour", "value", value);
                        case DAY -> Text.of("saga.schedule.field.day", "value", value);
                        case MONTH -> Text.of("saga.schedule.field.month", "value", value);
                        case WEEKDAY -> Text.of("saga.schedule.field.weekday", "value", value);
                    });
        }
    }

    private final String[] fields;
    private final long minutes;
    private final long hours;
    private final long days;
    private final long months;
    private final long weekdays;
    private final boolean eitherDay;

    private CronExpression(String[] fields) {
        this.fields = fields;
        minutes = Field.MINUTE.parse(fields[0]);
        hours = Field.HOUR.parse(fields[1]);
        days = Field.DAY.parse(fields[2]);
        months = Field.MONTH.parse(fields[3]);
        weekdays = Field.WEEKDAY.parse(fields[4]);
        eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
    }

    /** Reads an expression, or a nickname such as {@code @hourly}; another is refused with what is wrong in it. */
    static CronExpression parse(String expression) {
        var text = expression.strip().toLowerCase(Locale.ROOT);
        var fields = SPACE.split(NICKNAMES.getOrDefault(text, text), -1);
        if (fields.length != Field.values().length || expression.length() > MAX_LENGTH) {
            throw SagaProblem.invalid("cron", Text.of("saga.schedule.field.cron"));
        }
        return new CronExpression(fields);
    }

    /** Whether it is due in every hour of its days. */
    boolean isEveryHour() {
        return hours == EVERY_HOUR;
    }

    Optional<Text> words() {
        return CronWords.of(fields);
    }

    /** The first local time after {@code time}; none if there is none in nine years. */
    Optional<LocalDateTime> after(LocalDateTime time) {
        var earliest = time.plusMinutes(1);
        int hour = earliest.getHour();
        int minute = earliest.getMinute();
        var day = earliest.toLocalDate();
        var end = day.plusYears(MAX_YEARS);
        while (day.isBefore(end)) {
            if ((months & (1L << day.getMonthValue())) == 0) {
                day = day.withDayOfMonth(1).plusMonths(1);
            } else {
                if (isDue(day)) {
                    var found = onDay(day, hour, minute);
                    if (found.isPresent()) {
                        return found;
                    }
                }
                day = day.plusDays(1);
            }
            hour = 0;
            minute = 0;
        }
        return Optional.empty();
    }

    private boolean isDue(LocalDate day) {
        boolean ofMonth = (days & (1L << day.getDayOfMonth())) != 0;
        boolean ofWeek = (weekdays & (1L << (day.getDayOfWeek().getValue() % DAYS_A_WEEK))) != 0;
        return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
    }

    private Optional<LocalDateTime> onDay(LocalDate day, int hour, int minute) {
        int first = next(hours, hour);
        if (first == hour && next(minutes, minute) < Long.SIZE) {
            return Optional.of(day.atTime(hour, next(minutes, minute)));
        }
        int later = first == hour ? next(hours, hour + 1) : first;
        return later < Long.SIZE ? Optional.of(day.atTime(later, next(minutes, 0))) : Optional.empty();
    }

    /** The lowest number from {@code from} on; 64 if there is none. */
    private static int next(long bits, int from) {
        return Long.numberOfTrailingZeros(bits & (-1L << from));
    }
}
