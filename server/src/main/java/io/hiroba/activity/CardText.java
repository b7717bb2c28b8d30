package io.hiroba.activity;

import io.hiroba.platform.i18n.Text;
import io.hiroba.social.Author;
import java.util.List;

/**
 * The sentence of a card, such as: Alice, Bob, Carol and 15 others liked your post “Good morning”.
 *
 * @param people the newest three by name, without deleted accounts
 * @param others how many more there are
 * @param key the message of the sentence, in which pages may set {@code who} and {@code excerpt} apart
 * @param excerpt the first words of the post, or of the newest reply to it; empty where there is none or it has no words
 */
public record CardText(List<Author> people, int others, String key, String excerpt) {

    private static final int MAX_NAMES = 3;

    public CardText {
        people = List.copyOf(people);
    }

    static CardText of(Card card) {
        var people = card.acts().stream()
                .map(Card.Act::user)
                .distinct()
                .limit(MAX_NAMES)
                .toList();
        var post = card.post();
        var excerpt =
                post == null ? "" : card.slot().kind() == NotificationKind.REPLY ? post.replyExcerpt() : post.excerpt();
        var key = "activity.card." + act(card) + (excerpt.isEmpty() ? "" : "-quoted");
        return new CardText(people, Math.max(0, card.countUsers() - people.size()), key, excerpt);
    }

    private static String act(Card card) {
        var post = card.post();
        return switch (card.slot().kind()) {
            case FOLLOW -> "followed";
            case LIKE -> "liked";
            case REPLY -> post == null ? "replied" : post.mine() ? "replied-mine" : "replied-followed";
            case MENTION -> "mentioned";
        };
    }

    /** Alice; Alice and Bob; Alice, Bob and Carol; Alice, Bob, Carol and 1 other. */
    public Text who() {
        var names = people.stream().map(Author::nickname).toList();
        return switch (names.size()) {
            case 0 -> Text.of("activity.who.nobody", "others", others);
            case 1 -> who("one", "first", names.get(0), "others", others);
            case 2 -> who("two", "first", names.get(0), "second", names.get(1), "others", others);
            default ->
                who("three", "first", names.get(0), "second", names.get(1), "third", names.get(2), "others", others);
        };
    }

    private Text who(String count, Object... arguments) {
        return Text.of("activity.who." + count + (others > 0 ? "-and-others" : ""), arguments);
    }

    /** The excerpt in quotation marks. */
    public Text quote() {
        return Text.of("activity.quote", "excerpt", excerpt);
    }

    /** All of it as one line. */
    Text sentence() {
        return Text.of(key, "who", who(), "excerpt", quote());
    }
}
