package io.hiroba.activity;

import java.util.List;

/**
 * The content of a digest mail.
 *
 * @param headline the number of new cards
 * @param more the number of cards without an item
 * @param all the address of the page of all cards
 * @param frequency such as {@code daily}
 * @param settings the address of the notification settings
 */
public record DigestView(
        String nickname,
        String headline,
        List<Item> items,
        int more,
        String all,
        String frequency,
        String settings,
        String unsubscribe) {

    /** The sentence of a card, and the address of what it is about. */
    public record Item(String sentence, String url) {}

    public DigestView {
        items = List.copyOf(items);
    }

    /** The plain-text alternative. */
    String text() {
        var text = new StringBuilder("Hello %s,\n\n%s:\n".formatted(nickname, headline));
        for (var item : items) {
            text.append("\n- ")
                    .append(item.sentence())
                    .append("\n  ")
                    .append(item.url())
                    .append('\n');
        }
        text.append("\n%s: %s\n"
                .formatted(more == 0 ? "View all notifications" : "%d more notifications".formatted(more), all));
        text.append("\nYou get this digest %s. Settings: %s\nUnsubscribe: %s\n"
                .formatted(frequency, settings, unsubscribe));
        return text.toString();
    }
}
