package io.hiroba.platform.i18n;

import com.ibm.icu.number.Precision;
import com.ibm.icu.util.Currency;
import com.ibm.icu.util.MeasureUnit;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAccessor;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The person that a page or mail is made for: their language, their time zone, and the moment at which they read. Formats texts,
 * times and numbers for them, and parses the times of date pickers.
 */
public record Reader(Language language, ZoneId zone, Instant now) {

    private static final int DAYS_BY_NAME = 6;
    private static final Pattern PICKED = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?");
    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
    private static final Pattern LOCAL =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?");

    /** The message {@code key} with arguments, each a name and a value. */
    public String text(String key, Object... arguments) {
        return Messages.in(language).format(key, Text.named(arguments));
    }

    public String text(Text text) {
        return text.in(language);
    }

    /** A message that elsewhere goes on after the name of a field, as a sentence of its own. */
    public String sentence(Text message) {
        var words = message.in(language);
        if (language != Language.ENGLISH) {
            return words.endsWith("。") || words.endsWith("？") ? words : words + "。";
        }
        var ends = words.endsWith(".") || words.endsWith("?");
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + (ends ? "" : ".");
    }

    /** With the separators of the language. */
    public String number(long number) {
        return formats().numbers().format(number).toString();
    }

    /** An amount of money, with all of its digits. */
    public String money(BigDecimal amount, String currency) {
        var unit = Currency.getInstance(currency);
        int digits = unit.getDefaultFractionDigits();
        return formats()
                .numbers()
                .unit(unit)
                .precision(Precision.minMaxFraction(digits, Math.max(digits, amount.scale())))
                .format(amount)
                .toString();
    }

    /** A number of percent, with all of its digits. */
    public String percent(BigDecimal percent) {
        return formats()
                .numbers()
                .unit(MeasureUnit.PERCENT)
                .precision(Precision.maxFraction(Math.max(0, percent.scale())))
                .format(percent)
                .toString();
    }

    /** The order of names in the language of the reader: Chinese characters by their sound in Chinese, for instance. */
    public Comparator<String> nameOrder() {
        return formats().names()::compare;
    }

    public LocalDate today() {
        return now.atZone(zone).toLocalDate();
    }

    public String zoneName() {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    public String date(Instant time) {
        return formats().date().format(time.atZone(zone));
    }

    /** A day, which is the same in every zone. */
    public String date(LocalDate day) {
        return formats().date().format(day);
    }

    /** A time of a day, to the minute. */
    public String time(TemporalAccessor time) {
        return formats().time().format(time);
    }

    /** To the second and with the zone, for tooltips. */
    public String exact(Instant time) {
        return formats().exact().format(time.atZone(zone));
    }

    /** To the minute, or to the second where it has seconds. */
    public String dateTime(Instant time) {
        var local = time.atZone(zone);
        var whole = local.getSecond() == 0 && local.getNano() == 0;
        return (whole ? formats().minute() : formats().second()).format(local);
    }

    /** With the name of the weekday. */
    public String longDateTime(Instant time) {
        return formats().longTime().format(time.atZone(zone));
    }

    /** How long ago it was if that is short, the date otherwise. */
    public String ago(Instant time) {
        var age = Duration.between(time, now);
        if (age.compareTo(Duration.ofDays(7)) >= 0) {
            return text("time.on", "date", date(time));
        }
        return age.compareTo(Duration.ofMinutes(1)) < 0
                ? text("time.just-now")
                : formats().ago(age);
    }

    /** A future time, as short as possible. */
    public String upcoming(Instant time) {
        var local = time.atZone(zone);
        var day = local.toLocalDate();
        var today = today();
        var formats = formats();
        if (day.equals(today)) {
            return formats.time().format(local);
        }
        if (day.equals(today.plusDays(1))) {
            return text("time.tomorrow", "time", formats.time().format(local));
        }
        if (day.isAfter(today) && !day.isAfter(today.plusDays(DAYS_BY_NAME))) {
            return formats.weekday().format(local);
        }
        return (day.getYear() == today.getYear() ? formats.day() : formats.minute()).format(local);
    }

    /** Today, yesterday, or the date. */
    public String day(LocalDate day) {
        if (day.equals(today())) {
            return text("time.today");
        }
        return day.equals(today().minusDays(1))
                ? text("time.yesterday")
                : formats().date().format(day);
    }

    /** The last day of a period: one that ends at midnight is over with the day before. */
    public String lastDay(Instant end) {
        return formats().shortDate().format(end.minusNanos(1).atZone(zone));
    }

    /** For an input of the type {@code datetime-local}. */
    public String picker(Instant time) {
        return DateFormats.PICKER.format(time.atZone(zone));
    }

    /** What was picked in such an input. */
    public Optional<Instant> parse(String picked) {
        try {
            return Optional.of(LocalDateTime.parse(picked.strip()).atZone(zone).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** For an input of the type that {@link #inputType} says, with all of its digits. */
    public String localText(Instant time) {
        return LocalDateTime.ofInstant(time, zone).toString();
    }

    /** The type of the input that shows {@code local} as it is: {@code datetime-local} would show nothing of some texts. */
    public static String inputType(String local) {
        return local.isEmpty() || PICKED.matcher(local).matches() ? "datetime-local" : "text";
    }

    /** A local time that was typed, with its offset; a day is its midnight, and another text is returned as it is. */
    public String absolute(String typed) {
        var text = typed.strip();
        try {
            if (DAY.matcher(text).matches()) {
                return LocalDate.parse(text).atStartOfDay(zone).toInstant().toString();
            }
            if (!LOCAL.matcher(text).matches()) {
                return text;
            }
            return LocalDateTime.parse(text.replace(' ', 'T'))
                    .atZone(zone)
                    .toInstant()
                    .toString();
        } catch (DateTimeException e) {
            return text;
        }
    }

    private DateFormats formats() {
        return DateFormats.in(language);
    }
}
