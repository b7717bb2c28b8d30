package io.hiroba.inbox;

import java.util.List;

/**
 * The content of a mail, for its template.
 *
 * @param more the number of items that are not listed
 * @param inbox the URL of the inbox
 * @param settings the URL of the settings that turn such mail off
 */
public record ItemMailView(
        String nickname, String headline, List<Item> items, int more, String inbox, String settings) {

    /**
     * An item of a mail.
     *
     * @param reason the label of its action
     * @param url of its resource
     */
    public record Item(String reason, String title, String path, String url) {}

    public ItemMailView {
        items = List.copyOf(items);
    }

    String text() {
        var text = new StringBuilder("Hello %s,\n\n%s:\n".formatted(nickname, headline));
        for (var item : items) {
            text.append("\n- ")
                    .append(item.reason())
                    .append(": ")
                    .append(item.title())
                    .append("\n  ")
                    .append(item.path())
                    .append("\n  ")
                    .append(item.url())
                    .append('\n');
        }
        text.append("\n%s: %s\n".formatted(more == 0 ? "Your inbox" : "And %d more".formatted(more), inbox));
        text.append("\nYou get this because you asked for mail about such items. Change or stop it: %s\n"
                .formatted(settings));
        return text.toString();
    }
}
