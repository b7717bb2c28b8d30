package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PostMentionsTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    private static List<String> mentionedIn(String post) {
        return square.server
                .database()
                .db()
                .read(reads ->
                        reads.query("""
                        SELECT payload ->> 'mentionedUserId' FROM platform.event_logs
                        WHERE payload ->> 'postId' = :post AND payload ->> 'type' = 'mention' ORDER BY event_id
                        """).bind("post", post).mapTo(String.class).list());
    }

    @Test
    void aNicknameAndAnIdMeanSomebody() {
        var yuki = square.person("雪Yuki");
        var space = square.person("Two Words");
        var author = square.person("Author1");
        var post = author.post("Hello @雪yuki, and @%s. Not a/@雪yuki, not `@雪yuki`.".formatted(space.id()));
        var html = author.api().get("/api/v1/posts/" + post).text("html");
        assertThat(html)
                .startsWith("<p>Hello <a href=\"/users/%s\"".formatted(yuki.id()))
                .contains(">@雪yuki</a>, and <a href=\"/users/%s\"".formatted(space.id()))
                .contains("Not a/@雪yuki, not <code>@雪yuki</code>");
        assertThat(mentionedIn(post)).containsExactlyInAnyOrder(yuki.id(), space.id());
    }

    @Test
    void aBackslashKeepsANameFromBeingAMention() {
        square.person("Escaped");
        var author = square.person("Author5");
        var post = author.post("Write \\@escaped to name them, and *\\@escaped*.");
        assertThat(mentionedIn(post)).isEmpty();
        assertThat(author.api().get("/api/v1/posts/" + post).text("html"))
                .contains("Write @escaped to name them, and <em>@escaped</em>");
    }

    @Test
    void aNicknameOfSeveralMeansTheOneThatIsFollowed() {
        var one = square.person("Twin");
        square.person("twin");
        var author = square.person("Author2");
        assertThat(mentionedIn(author.post("@twin?"))).isEmpty();
        author.follow(one);
        assertThat(mentionedIn(author.post("@twin!"))).containsExactly(one.id());
        assertThat(mentionedIn(author.post("@nobody-of-that-name"))).isEmpty();
    }

    @Test
    void onlyTheNewlyMentionedAreNotifiedOfAnEdit() {
        var first = square.person("First");
        var second = square.person("Second");
        var author = square.person("Author3");
        var post = author.post("@first");
        author.api()
                .put(
                        "/api/v1/posts/" + post,
                        "{'content':'@first and @second','tags':[],'allowLikes':true,'allowReplies':true}");
        assertThat(mentionedIn(post)).containsExactly(first.id(), second.id());
        assertThat(author.api().get("/api/v1/posts/" + post).text("html"))
                .contains("/users/" + first.id(), "/users/" + second.id());
    }

    @Test
    void aLinkWrittenByHandLeadsToNobody() {
        var author = square.person("Author4");
        var post = author.post("[me](/users/%s) [js](javascript:alert(1))".formatted(author.id()));
        assertThat(author.api().get("/api/v1/posts/" + post).text("html")).doesNotContain("href");
    }
}
