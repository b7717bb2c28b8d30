package io.hiroba.activity;

import io.hiroba.social.Author;
import java.util.List;
import java.util.Locale;

/**
 * The sentence of a card: "Alice, Bob, Carol and 15 others" "liked your post" "Good morning". The three parts stand in
 * this order; pages may set them apart.
 *
 * @param people the newest three by name, without deleted accounts
 * @param others how many more there are
 * @param act the verb phrase
 * @param excerpt the first words of the post; empty where there is none or it has no words
 */
public record CardText(List<Author> people, int others, String act, String excerpt) {

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
        var excerpt = post == null ? "" : post.excerpt();
        return new CardText(
                people,
                Math.max(0, card.countUsers() - people.size()),
                act(
                        card.slot().kind(),
                        post == null ? "a post" : post.mine() ? "your post" : "a post you follow",
                        !excerpt.isEmpty()),
                excerpt);
    }

    private static String act(NotificationKind kind, String post, boolean quoted) {
        return switch (kind) {
            case FOLLOW -> "followed you";
            case LIKE -> "liked your post";
            case REPLY -> "replied to " + post;
            case MENTION -> quoted ? "mentioned you in" : "mentioned you";
        };
    }

    /** Alice; Alice and Bob; Alice, Bob and Carol; Alice, Bob, Carol and 1 other. */
    public String who() {
        if (people.isEmpty()) {
            return others == 1 ? "Somebody" : number(others) + " people";
        }
        var names = people.stream().map(Author::nickname).toList();
        if (others > 0) {
            return String.join(", ", names) + " and " + number(others) + (others == 1 ? " other" : " others");
        }
        int last = names.size() - 1;
        return last == 0 ? names.getFirst() : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    /** All of it as one line. */
    String sentence() {
        return excerpt.isEmpty() ? who() + " " + act : who() + " " + act + " “" + excerpt + "”";
    }

    private static String number(int count) {
        return String.format(Locale.ENGLISH, "%,d", count);
    }
}
