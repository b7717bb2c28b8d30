package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

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

    private static List<String> tagsOf(ApiClient.Reply reply) {
        assertThat(reply.status()).as(reply.body()).isBetween(200, 201);
        return reply.json().path("tags").valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void hashtagsInTheTextAreTagsOfThePost() {
        var ann = square.person("Tagger").api();
        var post = ann.post(
                "/api/v1/posts",
                Json.text(Map.of(
                        "content",
                        """
                        # No tag

                        #Tea and ＃お茶. Also #c++, #v1.2-beta! Not #1, a#b, `#code`, [#link](https://a.example/#part) &#x;""",
                        "tags",
                        List.of("typed"))));
        assertThat(tagsOf(post)).containsExactlyInAnyOrder("typed", "tea", "お茶", "c++", "v1.2-beta");
        assertThat(post.text("html"))
                .contains("<a href=\"/tags/tea\" rel=\"nofollow ugc noopener\">#Tea</a>")
                .contains("<a href=\"/tags/%E3%81%8A%E8%8C%B6\"", "<code>#code</code>");
        assertThat(ann.get("/api/v1/posts?tag=tea").body()).contains(post.text("id"));

        var many = ann.post("/api/v1/posts", "{'content':'#a #b #c #d #e #f','tags':['z']}");
        assertThat(tagsOf(many)).containsExactlyInAnyOrder("z", "a", "b", "c", "d");

        var edited = ann.put(
                "/api/v1/posts/" + post.text("id"),
                "{'content':'Only #coffee','tags':[],'allowLikes':true,'allowReplies':true}");
        assertThat(tagsOf(edited)).containsExactly("coffee");
        assertThat(ann.get("/api/v1/posts?tag=tea").body()).doesNotContain(post.text("id"));
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
