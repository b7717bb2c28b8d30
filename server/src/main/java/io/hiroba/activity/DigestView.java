package io.hiroba.activity;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/**
 * The content of a digest mail.
 *
 * @param headline the number of new cards
 * @param more the number of cards without an item
 * @param all the address of the page of all cards
 * @param settings the address of the notification settings
 */
public record DigestView(
        String nickname,
        Text headline,
        List<Item> items,
        int more,
        String all,
        DigestFrequency frequency,
        String settings,
        String unsubscribe) {

    /** The sentence of a card, and the address of what it is about. */
    public record Item(Text sentence, String url) {}

    public DigestView {
        items = List.copyOf(items);
    }

    /** What the page of all cards shows beyond the items. */
    public Text rest() {
        return more == 0 ? Text.of("activity.digest.all") : Text.of("activity.digest.more", "count", more);
    }

    /** Why the reader gets the mail. */
    public Text reason() {
        return Text.of("activity.digest.reason", "frequency", frequency.text());
    }

    /** The plain-text alternative. */
    String plain(Reader reader) {
        var text = new StringBuilder("%s\n\n%s\n"
                .formatted(
                        reader.text("activity.digest.hello", "name", nickname),
                        reader.text("activity.digest.plain-headline", "headline", headline)));
        for (var item : items) {
            text.append("\n- %s\n  %s\n".formatted(reader.text(item.sentence()), item.url()));
        }
        text.append("\n%s\n\n%s\n%s\n"
                .formatted(
                        reader.text("activity.digest.plain-rest", "rest", rest(), "url", all),
                        reader.text("activity.digest.plain-settings", "reason", reason(), "url", settings),
                        reader.text("activity.digest.plain-unsubscribe", "url", unsubscribe)));
        return text.toString();
    }
}
