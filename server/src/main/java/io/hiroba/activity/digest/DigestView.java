package io.hiroba.activity.digest;

import java.util.List;

/**
 * What a digest says, for its template.
 *
 * @param headline how much is new
 * @param more how many cards there are beside the items
 * @param all the address of the page with all of them
 * @param rhythm how often it comes, such as {@code once a day}
 * @param settings the address where that is changed
 */
public record DigestView(
        String nickname,
        String headline,
        List<Item> items,
        int more,
        String all,
        String rhythm,
        String settings,
        String unsubscribe) {

    /** A card in words, and the address of what it is about. */
    public record Item(String sentence, String url) {}

    public DigestView {
        items = List.copyOf(items);
    }

    /** As plain text. */
    String text() {
        var text = new StringBuilder("Hello %s,\n\n%s:\n".formatted(nickname, headline));
        for (var item : items) {
            text.append("\n- ")
                    .append(item.sentence())
                    .append("\n  ")
                    .append(item.url())
                    .append('\n');
        }
        text.append("\n%s: %s\n".formatted(more == 0 ? "All of your activity" : "And %d more".formatted(more), all));
        text.append("\nYou get this %s. Change it: %s\nStop it: %s\n".formatted(rhythm, settings, unsubscribe));
        return text.toString();
    }
}
