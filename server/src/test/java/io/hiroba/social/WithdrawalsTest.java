package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.testkit.TestSocial;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What is taken back is told to whoever was told of it. */
class WithdrawalsTest {

    private static final TestSocial social = new TestSocial();

    @AfterAll
    static void close() {
        social.close();
    }

    /** What is told of {@code one}, or of somebody's posts, that begins with "un". */
    private static List<String> withdrawn(String id) {
        return social.db.read(
                reads -> reads.query("""
                        SELECT payload ->> 'type' FROM platform.event_logs
                        WHERE payload ->> 'type' LIKE 'un%' AND payload::text LIKE '%' || :id || '%'
                        ORDER BY payload ->> 'type'
                        """).bind("id", id).mapTo(String.class).list());
    }

    private static String id(Caller person) {
        return person.user().hex();
    }

    @Test
    void anUnlikeAndAnUnfollowAppendEvents() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.likes.like(bob, post);
        social.follows.follow(bob, ann.user());
        assertThat(withdrawn(id(bob))).isEmpty();
        social.likes.unlike(bob, post);
        social.follows.unfollow(bob, ann.user());
        assertThat(withdrawn(id(bob))).containsExactly("unfollow", "unlike");
    }

    @Test
    void withAnAccountGoesAllThatItDidToOthers() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.likes.like(bob, post);
        social.follows.follow(bob, ann.user());
        var reply = social.reply(bob, post, "Hi");
        var mention = social.post(bob, "See @" + id(ann));
        social.delete(bob.user());
        assertThat(withdrawn(id(bob))).containsExactly("unfollow", "unlike", "unreply");
        assertThat(withdrawn(reply.hex())).containsExactly("unreply");
        assertThat(withdrawn(mention.hex())).containsExactly("unmention");
    }

    @Test
    void deletingAPostAppendsNoWithdrawalsToItsOwner() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(ann, "Hello");
        social.likes.like(bob, post);
        social.reply(bob, post, "Hi");
        social.posts.delete(ann, post);
        assertThat(withdrawn(id(bob))).isEmpty();
    }

    @Test
    void anotherSpellingOfTheSamePersonIsNoEnd() {
        var ann = social.person("AnnWithASpelling");
        var bob = social.person("Bob");
        var post = social.post(bob, "See @" + id(ann));
        social.posts.edit(bob, post, PostDraft.of("See @AnnWithASpelling"));
        assertThat(withdrawn(post.hex())).isEmpty();
        social.posts.edit(bob, post, PostDraft.of("See nobody"));
        assertThat(withdrawn(post.hex())).containsExactly("unmention");
    }
}
