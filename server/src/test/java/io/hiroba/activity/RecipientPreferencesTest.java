package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.TestActivity;
import io.hiroba.testkit.TestActivity.StoredCard;
import io.hiroba.testkit.TestSocial;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Whom the collector leaves out, and whom it tells besides. */
class RecipientPreferencesTest {

    private static final TestActivity activity = new TestActivity();
    private static final TestSocial social = activity.social;

    @AfterAll
    static void close() {
        activity.close();
    }

    @Test
    void aReplyThatMentionsItsReaderMakesOneCard() {
        var ann = social.person("Ann");
        var follower = social.person("Follower");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        activity.sql("INSERT INTO activity.followed_posts (user_id, post_id, owner_id) VALUES (%d, %d, %d)"
                .formatted(follower.user().value(), post.value(), ann.user().value()));
        var reply = social.reply(bob, post, "For @%s and @%s".formatted(ann.user(), follower.user()));
        assertThat(activity.only(ann.user()).slot()).isEqualTo("reply:" + post);
        assertThat(activity.only(follower.user()).slot()).isEqualTo("mention:" + reply);
        social.posts.delete(bob, reply);
        assertThat(activity.cards(ann.user())).isEmpty();
        assertThat(activity.cards(follower.user())).isEmpty();

        // Whoever wants to know of one of both only is told of that one.
        activity.sql("INSERT INTO activity.preferences (user_id, muted_kinds) VALUES (%d, '{reply}'), (%d, '{mention}')"
                .formatted(ann.user().value(), follower.user().value()));
        var second = social.reply(bob, post, "For @%s and @%s".formatted(ann.user(), follower.user()));
        assertThat(activity.only(ann.user()).slot()).isEqualTo("mention:" + second);
        assertThat(activity.only(follower.user()).slot()).isEqualTo("reply:" + post);
    }

    @Test
    void aBlockTakesBothOutOfEachOthersCards() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        var popular = social.post(ann, "Popular");
        social.likes.like(bob, post);
        social.follows.follow(bob, ann.user());
        social.follows.follow(ann, bob.user());
        IntStream.range(0, 12).forEach(n -> social.likes.like(social.person("B" + n), popular));
        social.likes.like(bob, popular);
        assertThat(activity.cards(ann.user())).hasSize(3);
        social.follows.block(ann, bob.user());
        assertThat(activity.cards(bob.user())).isEmpty();
        var card = activity.only(ann.user());
        assertThat(card.json().path("countUsers").asInt()).isEqualTo(12);
        assertThat(card.actors()).doesNotContain(bob.user().hex());
    }

    @Test
    void whatIsMutedIsNotTold() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var carl = social.person("Carl");
        var quiet = social.post(ann, "Quiet");
        var noLikes = social.post(ann, "No likes");
        var open = social.post(ann, "Open");
        long reader = ann.user().value();
        activity.sql("INSERT INTO activity.muted_people (user_id, person_id) VALUES (%d, %d)"
                .formatted(reader, carl.user().value()));
        activity.sql(
                "INSERT INTO activity.muted_posts (user_id, post_id, owner_id, likes, replies) VALUES (%d, %d, 0, true, true), (%d, %d, 0, true, false)"
                        .formatted(reader, quiet.value(), reader, noLikes.value()));
        activity.sql(
                "INSERT INTO activity.preferences (user_id, muted_kinds) VALUES (%d, '{follow}')".formatted(reader));
        for (var post : List.of(quiet, noLikes, open)) {
            social.likes.like(bob, post);
            social.reply(bob, post, "Hi");
        }
        social.likes.like(carl, open);
        social.follows.follow(bob, ann.user());
        var cards = activity.cards(ann.user());
        assertThat(cards.stream().map(StoredCard::slot))
                .containsExactly("like:" + open, "reply:" + noLikes, "reply:" + open);
        assertThat(cards.getFirst().actors()).containsExactly(bob.user().hex());
        // Taking back what was never told changes nothing.
        social.likes.unlike(carl, open);
        assertThat(activity.cards(ann.user())
                        .getFirst()
                        .json()
                        .path("countUsers")
                        .asInt())
                .isEqualTo(1);
        social.delete(ann.user());
    }

    @Test
    void whoFollowsAPostIsToldOfItsReplies() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var reader = social.person("Reader");
        var post = social.post(ann, "Hello");
        activity.sql("INSERT INTO activity.followed_posts (user_id, post_id, owner_id) VALUES (%d, %d, %d)"
                .formatted(reader.user().value(), post.value(), ann.user().value()));
        var first = social.reply(bob, post, "one");
        social.reply(ann, post, "the owner's own");
        social.reply(reader, post, "my own");
        assertThat(activity.only(reader.user()).json().path("countPosts").asInt())
                .isEqualTo(2);
        activity.sql("UPDATE activity.followed_posts SET active = false WHERE user_id = "
                + reader.user().value());
        social.reply(bob, post, "not told any more");
        social.posts.delete(bob, first);
        assertThat(activity.only(reader.user()).json().path("countPosts").asInt())
                .isEqualTo(1);
        social.delete(ann.user());
        assertThat(activity.cards(reader.user())).isEmpty();
        assertThat(social.accounts.count("SELECT count(*) FROM activity.followed_posts"))
                .isZero();
    }

    @Test
    void aBlockEndsWhatWasFollowed() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var reader = social.person("Reader");
        var post = social.post(ann, "Hello");
        activity.sql("INSERT INTO activity.followed_posts (user_id, post_id, owner_id) VALUES (%d, %d, %d)"
                .formatted(reader.user().value(), post.value(), ann.user().value()));
        social.reply(bob, post, "for the reader, until then");
        assertThat(activity.cards(reader.user())).hasSize(1);
        social.follows.block(ann, reader.user());
        social.reply(bob, post, "not for the reader");
        assertThat(activity.cards(reader.user())).isEmpty();
        social.follows.unblock(ann, reader.user());
        social.reply(bob, post, "for the reader again");
        assertThat(activity.only(reader.user()).json().path("countPosts").asInt())
                .isEqualTo(1);
        social.delete(ann.user());
    }

    @Test
    void blockingAgainAndAgainChangesNothingMore() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        social.likes.like(bob, social.post(ann, "Hello"));
        for (int n = 0; n < 5; n++) {
            social.follows.block(bob, ann.user());
            social.follows.unblock(bob, ann.user());
        }
        assertThat(activity.cards(ann.user())).isEmpty();
    }

    @Test
    void withAnAccountGoesWhatWasMutedOfIt() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        activity.sql(
                "INSERT INTO activity.muted_posts (user_id, post_id, owner_id, likes, replies) VALUES (%d, %d, %d, true, true)"
                        .formatted(bob.user().value(), post.value(), ann.user().value()));
        social.delete(ann.user());
        social.settle();
        assertThat(social.accounts.count("SELECT count(*) FROM activity.muted_posts WHERE user_id = "
                        + bob.user().value()))
                .isZero();
    }

    @Test
    void aReaderIsToldThatSomethingWasTakenBack() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.likes.like(bob, post);
        activity.cards(ann.user());
        // Just after the commit that the cards were read behind.
        await().untilAsserted(() -> assertThat(activity.told).contains(ann.user()));
        activity.told.clear();
        social.likes.unlike(bob, post);
        activity.cards(ann.user());
        await().untilAsserted(() -> assertThat(activity.told).containsExactly(ann.user()));
    }
}
