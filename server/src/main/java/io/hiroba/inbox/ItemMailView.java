package io.hiroba.inbox;

import java.util.List;

/**
 * The content of a mail, for its template.
 *
 * @param more how many items there are beside those that are named
 * @param inbox the address of the inbox
 * @param settings the address where such mail is ended
 */
public record ItemMailView(
        String nickname, String headline, List<Item> items, int more, String inbox, String settings) {

    /**
     * An item of a mail.
     *
     * @param what what is wanted
     * @param url the address of what it is about
     */
    public record Item(String what, String title, String path, String url) {}

    public ItemMailView {
        items = List.copyOf(items);
    }

    /** As plain text. */
    String text() {
        var text = new StringBuilder("Hello %s,\n\n%s:\n".formatted(nickname, headline));
        for (var item : items) {
            text.append("\n- ")
                    .append(item.what())
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
