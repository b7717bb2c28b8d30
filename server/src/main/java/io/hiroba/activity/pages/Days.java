package io.hiroba.activity.pages;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Writes days and moments in the words of somebody who lives in {@code zone}. */
record Days(Instant now, ZoneId zone) {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy 'at' HH:mm", Locale.ENGLISH);

    /** The day of a card. What is no date is shown as it is: a term may name another span of time. */
    String of(String term) {
        LocalDate day;
        try {
            day = LocalDate.parse(term);
        } catch (DateTimeParseException e) {
            return term;
        }
        var today = today();
        if (day.equals(today)) {
            return "Today";
        }
        return day.equals(today.minusDays(1)) ? "Yesterday" : DATE.format(day);
    }

    boolean isToday(String term) {
        return term.equals(today().toString());
    }

    String moment(Instant time) {
        return MOMENT.format(time.atZone(zone));
    }

    private LocalDate today() {
        return now.atZone(zone).toLocalDate();
    }
}
