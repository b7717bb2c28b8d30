package io.hiroba.knowledge;

import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The labels of chunks. They are stored with the chunks, where programs and the search read them, so they are in English;
 * pages put the counted ones into the reader's language.
 */
public final class ChunkLabel {

    private static final Pattern ONE = Pattern.compile("(Page|Paragraph|Message) (#?[0-9]{1,9})");
    private static final Pattern MESSAGES = Pattern.compile("Messages (#?[0-9]{1,9})–(#?[0-9]{1,9})");

    private ChunkLabel() {}

    public static String page(int number) {
        return "Page " + number;
    }

    public static String paragraph(int number) {
        return "Paragraph " + number;
    }

    /** @param mark stands before each number */
    public static String messages(String mark, int first, int last) {
        return first == last
                ? "Message %s%d".formatted(mark, first)
                : "Messages %s%d–%s%d".formatted(mark, first, mark, last);
    }

    /** A stored label; headings are the words of the source and stay as they are. */
    public static Text of(String label) {
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
