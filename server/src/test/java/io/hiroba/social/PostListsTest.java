package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.social.PostFilter.Order;
import io.hiroba.testkit.TestSocial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PostListsTest {

    private static final TestSocial social = new TestSocial();

    @AfterAll
    static void close() {
        social.close();
    }

    private interface PostList {
        List<Listed<PostCard>> page(Position after, int limit);
    }

    private static PostList list(Caller reader, PostFilter filter) {
        return (after, limit) -> social.lists.list(reader.user(), filter, after, limit);
    }

    /** All of a list in pages of two; {@code between} happens after each page. */
    private static List<PostId> paged(PostList list, Position start, Runnable between) {
        var ids = new ArrayList<PostId>();
        var after = start;
        while (true) {
            var page = list.page(after, 2);
            page.forEach(listed -> ids.add(listed.item().id()));
            if (page.size() < 2) {
                return ids;
            }
            after = page.getLast().position();
            between.run();
        }
    }

    private static List<PostId> paged(PostList list) {
        return paged(list, Position.NEWEST, () -> {});
    }

    @Test
    void filtersGoTogether() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var root = social.post(ann, "root", "maps");
        var other = social.post(ann, "other");
        var bobs = social.post(bob, "by bob", "maps");
        var reply = social.posts
                .create(ann, PostDraft.of("reply", "maps").inReplyTo(bobs))
                .card()
                .id();
        var byAnn = PostFilter.ownedBy(ann.user());
        assertThat(paged(list(bob, byAnn))).containsExactly(other, root);
        assertThat(paged(list(bob, byAnn.withReplies()))).containsExactly(reply, other, root);
        assertThat(paged(list(bob, PostFilter.tagged("maps")))).containsExactly(bobs, root);
        assertThat(paged(list(bob, PostFilter.tagged("maps").withReplies()))).containsExactly(reply, bobs, root);
        assertThat(paged(list(bob, new PostFilter(ann.user(), "maps", null, false, Order.NEWEST_FIRST))))
                .containsExactly(root);
        assertThat(paged(list(bob, new PostFilter(ann.user(), "maps", null, true, Order.NEWEST_FIRST))))
                .containsExactly(reply, root);
        assertThat(paged(list(bob, PostFilter.repliesTo(bobs).inOrder(Order.NEWEST_FIRST))))
                .containsExactly(reply);
        assertThat(paged(list(bob, new PostFilter(bob.user(), "maps", bobs, false, Order.NEWEST_FIRST))))
                .isEmpty();
        assertThat(paged(list(bob, new PostFilter(ann.user(), "maps", bobs, false, Order.NEWEST_FIRST))))
                .containsExactly(reply);
        assertThat(paged(list(bob, byAnn.withReplies().inOrder(Order.OLDEST_FIRST)), Position.OLDEST, () -> {}))
                .containsExactly(root, other, reply);
        assertThat(paged(list(bob, PostFilter.NEWEST)))
                .contains(root, other, bobs)
                .doesNotContain(reply);
        assertThat(paged(list(bob, PostFilter.NEWEST.withReplies()))).contains(reply);
    }

    @Test
    void aListNeitherSkipsNorRepeatsWhileOthersWriteAndDelete() {
        var ann = social.person("Ann");
        var posts = new ArrayList<PostId>();
        for (int i = 0; i < 9; i++) {
            posts.add(social.post(ann, "post " + i));
        }
        var seen = paged(list(ann, PostFilter.ownedBy(ann.user())), Position.NEWEST, () -> {
            social.post(ann, "newer");
            social.posts.delete(ann, social.post(ann, "gone at once"));
        });
        assertThat(seen).containsExactlyElementsOf(posts.reversed());
    }

    @Test
    void whatSomebodyLikesIsListedByTheTimeOfTheLike() {
        var ann = social.person("Ann");
        var posts = List.of(social.post(ann, "1"), social.post(ann, "2"), social.post(ann, "3"));
        var bob = social.person("Bob");
        for (int i : new int[] {1, 2, 0}) {
            social.likes.like(bob, posts.get(i));
        }
        UserId liker = bob.user();
        assertThat(paged((after, limit) -> social.lists.likedBy(ann.user(), liker, after, limit)))
                .containsExactly(posts.get(0), posts.get(2), posts.get(1));
        // Likes of one microsecond still have an order, in which a page can end between them.
        social.db.useTransaction(tx -> tx.update(
                        "UPDATE social.post_likes SET created_at = '2026-01-01T00:00:00Z' WHERE liked_by = :liker")
                .bind("liker", liker.value())
                .execute());
        assertThat(paged((after, limit) -> social.lists.likedBy(ann.user(), liker, after, limit)))
                .containsExactly(posts.get(2), posts.get(1), posts.get(0));
        assertThat(social.people.likers(ann.user(), posts.get(0), Position.NEWEST, 10))
                .extracting(listed -> listed.item().person().id())
                .containsExactly(liker);
    }

    @Test
    void theFeedPagesWithoutGapsToo() {
        var ann = social.person("Ann");
        var posts = new ArrayList<PostId>();
        for (int i = 0; i < 5; i++) {
            posts.add(social.post(ann, "post " + i));
        }
        assertThat(paged((after, limit) -> social.lists.feed(ann.user(), after, limit)))
                .containsExactlyElementsOf(posts.reversed());
    }
}
