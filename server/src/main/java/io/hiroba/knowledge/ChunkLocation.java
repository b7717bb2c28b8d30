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

    private static final Pattern ONE = Pattern.compile("(Page|Paragraph|Message) (#?[0-9]{1,9})");
    private static final Pattern MESSAGES = Pattern.compile("Messages (#?[0-9]{1,9})–(#?[0-9]{1,9})");

    public ChunkLocation {
        details = Map.copyOf(details);
    }

    public static ChunkLocation of(String label) {
        return new ChunkLocation(null, label, Map.of());
    }

    public static String pageLabel(int number) {
        return "Page " + number;
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
        var one = ONE.matcher(label);
        if (one.matches()) {
            return Text.of("knowledge.place." + one.group(1).toLowerCase(Locale.ROOT), "number", one.group(2));
        }
        var messages = MESSAGES.matcher(label);
        return messages.matches()
                ? Text.of("knowledge.place.messages", "first", messages.group(1), "last", messages.group(2))
                : Text.verbatim(label);
    }
}
