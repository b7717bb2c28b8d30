package io.hiroba.activity;

import io.hiroba.social.Author;
import java.util.List;
import java.util.Locale;

/**
 * A card in words: "Alice, Bob, Carol and 15 others" "liked your post" "Good morning". The three parts belong together in
 * this order; who shows them may set them apart.
 *
 * @param people the newest three by name, those who are gone left out
 * @param others how many more there are
 * @param act what they did
 * @param excerpt the first words of the post; empty where there is none or it has no words
 */
public record Wording(List<Author> people, int others, String act, String excerpt) {

    private static final int NAMED = 3;

    public Wording {
        people = List.copyOf(people);
    }

    public static Wording of(Card card) {
        var people = card.acts().stream().map(Act::user).distinct().limit(NAMED).toList();
        var post = card.post();
        var excerpt = post == null ? "" : post.excerpt();
        return new Wording(
                people,
                Math.max(0, card.countUsers() - people.size()),
                act(
                        card.slot().kind(),
                        post == null ? "a post" : post.mine() ? "your post" : "a post you follow",
                        !excerpt.isEmpty()),
                excerpt);
    }

    private static String act(Kind kind, String post, boolean quoted) {
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
    public String sentence() {
        return excerpt.isEmpty() ? who() + " " + act : who() + " " + act + " “" + excerpt + "”";
    }

    private static String number(int count) {
        return String.format(Locale.ENGLISH, "%,d", count);
    }
}
