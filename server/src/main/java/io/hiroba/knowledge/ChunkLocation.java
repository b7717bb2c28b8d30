package io.hiroba.knowledge;

import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The location of a chunk in its source, for citations.
 *
 * @param url the URL of the chunk; null for the source's own
 * @param label for people, for example {@code Page 3}
 * @param details further properties, by names in snake_case: page, section, message_index, …
 */
public record ChunkLocation(@Nullable String url, String label, Map<String, Object> details) {

    /** What stands between the headings in a label. */
    public static final String PATH_SEPARATOR = " › ";

    private static final Pattern ONE =
            Pattern.compile("(Page|Paragraph|Message|Slide|Chapter|Row|Line) (#?[0-9]{1,9})");
    private static final Pattern RANGE = Pattern.compile("(Messages|Rows|Lines) (#?[0-9]{1,9})–(#?[0-9]{1,9})");

    public ChunkLocation {
        details = Map.copyOf(details);
    }

    public static ChunkLocation of(String label) {
        return new ChunkLocation(null, label, Map.of());
    }

    /** The label of a numbered part of a document, for example {@code Page 3}. */
    public static String label(String kind, int number) {
        return kind.charAt(0) + kind.substring(1).toLowerCase(Locale.ROOT) + " " + number;
    }

    /** The label of a range of rows or lines. */
    public static String rangeLabel(String kind, int first, int last) {
        var name = kind.toUpperCase(Locale.ROOT);
        return first == last ? label(name, first) : label(name + "S", first) + "–" + last;
    }

    public static String paragraphLabel(int number) {
        return "Paragraph " + number;
    }

    /** The label of a range of messages; {@code mark} stands before each number. */
    public static String messagesLabel(String mark, int first, int last) {
        return first == last
                ? "Message %s%d".formatted(mark, first)
                : "Messages %s%d–%s%d".formatted(mark, first, mark, last);
    }

    /**
     * A stored label for people. It is stored in English, as the search reads it; headings are the words of the source and stay
     * as they are.
     */
    public static Text text(String label) {
        int first = label.indexOf(PATH_SEPARATOR);
        if (first >= 0 && isCounted(label.substring(0, first))) {
            return within(label.substring(0, first), label.substring(first + PATH_SEPARATOR.length()));
        }
        int last = label.lastIndexOf(PATH_SEPARATOR);
        if (last >= 0 && isCounted(label.substring(last + PATH_SEPARATOR.length()))) {
            return within(label.substring(0, last), label.substring(last + PATH_SEPARATOR.length()));
        }
        var one = ONE.matcher(label);
        if (one.matches()) {
            return Text.of("knowledge.place." + one.group(1).toLowerCase(Locale.ROOT), "number", one.group(2));
        }
        var range = RANGE.matcher(label);
        return range.matches()
                ? Text.of(
                        "knowledge.place." + range.group(1).toLowerCase(Locale.ROOT),
                        "first",
                        range.group(2),
                        "last",
                        range.group(3))
                : Text.verbatim(label);
    }

    private static boolean isCounted(String part) {
        return ONE.matcher(part).matches() || RANGE.matcher(part).matches();
    }

    private static Text within(String outer, String inner) {
        return Text.of("knowledge.place.within", "outer", text(outer), "inner", text(inner));
    }
}
