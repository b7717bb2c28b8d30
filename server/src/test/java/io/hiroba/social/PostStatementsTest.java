package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.social.PostFilter.Order;
import io.hiroba.testkit.GoldenStatements;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The statements of lists as the database gets them. */
class PostStatementsTest {

    private static final UserId OWNER = new UserId(1);
    private static final PostId POST = new PostId(2);

    private static Map<String, String> lists() {
        var lists = new LinkedHashMap<String, String>();
        lists.put("posts-newest", PostListStore.sql(PostFilter.NEWEST));
        lists.put("posts-oldest", PostListStore.sql(PostFilter.NEWEST.inOrder(Order.OLDEST_FIRST)));
        lists.put("posts-with-replies", PostListStore.sql(PostFilter.NEWEST.withReplies()));
        lists.put("posts-of-owner", PostListStore.sql(PostFilter.ownedBy(OWNER)));
        lists.put("posts-of-tag", PostListStore.sql(PostFilter.tagged("java")));
        lists.put(
                "posts-of-tag-and-owner",
                PostListStore.sql(new PostFilter(OWNER, "java", null, false, Order.NEWEST_FIRST)));
        lists.put("posts-replies", PostListStore.sql(PostFilter.repliesTo(POST)));
        lists.put(
                "posts-replies-of-tag-and-owner",
                PostListStore.sql(new PostFilter(OWNER, "java", POST, true, Order.OLDEST_FIRST)));
        lists.put("posts-feed", PostListStore.FEED);
        lists.put("posts-feed-from-posts", PostListStore.FEED_FROM_POSTS);
        lists.put("posts-liked", PostListStore.LIKED);
        lists.put("thread-ancestors", ThreadStore.ANCESTORS);
        lists.put("thread-replies", ThreadStore.REPLIES);
        lists.put("thread-have-replies", ThreadStore.HAVE_REPLIES);
        lists.put("people-followers", PeopleStore.FOLLOWERS);
        lists.put("people-followees", PeopleStore.FOLLOWEES);
        lists.put("people-likers", PeopleStore.LIKERS);
        lists.put("people-blocked", PeopleStore.BLOCKED);
        lists.put("people-friends", FriendStore.FRIENDS);
        return lists;
    }

    @Test
    void theStatementsAreThoseOfTheGoldenFiles() {
        lists().forEach((name, sql) -> GoldenStatements.check("social", name, sql));
        GoldenStatements.check("social", "post", PostStore.ONE);
    }

    @Test
    void noListReadsTheContentOfPosts() {
        assertThat(PostStore.ONE).contains("social.post_details");
        assertThat(lists().values()).noneMatch(sql -> sql.contains("post_details"));
    }
}
