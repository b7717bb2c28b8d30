package io.hiroba.inbox;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/**
 * The content of a mail, for its template.
 *
 * @param more the number of items that are not listed
 * @param inbox the URL of the inbox
 * @param settings the URL of the settings that turn such mail off
 */
public record ItemMailView(
        Language language,
        String nickname,
        String headline,
        List<Item> items,
        int more,
        String inbox,
        String settings) {

    /**
     * An item of a mail.
     *
     * @param reason the label of its action
     * @param facts the workflow and the deadline of an approval
     * @param url of its resource
     */
    public record Item(String reason, String title, List<String> facts, String path, String url) {

        public Item {
            facts = List.copyOf(facts);
        }
    }

    public ItemMailView {
        items = List.copyOf(items);
    }

    /** A message in the language of the recipient. */
    public String text(String key, Object... arguments) {
        return Text.of(key, arguments).in(language);
    }

    /** The words of the link to the inbox. */
    public String inboxLabel() {
        return more == 0 ? text("inbox.mail.inbox") : text("inbox.mail.more", "count", more);
    }

    /** An item on one line. */
    String line(Item item) {
        return text("inbox.mail.item", "reason", item.reason(), "title", item.title());
    }

    String plainText() {
        var words = new StringBuilder()
                .append(text("inbox.mail.hello", "nickname", nickname))
                .append("\n\n")
                .append(text("inbox.mail.intro", "headline", headline))
                .append('\n');
        for (var item : items) {
            words.append("\n- ").append(line(item)).append("\n  ");
            item.facts().forEach(fact -> words.append(fact).append("\n  "));
            words.append(item.path()).append("\n  ").append(item.url()).append('\n');
        }
        return words.append('\n')
                .append(text("inbox.mail.link", "label", inboxLabel(), "url", inbox))
                .append("\n\n")
                .append(text("inbox.mail.why"))
                .append('\n')
                .append(text("inbox.mail.link", "label", text("inbox.mail.stop"), "url", settings))
                .append('\n')
                .toString();
    }
}
