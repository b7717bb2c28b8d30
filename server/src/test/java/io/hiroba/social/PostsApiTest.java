package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("slow")
class PostsApiTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    private static Reply get(Person reader, String post) {
        return reader.api().get("/api/v1/posts/" + post);
    }

    private static List<String> eventsAbout(String post) {
        return square.server
                .database()
                .db()
                .read(reads ->
                        reads.query("""
                        SELECT payload ->> 'type' FROM platform.event_logs
                        WHERE payload ->> 'postId' = :post ORDER BY event_id
                        """).bind("post", post).mapTo(String.class).list());
    }

    @Test
    void aPostIsShownAsItWasWritten() {
        var ann = square.person("Ann");
        var made = ann.api()
                .post("/api/v1/posts", "{'content':'# Hi\\n\\nI **like** maps.','tags':['#Maps','ＭＡＰＳ','travel']}");
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo("/api/v1/posts/" + made.text("id"));
        var post = get(square.person("Bob"), made.text("id"));
        assertThat(post.text("content")).isEqualTo("# Hi\n\nI **like** maps.");
        assertThat(post.text("html")).isEqualTo("<h1>Hi</h1><p>I <strong>like</strong> maps.</p>");
        assertThat(post.json().path("tags").toString()).isEqualTo("[\"maps\",\"travel\"]");
        assertThat(post.json().path("snippet").path(0).path("T").asString("")).isEqualTo("h1");
        assertThat(post.json().path("ownedBy").path("nickname").asString("")).isEqualTo("Ann");
        assertThat(post.json().path("updatedAt").isNull()).isTrue();
        assertThat(post.json().path("replyTo").isNull()).isTrue();
        assertThat(post.json().path("allowLikes").asBoolean()).isTrue();
        assertThat(eventsAbout(made.text("id"))).containsExactly("post");
    }

    @Test
    void anEditMayAskForTheVersionThatItChanges() {
        var ann = square.person("Ann");
        var post = ann.post("One");
        var before = get(ann, post).header("ETag");
        var edit = "{'content':'%s','tags':[],'allowLikes':true,'allowReplies':true}";
        var path = "/api/v1/posts/" + post;
        var edited = ann.api().with("If-Match", before).put(path, edit.formatted("Two"));
        assertThat(edited.outcome()).isEqualTo("200");
        assertThat(edited.header("ETag"))
                .isEqualTo(get(ann, post).header("ETag"))
                .isNotEqualTo(before);
        for (var stale : List.of(before, "\"another\"")) {
            assertThat(ann.api()
                            .with("If-Match", stale)
                            .put(path, edit.formatted("Three"))
                            .outcome())
                    .isEqualTo("412 social.other-version");
        }
        assertThat(get(ann, post).text("content")).isEqualTo("Two");
        assertThat(square.person("Eve")
                        .api()
                        .with("If-Match", before)
                        .put(path, edit.formatted("Four"))
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(ann.api()
                        .with("If-Match", "*")
                        .put(path, edit.formatted("Five"))
                        .outcome())
                .isEqualTo("200");
    }

    @Test
    void limitsHoldForPeopleAndNotForAdmins() {
        var ann = square.person("Ann");
        var longest = Json.text(Map.of("content", "あ".repeat(10_000)));
        var longer = Json.text(Map.of("content", "あ".repeat(10_001)));
        assertThat(ann.api().post("/api/v1/posts", longest).outcome()).isEqualTo("201");
        assertThat(ann.api().post("/api/v1/posts", longer).outcome()).isEqualTo("400 social.invalid");
        assertThat(square.admin.api().post("/api/v1/posts", longer).outcome()).isEqualTo("201");
        assertThat(ann.api().post("/api/v1/posts", "{'content':' \\n '}").outcome())
                .isEqualTo("400 social.invalid");
        assertThat(ann.api()
                        .post("/api/v1/posts", "{'content':'x','tags':['a','b','c','d','e','f']}")
                        .outcome())
                .isEqualTo("400 social.invalid");
        for (var tag : List.of("two words", "..", "-")) {
            assertThat(ann.api()
                            .post("/api/v1/posts", Json.text(Map.of("content", "x", "tags", List.of(tag))))
                            .outcome())
                    .isEqualTo("400 social.invalid");
        }
        assertThat(ann.api()
                        .post("/api/v1/posts", "{'content':'x','tags':[null]}")
                        .json()
                        .path("errors")
                        .path(0)
                        .path("field")
                        .asString())
                .isEqualTo("tags[0]");
        assertThat(ann.api()
                        .get("/api/v1/posts?tag=")
                        .json()
                        .path("errors")
                        .path(0)
                        .path("field")
                        .asString())
                .isEqualTo("tag");
        assertThat(ann.api()
                        .post("/api/v1/posts", Json.text(Map.of("content", "x", "tags", List.of("t".repeat(51)))))
                        .outcome())
                .isEqualTo("400 social.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u200b", "\u2060", "\ufeff", "\u00ad", "&nbsp;", "[](x)", "#", "> "})
    void contentThatShowsNothingIsRefused(String content) {
        var ann = square.person("Ann");
        assertThat(ann.api()
                        .post("/api/v1/posts", Json.text(Map.of("content", content)))
                        .outcome())
                .isEqualTo("400 social.invalid");
        var edit = Json.text(Map.of("content", content, "tags", List.of(), "allowLikes", true, "allowReplies", true));
        assertThat(ann.api().put("/api/v1/posts/" + ann.post("before"), edit).outcome())
                .isEqualTo("400 social.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"---", "![](/media/0198C2E846E00000/0198C2E9A1200000.512.jpg)", "\u200bx", "."})
    void aPictureARuleAndASignAreContent(String content) {
        assertThat(square.person("Ann")
                        .api()
                        .post("/api/v1/posts", Json.text(Map.of("content", content)))
                        .outcome())
                .isEqualTo("201");
    }

    @Test
    void aPostHasTheLanguageThatItsAuthorChoseOrThatItSeemsToBeIn() {
        var ann = square.person("Ann");
        var guessed = ann.api().post("/api/v1/posts", "{'content':'[おはよう](https://example.com/morning)'}");
        assertThat(guessed.text("lang")).isEqualTo("ja");
        var id = guessed.text("id");
        var listed = ann.api().get("/api/v1/posts?ownedBy=" + ann.id());
        assertThat(listed.json().path("items").path(0).path("lang").asString(""))
                .isEqualTo("ja");

        var edit = "{'content':'漢字','tags':[],'allowLikes':true,'allowReplies':true,'lang':'ja'}";
        assertThat(ann.api().put("/api/v1/posts/" + id, edit).text("lang")).isEqualTo("ja");
        var guess = edit.replace(",'lang':'ja'", "");
        assertThat(ann.api().put("/api/v1/posts/" + id, guess).text("lang")).isEqualTo("zh");

        var unknown = ann.api().post("/api/v1/posts", "{'content':'42','lang':null}");
        assertThat(unknown.json().path("lang").isNull()).isTrue();
        for (var code : List.of("fr", "EN", "")) {
            var refused = ann.api().post("/api/v1/posts", "{'content':'x','lang':'" + code + "'}");
            assertThat(refused.outcome()).isEqualTo("400 social.invalid");
            assertThat(refused.json().path("errors").path(0).path("field").asString(""))
                    .isEqualTo("lang");
        }
    }

    @Test
    void repeatingWithTheSameKeyPostsOnce() {
        var ann = square.person("Ann");
        var api = ann.api().with("Idempotency-Key", "once");
        var first = api.post("/api/v1/posts", "{'content':'only once'}");
        var second = api.post("/api/v1/posts", "{'content':'only once'}");
        assertThat(second.text("id")).isEqualTo(first.text("id"));
        assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    }

    @Test
    void aReplyCountsAndNotifiesTheOwner() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = ann.post("What is the best map?");
        var reply = bob.reply(post, "The one you draw.");
        assertThat(get(bob, reply).text("replyTo")).isEqualTo(post);
        var seen = get(bob, post).json();
        assertThat(seen.path("countReplies").asInt()).isEqualTo(1);
        assertThat(seen.path("repliedByMe").asBoolean()).isTrue();
        assertThat(get(ann, post).json().path("repliedByMe").asBoolean()).isFalse();
        assertThat(eventsAbout(reply)).containsExactly("post", "reply");
        assertThat(bob.api()
                        .post("/api/v1/posts", "{'content':'x','replyTo':'0000000000000001'}")
                        .outcome())
                .isEqualTo("404 social.post-not-found");
    }

    @Test
    void aPostMayTakeNoLikesAndNoReplies() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = ann.api()
                .post("/api/v1/posts", "{'content':'Rules','allowLikes':false,'allowReplies':false}")
                .text("id");
        assertThat(bob.api().post("/api/v1/posts/" + post + "/like", "").outcome())
                .isEqualTo("403 social.likes-not-allowed");
        assertThat(bob.api()
                        .post("/api/v1/posts", "{'content':'but','replyTo':'" + post + "'}")
                        .outcome())
                .isEqualTo("403 social.replies-not-allowed");
    }

    @Test
    void aLikeCountsOnce() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = ann.post("Like me");
        var like = "/api/v1/posts/" + post + "/like";
        assertThat(bob.api().delete(like).outcome()).isEqualTo("404 social.not-liked");
        assertThat(bob.api().post(like, "").outcome()).isEqualTo("204");
        assertThat(bob.api().post(like, "").outcome()).isEqualTo("409 social.already-liked");
        assertThat(likes(get(bob, post))).isEqualTo("1 true");
        assertThat(likes(get(ann, post))).isEqualTo("1 false");
        assertThat(bob.api().delete(like).outcome()).isEqualTo("204");
        assertThat(likes(get(bob, post))).isEqualTo("0 false");
        assertThat(eventsAbout(post)).containsExactly("post", "like", "unlike");
        assertThat(bob.api().post("/api/v1/posts/0000000000000001/like", "").outcome())
                .isEqualTo("404 social.post-not-found");
    }

    private static String likes(Reply post) {
        JsonNode json = post.json();
        return json.path("countLikes").asInt() + " " + json.path("likedByMe").asBoolean();
    }

    @Test
    void editingShowsItAndIsForTheOwner() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = ann.post("Teh map");
        var edit = "{'content':'The map','tags':['maps'],'allowLikes':true,'allowReplies':false}";
        assertThat(bob.api().put("/api/v1/posts/" + post, edit).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(bob.api().delete("/api/v1/posts/" + post).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(ann.api().put("/api/v1/posts/" + post, edit).outcome()).isEqualTo("200");
        var seen = get(bob, post).json();
        assertThat(seen.path("content").asString("")).isEqualTo("The map");
        assertThat(seen.path("snippet").toString()).contains("The map");
        assertThat(seen.path("updatedAt").isNull()).isFalse();
        assertThat(seen.path("allowReplies").asBoolean()).isFalse();
        assertThat(seen.path("tags").toString()).isEqualTo("[\"maps\"]");
        assertThat(square.admin.api().put("/api/v1/posts/" + post, edit).outcome())
                .isEqualTo("200");
        assertThat(ann.api().delete("/api/v1/posts/" + post).outcome()).isEqualTo("204");
        assertThat(get(bob, post).outcome()).isEqualTo("404 social.post-not-found");
        assertThat(eventsAbout(post)).containsExactly("post", "post-edited", "post-edited", "post-deleted");
    }

    @Test
    void repliesOfADeletedPostStayAsRoots() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = ann.post("Gone soon");
        var reply = bob.reply(post, "I stay");
        assertThat(ann.api().delete("/api/v1/posts/" + post).outcome()).isEqualTo("204");
        assertThat(get(bob, reply).json().path("replyTo").isNull()).isTrue();
        assertThat(bob.api().get("/api/v1/posts?ownedBy=" + bob.id()).body()).contains(reply);
        assertThat(eventsAbout(reply)).containsExactly("post", "reply", "post");
        assertThat(square.audited("targetId=" + post)).isEmpty();
        assertThat(square.admin.api().delete("/api/v1/posts/" + reply).outcome())
                .isEqualTo("204");
        assertThat(square.audited("targetId=" + reply)).containsExactly("post-deleted");
    }

    @Test
    void nobodyPostsMoreThanTheLimitAnHour() {
        try (var strict =
                new Square("--social.posts-per-hour=3", "--social.likes-per-hour=2", "--social.follows-per-hour=1")) {
            var ann = strict.person("Ann");
            // What is refused does not count.
            var tooLong = Json.text(Map.of("content", "x".repeat(10_001)));
            assertThat(ann.api().post("/api/v1/posts", tooLong).outcome()).isEqualTo("400 social.invalid");
            var posts = List.of(ann.post("1"), ann.post("2"), ann.post("3"));
            var refused = ann.api().post("/api/v1/posts", "{'content':'4'}");
            assertThat(refused.outcome()).isEqualTo("429 social.too-often");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(posts.stream()
                            .map(post -> ann.api()
                                    .post("/api/v1/posts/" + post + "/like", "")
                                    .outcome()))
                    .containsExactly("204", "204", "429 social.too-often");
            assertThat(strict.admin.post("as often as it takes")).isNotEmpty();

            // An edit counts as a post.
            var edit = "{'content':'x','tags':[],'allowLikes':true,'allowReplies':true}";
            assertThat(ann.api().put("/api/v1/posts/" + posts.getFirst(), edit).outcome())
                    .isEqualTo("429 social.too-often");
            ann.follow(strict.admin);
            assertThat(ann.api()
                            .post("/api/v1/users/" + strict.person("Carl").id() + "/follow", "")
                            .outcome())
                    .isEqualTo("429 social.too-often");

            // A repeat is no new post: it gets its answer however many there were since.
            var bob = strict.person("Bob");
            var keyed = bob.api().with("Idempotency-Key", "first");
            var first = keyed.post("/api/v1/posts", "{'content':'1'}");
            bob.post("2");
            bob.post("3");
            assertThat(keyed.post("/api/v1/posts", "{'content':'1'}").text("id"))
                    .isEqualTo(first.text("id"));
        }
    }

    @Test
    void everythingTakesACaller() {
        var post = square.person("Ann").post("Not for strangers");
        for (var request : List.of(
                "POST /api/v1/posts",
                "GET /api/v1/posts",
                "GET /api/v1/posts/" + post,
                "PUT /api/v1/posts/" + post,
                "DELETE /api/v1/posts/" + post,
                "POST /api/v1/posts/" + post + "/like",
                "DELETE /api/v1/posts/" + post + "/like",
                "GET /api/v1/posts/" + post + "/likers",
                "GET /api/v1/feed",
                "GET /api/v1/users/friends",
                "GET /api/v1/users/" + square.admin.id() + "/followers",
                "GET /api/v1/users/" + square.admin.id() + "/followees",
                "GET /api/v1/users/" + square.admin.id() + "/liked-posts",
                "GET /api/v1/users/" + square.admin.id() + "/relation",
                "POST /api/v1/users/" + square.admin.id() + "/follow",
                "DELETE /api/v1/users/" + square.admin.id() + "/follow",
                "POST /api/v1/users/" + square.admin.id() + "/block",
                "DELETE /api/v1/users/" + square.admin.id() + "/block",
                "GET /api/v1/me/blocked")) {
            var parts = request.split(" ", 2);
            var reply = square.anonymous().send(parts[0], parts[1], parts[0].equals("PUT") ? "{}" : "");
            assertThat(reply.outcome()).as(request).isEqualTo("401 accounts.not-signed-in");
        }
    }
}
