package io.hiroba.activity.pages;

import io.hiroba.activity.Card;
import io.hiroba.activity.CardPost;
import io.hiroba.activity.Kind;
import io.hiroba.social.Author;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that the menu of a card offers to mute.
 *
 * @param path the post or the person
 * @param what which part of a post; empty for a person
 */
public record MuteChoice(String label, String path, String what) {

    static List<MuteChoice> of(Card card) {
        var choices = new ArrayList<MuteChoice>();
        var post = card.post();
        if (post != null) {
            choices.addAll(ofPost(card.slot().kind(), post));
        }
        if (card.countUsers() == 1) {
            card.acts().stream().limit(1).forEach(act -> choices.add(ofPerson(act.user())));
        }
        return choices;
    }

    private static List<MuteChoice> ofPost(Kind kind, CardPost post) {
        var whole = ofPost(post, MutePart.ALL);
        boolean hasParts = post.mine() && kind != Kind.MENTION;
        return hasParts ? List.of(ofPost(post, MutePart.LIKES), ofPost(post, MutePart.REPLIES), whole) : List.of(whole);
    }

    private static MuteChoice ofPost(CardPost post, MutePart part) {
        return new MuteChoice("Mute " + part.ofThisPost(), "/posts/" + post.id(), part.text());
    }

    private static MuteChoice ofPerson(Author person) {
        return new MuteChoice("Mute " + person.nickname(), "/users/" + person.id(), "");
    }
}
