package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestActivity;
import io.hiroba.testkit.TestActivity.StoredCard;
import io.hiroba.testkit.TestSocial;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class CardAggregatorTest {

    private static final TestActivity activity = new TestActivity();
    private static final TestSocial social = activity.social;

    @AfterAll
    static void close() {
        activity.close();
    }

    @Test
    void aFollowALikeAndRepliesMakeACardEach() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.follows.follow(bob, ann.user());
        social.likes.like(bob, post);
        var first = social.reply(bob, post, "one");
        var second = social.reply(bob, post, "two");
        var cards = activity.cards(ann.user());
        assertThat(cards.stream().map(StoredCard::slot)).containsExactly("follow", "like:" + post, "reply:" + post);
        assertThat(cards.stream().map(StoredCard::term))
                .containsOnly(LocalDate.now(TestActivity.ZONE).toString());
        assertThat(cards.get(1).json().path("countUsers").asInt()).isEqualTo(1);
        assertThat(cards.get(1).json().has("countPosts")).isFalse();
        var reply = cards.get(2).json();
        assertThat(reply.path("countUsers").asInt()).isEqualTo(1);
        assertThat(reply.path("countPosts").asInt()).isEqualTo(2);
        assertThat(reply.path("records").get(0).path("postId").asString()).isEqualTo(second.hex());
        assertThat(reply.path("records").get(1).path("postId").asString()).isEqualTo(first.hex());
        assertThat(activity.told).contains(ann.user());
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void ownActsTellNobody() {
        var ann = social.person("Ann");
        var post = social.post(ann, "Hello @" + ann.user());
        social.likes.like(ann, post);
        social.reply(ann, post, "by myself");
        assertThat(activity.cards(ann.user())).isEmpty();
    }

    @Test
    void likingAgainDoesNotCountTwice() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.likes.like(bob, post);
        social.likes.unlike(bob, post);
        assertThat(activity.cards(ann.user())).isEmpty();
        social.likes.like(bob, post);
        social.likes.unlike(bob, post);
        social.likes.like(bob, post);
        assertThat(activity.only(ann.user()).json().path("countUsers").asInt()).isEqualTo(1);
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void somethingNewMakesACardUnreadAndMovesItUp() {
        var ann = social.person("Ann");
        var post = social.post(ann, "Hello");
        social.likes.like(social.person("Bob"), post);
        social.follows.follow(social.person("Carl"), ann.user());
        activity.cards(ann.user());
        activity.sql("UPDATE activity.notifications SET is_read = true WHERE user_id = "
                + ann.user().value());
        var dora = social.person("Dora");
        social.likes.like(dora, post);
        assertThat(activity.cards(ann.user()).stream().map(StoredCard::read)).containsExactly(true, false);
        assertThat(newestSlot(ann)).isEqualTo("like:" + post);
        activity.sql("UPDATE activity.notifications SET is_read = true WHERE user_id = "
                + ann.user().value());
        social.likes.unlike(dora, post);
        assertThat(activity.cards(ann.user()).stream().map(StoredCard::read)).containsExactly(true, true);
    }

    private static String newestSlot(Caller reader) {
        return social.db.read(reads -> reads.query("""
                        SELECT slot FROM activity.notifications WHERE user_id = :reader ORDER BY updated_at DESC LIMIT 1
                        """)
                .bind("reader", reader.user().value())
                .mapTo(String.class)
                .one());
    }

    @Test
    void aCardOfManyIsExactAndShowsTheNewestTen() {
        var ann = social.person("Ann");
        var post = social.post(ann, "Hello");
        var crowd = IntStream.range(0, 25).mapToObj(n -> social.person("P" + n)).toList();
        crowd.forEach(one -> social.likes.like(one, post));
        var card = activity.only(ann.user());
        assertThat(card.json().path("countUsers").asInt()).isEqualTo(25);
        assertThat(card.actors()).hasSize(10).startsWith(crowd.get(24).user().hex());
        // Out of those that are shown, and of those that are not: others come in their place.
        social.likes.unlike(crowd.get(24), post);
        social.likes.unlike(crowd.get(3), post);
        card = activity.only(ann.user());
        assertThat(card.json().path("countUsers").asInt()).isEqualTo(23);
        assertThat(card.actors()).hasSize(10).startsWith(crowd.get(23).user().hex());
        social.likes.like(crowd.get(3), post);
        assertThat(activity.only(ann.user()).actors())
                .hasSize(10)
                .startsWith(crowd.get(3).user().hex());
        assertThat(activity.differences()).isEmpty();
        // Down to so few that the card holds them itself, and up again.
        crowd.subList(5, 22).forEach(one -> social.likes.unlike(one, post));
        assertThat(activity.only(ann.user()).json().path("countUsers").asInt()).isEqualTo(7);
        assertThat(activity.differences()).isEmpty();
        crowd.subList(5, 22).forEach(one -> social.likes.like(one, post));
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void peopleAreCountedOnceHoweverOftenTheyReply() {
        var ann = social.person("Ann");
        var post = social.post(ann, "Hello");
        var crowd = IntStream.range(0, 4).mapToObj(n -> social.person("R" + n)).toList();
        var replies = new ArrayList<PostId>();
        for (int round = 0; round < 5; round++) {
            crowd.forEach(one -> replies.add(social.reply(one, post, "again")));
        }
        var payload = activity.only(ann.user()).json();
        assertThat(payload.path("countUsers").asInt()).isEqualTo(4);
        assertThat(payload.path("countPosts").asInt()).isEqualTo(20);
        for (int n = 0; n < 20; n += 4) {
            social.posts.delete(crowd.get(0), replies.get(n));
        }
        payload = activity.only(ann.user()).json();
        assertThat(payload.path("countUsers").asInt()).isEqualTo(3);
        assertThat(payload.path("countPosts").asInt()).isEqualTo(15);
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void aDeletedPostTakesItsCardsAlong() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello @" + bob.user());
        social.likes.like(bob, post);
        social.reply(bob, post, "Hi");
        assertThat(activity.cards(ann.user())).hasSize(2);
        assertThat(activity.only(bob.user()).slot()).isEqualTo("mention:" + post);
        social.posts.delete(ann, post);
        assertThat(activity.cards(ann.user())).isEmpty();
        assertThat(activity.cards(bob.user())).isEmpty();
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void aDeletedAccountLeavesNoTraceOnTheCardsOfOthers() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var carl = social.person("Carl");
        var post = social.post(ann, "Hello");
        social.likes.like(bob, post);
        social.likes.like(carl, post);
        social.follows.follow(bob, ann.user());
        social.reply(bob, post, "Hi");
        social.post(bob, "About @" + ann.user());
        assertThat(activity.cards(ann.user())).hasSize(4);
        social.delete(bob.user());
        assertThat(activity.only(ann.user()).actors())
                .containsExactly(carl.user().hex());
        assertThat(activity.differences()).isEmpty();
    }

    @Test
    void aMentionThatIsEditedOutIsTakenBack() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(bob, "For @" + ann.user());
        assertThat(activity.only(ann.user()).slot()).isEqualTo("mention:" + post);
        social.posts.edit(bob, post, PostDraft.of("For @%s and @%s".formatted(ann.user(), ann.user())));
        assertThat(activity.cards(ann.user())).hasSize(1);
        social.posts.edit(bob, post, PostDraft.of("For nobody"));
        assertThat(activity.cards(ann.user())).isEmpty();
    }

    @Test
    void theDayIsThatOfTheReader() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        activity.sql("UPDATE accounts.users SET time_zone = 'Pacific/Kiritimati' WHERE id = "
                + ann.user().value());
        social.follows.follow(bob, ann.user());
        social.follows.follow(ann, bob.user());
        assertThat(activity.only(ann.user()).term())
                .isEqualTo(
                        LocalDate.now(java.time.ZoneId.of("Pacific/Kiritimati")).toString());
        assertThat(activity.only(bob.user()).term())
                .isEqualTo(LocalDate.now(TestActivity.ZONE).toString());
        // The act is found again on the day it was put, wherever the reader lives by now.
        activity.sql("UPDATE accounts.users SET time_zone = 'Pacific/Pago_Pago' WHERE id = "
                + ann.user().value());
        social.follows.unfollow(bob, ann.user());
        assertThat(activity.cards(ann.user())).isEmpty();
        social.follows.unfollow(ann, bob.user());
    }

    @Test
    void aReplyThatMentionsItsReaderOnlyOnceItIsEditedIsStillOneCard() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        var reply = social.reply(bob, post, "Well");
        assertThat(activity.only(ann.user()).slot()).isEqualTo("reply:" + post);
        social.posts.edit(bob, reply, PostDraft.of("Well, @" + ann.user()));
        assertThat(activity.only(ann.user()).slot()).isEqualTo("reply:" + post);
    }

    @Test
    void aReplyThatMentionsItsReaderAndOneThatDoesNotAreOnOneCard() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.reply(bob, post, "Well, @" + ann.user());
        social.reply(bob, post, "And");
        var card = activity.only(ann.user());
        assertThat(card.slot()).isEqualTo("reply:" + post);
        assertThat(card.json().path("countPosts").asInt()).isEqualTo(2);
    }
}
