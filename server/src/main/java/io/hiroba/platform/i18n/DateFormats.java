package io.hiroba.platform.i18n;

import com.ibm.icu.number.LocalizedNumberFormatter;
import com.ibm.icu.number.NumberFormatter;
import com.ibm.icu.number.Precision;
import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RelativeDateTimeFormatter;
import com.ibm.icu.text.RelativeDateTimeFormatter.Direction;
import com.ibm.icu.text.RelativeDateTimeFormatter.RelativeUnit;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The formats of dates, times, ages and numbers in one language, and its order of names. */
record DateFormats(
        DateTimeFormatter time,
        DateTimeFormatter weekday,
        DateTimeFormatter day,
        DateTimeFormatter minute,
        DateTimeFormatter second,
        DateTimeFormatter shortDate,
        DateTimeFormatter date,
        DateTimeFormatter exact,
        DateTimeFormatter longTime,
        LocalizedNumberFormatter numbers,
        List<String> minutesAgo,
        List<String> hoursAgo,
        List<String> daysAgo,
        Collator names) {

    /** What an input of the type {@code datetime-local} holds. */
    static final DateTimeFormatter PICKER = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm", Locale.ROOT);

    private static final Map<Language, DateFormats> ALL = new EnumMap<>(Language.class);

    static {
        for (var language : Language.values()) {
            ALL.put(language, of(language));
        }
    }

    static DateFormats in(Language language) {
        return Objects.requireNonNull(ALL.get(language));
    }

    private static DateFormats of(Language language) {
        var locale = language.locale();
        Function<String, DateTimeFormatter> english = pattern -> DateTimeFormatter.ofPattern(pattern, locale);
        // Japanese and Chinese write dates alike, with names of weekdays of their own.
        Function<String, DateTimeFormatter> date = pattern -> english.apply("uuuu年M月d日" + pattern);
        var isEnglish = language == Language.ENGLISH;
        var ages = RelativeDateTimeFormatter.getInstance(locale);
        return new DateFormats(
                english.apply("HH:mm"),
                english.apply(isEnglish ? "EEEE, HH:mm" : "EEEE HH:mm"),
                english.apply(isEnglish ? "d MMM, HH:mm" : "M月d日 HH:mm"),
                isEnglish ? english.apply("d MMM uuuu, HH:mm") : date.apply(" HH:mm"),
                isEnglish ? english.apply("d MMM uuuu, HH:mm:ss") : date.apply(" HH:mm:ss"),
                isEnglish ? english.apply("d MMM uuuu") : date.apply(""),
                isEnglish ? english.apply("d MMMM uuuu") : date.apply(""),
                isEnglish ? english.apply("d MMMM uuuu, HH:mm:ss z") : date.apply(" HH:mm:ss z"),
                isEnglish ? english.apply("EEEE, d MMMM uuuu 'at' HH:mm") : date.apply("（E）HH:mm"),
                NumberFormatter.withLocale(locale).precision(Precision.maxFraction(3)),
                ages(ages, RelativeUnit.MINUTES, 60),
                ages(ages, RelativeUnit.HOURS, 24),
                ages(ages, RelativeUnit.DAYS, 7),
                // Frozen, so that threads may share it.
                Collator.getInstance(locale).freeze());
    }

    private static List<String> ages(RelativeDateTimeFormatter format, RelativeUnit unit, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> format.format(number, Direction.LAST, unit))
                .toList();
    }

    /** An age of a minute to a week. */
    String ago(Duration age) {
        if (age.toDays() > 0) {
            return daysAgo.get((int) age.toDays());
        }
        return age.toHours() > 0 ? hoursAgo.get((int) age.toHours()) : minutesAgo.get((int) age.toMinutes());
    }
}
