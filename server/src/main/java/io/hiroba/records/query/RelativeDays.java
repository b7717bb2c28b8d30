package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.InvalidValueException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The days of a condition {@code within}: {@code today}, {@code this-week}, {@code past-7-days} or two days,
 * {@code 2026-11-16/2026-11-22}, both included. A zone may follow, {@code this-week/Asia/Tokyo}; the reader's is added where none
 * does. The words are settled to days when a query runs, and stay words where they are saved.
 */
public record RelativeDays(LocalDate first, LocalDate last, ZoneId zone) {

    private static final Pattern WORDS = Pattern.compile("(today|yesterday|tomorrow|(?:this|last|next)-(?:week|month)"
            + "|(?:past|next)-[1-9][0-9]{0,3}-days)(?:/(.+))?");
    private static final Pattern DAYS = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)/(\\d{4}-\\d\\d-\\d\\d)(?:/(.+))?");

    /** The prefix of values in the design document's form of conditions. */
    private static final String WITHIN = "within:";

    /** Whether these are words, or two days, without a zone. */
    public static boolean isKnown(String given) {
        var words = WORDS.matcher(given);
        var days = DAYS.matcher(given);
        return words.matches() ? words.group(2) == null : days.matches() && days.group(3) == null;
    }

    /** The days that settled words mean. */
    static RelativeDays of(JsonNode settled) throws InvalidValueException {
        var days = DAYS.matcher(settled.asString(""));
        if (!days.matches() || days.group(3) == null) {
            throw new InvalidValueException(Text.of("records.query.days"));
        }
        try {
            return new RelativeDays(
                    LocalDate.parse(days.group(1)), LocalDate.parse(days.group(2)), ZoneId.of(days.group(3)));
        } catch (DateTimeException e) {
            throw new InvalidValueException(Text.of("records.query.days"));
        }
    }

    /** The words with their zone: that of {@code reader} if they name none. */
    static String in(String given, ZoneId reader) {
        return isKnown(given) ? given + "/" + reader.getId() : given;
    }

    /** The words as days with a zone; what is none of them is left for {@link #of} to refuse. */
    static String settled(String given, ZoneId reader, Instant now) {
        var zoned = in(given, reader);
        var words = WORDS.matcher(zoned);
        if (!words.matches()) {
            return zoned;
        }
        try {
            var zone = ZoneId.of(words.group(2));
            var range = range(words.group(1), now.atZone(zone).toLocalDate(), zone);
            return range.first + "/" + range.last + "/" + zone.getId();
        } catch (DateTimeException e) {
            return given;
        }
    }

    private static RelativeDays range(String words, LocalDate today, ZoneId zone) {
        var parts = words.split("-", -1);
        if (parts.length == 3) {
            int others = Integer.parseInt(parts[1]) - 1;
            return parts[0].equals("past")
                    ? new RelativeDays(today.minusDays(others), today, zone)
                    : new RelativeDays(today, today.plusDays(others), zone);
        }
        if (parts.length == 1) {
            var day = today.plusDays(words.equals("tomorrow") ? 1 : words.equals("yesterday") ? -1 : 0);
            return new RelativeDays(day, day, zone);
        }
        int away = parts[0].equals("next") ? 1 : parts[0].equals("last") ? -1 : 0;
        if (parts[1].equals("week")) {
            var monday = today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
                    .plusWeeks(away);
            return new RelativeDays(monday, monday.plusDays(6), zone);
        }
        var begin = today.withDayOfMonth(1).plusMonths(away);
        return new RelativeDays(begin, begin.with(TemporalAdjusters.lastDayOfMonth()), zone);
    }

    /** A condition as JSON whose words mean days of {@code reader}, wherever it is asked later. */
    public static JsonNode in(JsonNode condition, ZoneId reader) {
        return rewritten(condition, given -> in(given, reader));
    }

    static JsonNode settled(JsonNode condition, ZoneId reader, Instant now) {
        return rewritten(condition, given -> settled(given, reader, now));
    }

    private static JsonNode rewritten(JsonNode node, UnaryOperator<String> days) {
        if (node.isArray()) {
            var list = JsonNodeFactory.instance.arrayNode();
            node.forEach(part -> list.add(rewritten(part, days)));
            return list;
        }
        if (!node.isObject()) {
            return node;
        }
        boolean isWithin = node.path("op").asString("").equals(Operator.WITHIN.label());
        var object = JsonNodeFactory.instance.objectNode();
        node.properties().forEach(part -> {
            var value = part.getValue();
            if (isWithin && part.getKey().equals("value") && value.isString()) {
                object.put("value", days.apply(value.stringValue()));
            } else if (part.getKey().equals("v") && value.asString("").startsWith(WITHIN)) {
                object.put("v", WITHIN + days.apply(value.stringValue().substring(WITHIN.length())));
            } else {
                object.set(part.getKey(), rewritten(value, days));
            }
        });
        return object;
    }
}
