package io.hiroba.inbox;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.stream.Stream;

/** A preset end of a snooze. */
public enum SnoozePreset {
    ONE_HOUR("1h"),
    FOUR_HOURS("4h"),
    /** The morning of the next day. */
    TOMORROW("tomorrow"),
    /** The morning of the next Monday. */
    NEXT_WEEK("next-week");

    private static final LocalTime MORNING = LocalTime.of(8, 0);

    private final String text;

    SnoozePreset(String text) {
        this.text = text;
    }

    /** The name at every interface, for example {@code next-week}. */
    public String text() {
        return text;
    }

    /** By name, for example {@code tomorrow}; an unknown name is a problem. */
    public static SnoozePreset parse(String text) {
        return Stream.of(values())
                .filter(preset -> preset.text.equals(text))
                .findFirst()
                .orElseThrow(() ->
                        InboxProblem.notOneOf("preset", Stream.of(values()).map(SnoozePreset::text)));
    }

    public Instant end(Instant now, ZoneId zone) {
        var today = LocalDate.ofInstant(now, zone);
        return switch (this) {
            case ONE_HOUR -> now.plus(Duration.ofHours(1));
            case FOUR_HOURS -> now.plus(Duration.ofHours(4));
            case TOMORROW -> morning(today.plusDays(1), zone);
            case NEXT_WEEK -> morning(today.with(TemporalAdjusters.next(DayOfWeek.MONDAY)), zone);
        };
    }

    private static Instant morning(LocalDate day, ZoneId zone) {
        return day.atTime(MORNING).atZone(zone).toInstant();
    }
}
