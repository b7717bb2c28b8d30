package io.hiroba.saga.schedule;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Sentences about cron expressions of the usual forms; of others the next due times say more. */
final class CronWords {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern STEP = Pattern.compile("\\*/([0-9]+)");
    private static final Pattern DAYS = Pattern.compile("[a-z0-7]+(,[a-z0-7]+)*");
    private static final int MINUTES = 60;
    private static final int HOURS = 24;
    private static final List<String> DAY_NAMES = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    private CronWords() {}

    static Optional<Text> of(String... fields) {
        var minute = fields[0];
        var hour = fields[1];
        boolean everyDay = fields[2].equals("*") && fields[3].equals("*") && fields[4].equals("*");
        if (everyDay && hour.equals("*")) {
            return withinTheHour(minute);
        }
        if (!isNumber(minute)) {
            return Optional.empty();
        }
        var everyHours = STEP.matcher(hour);
        if (everyDay && everyHours.matches() && isDivisor(everyHours.group(1), HOURS)) {
            return Optional.of(Text.of(
                    "saga.schedule.words.hours",
                    "count",
                    Integer.parseInt(everyHours.group(1)),
                    "minute",
                    Integer.parseInt(minute)));
        }
        return isNumber(hour) ? onDays(time(hour, minute), fields[2], fields[3], fields[4]) : Optional.empty();
    }

    private static Optional<Text> withinTheHour(String minute) {
        var step = STEP.matcher(minute);
        if (minute.equals("*")) {
            return Optional.of(Text.of("saga.schedule.words.minutes", "count", 1));
        } else if (step.matches() && isDivisor(step.group(1), MINUTES)) {
            return Optional.of(Text.of("saga.schedule.words.minutes", "count", Integer.parseInt(step.group(1))));
        }
        return isNumber(minute)
                ? Optional.of(Text.of("saga.schedule.words.hours", "count", 1, "minute", Integer.parseInt(minute)))
                : Optional.empty();
    }

    private static Optional<Text> onDays(String time, String day, String month, String weekday) {
        if (day.equals("*") && month.equals("*")) {
            if (weekday.equals("*")) {
                return Optional.of(Text.of("saga.schedule.words.daily", "time", time));
            } else if (weekday.equals("1-5") || weekday.equals("mon-fri")) {
                return Optional.of(Text.of("saga.schedule.words.weekdays", "time", time));
            } else if (DAYS.matcher(weekday).matches()) {
                var days = Arrays.stream(weekday.split(",", -1))
                        .map(text -> Text.of("saga.schedule.weekday-" + weekday(text)))
                        .toList();
                return Optional.of(Text.of("saga.schedule.words.weekly", "days", days, "time", time));
            }
        } else if (isNumber(day) && weekday.equals("*")) {
            if (month.equals("*")) {
                return Optional.of(Text.of("saga.schedule.words.monthly", "day", Integer.parseInt(day), "time", time));
            } else if (isNumber(month) && !isLeapDay(day, month)) {
                return Optional.of(Text.of(
                        "saga.schedule.words.yearly",
                        "month",
                        Integer.parseInt(month),
                        "day",
                        Integer.parseInt(day),
                        "time",
                        time));
            }
        }
        return Optional.empty();
    }

    /** In the largest unit that gives a whole number. */
    static Text interval(Duration interval) {
        long seconds = interval.toSeconds();
        if (seconds % 86_400 == 0) {
            return Text.of("saga.schedule.words.every-days", "count", seconds / 86_400);
        } else if (seconds % 3600 == 0) {
            return Text.of("saga.schedule.words.every-hours", "count", seconds / 3600);
        } else if (seconds % 60 == 0) {
            return Text.of("saga.schedule.words.minutes", "count", seconds / 60);
        }
        return Text.of("saga.schedule.words.every-seconds", "count", seconds);
    }

    private static int weekday(String text) {
        return isNumber(text) ? Integer.parseInt(text) % 7 : DAY_NAMES.indexOf(text);
    }

    /** Steps begin anew in each hour and on each day: of another number the last one is shorter. */
    private static boolean isDivisor(String step, int of) {
        int number = Integer.parseInt(step);
        return number > 0 && of % number == 0;
    }

    /** Not every year has it. */
    private static boolean isLeapDay(String day, String month) {
        return Integer.parseInt(day) == 29 && Integer.parseInt(month) == 2;
    }

    private static boolean isNumber(String field) {
        return NUMBER.matcher(field).matches();
    }

    private static String time(String hour, String minute) {
        return String.format(Locale.ROOT, "%02d:%02d", Integer.parseInt(hour), Integer.parseInt(minute));
    }
}
