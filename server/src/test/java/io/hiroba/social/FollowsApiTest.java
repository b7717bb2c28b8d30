package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class FollowsApiTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    private static List<String> ids(Person reader, String path) {
        var ids = new ArrayList<String>();
        reader.api()
                .get(path)
                .json()
                .path("items")
                .forEach(item -> ids.add(item.path("id").asString("")));
        return ids;
    }

    private static String relation(Person reader, Person other) {
        return reader.api().get("/api/v1/users/" + other.id() + "/relation").body();
    }

    private static String outcome(Person person, String method, Person other, String what) {
        return person.api()
                .send(method, "/api/v1/users/" + other.id() + "/" + what, "")
                .outcome();
    }

    @Test
    void followingCountsOnBothSides() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        assertThat(outcome(ann, "POST", ann, "follow")).isEqualTo("400 social.self-follow");
        assertThat(outcome(ann, "DELETE", bob, "follow")).isEqualTo("404 social.not-following");
        assertThat(outcome(ann, "POST", bob, "follow")).isEqualTo("204");
        assertThat(outcome(ann, "POST", bob, "follow")).isEqualTo("409 social.already-following");
        assertThat(relation(ann, bob)).contains("\"countFollowers\":1", "\"followedByMe\":true", "\"followsMe\":false");
        assertThat(relation(bob, ann)).contains("\"countFollowees\":1", "\"followedByMe\":false", "\"followsMe\":true");
        assertThat(ids(bob, "/api/v1/users/" + bob.id() + "/followers")).containsExactly(ann.id());
        assertThat(ids(bob, "/api/v1/users/" + ann.id() + "/followees")).containsExactly(bob.id());
        assertThat(outcome(ann, "DELETE", bob, "follow")).isEqualTo("204");
        assertThat(relation(ann, bob)).contains("\"countFollowers\":0", "\"followedByMe\":false");
        assertThat(ann.api().post("/api/v1/users/0000000000000001/follow", "").outcome())
                .isEqualTo("404 social.user-not-found");
    }

    @Test
    void everyListOfPeopleCarriesTheirCounts() {
        var star = square.person("Star Listed");
        var fan = square.person("Fan Listed");
        fan.follow(star);
        star.follow(fan);
        fan.post("Listed");
        var liked = star.post("Liked");
        fan.like(liked);
        for (var list : List.of(
                "/api/v1/users/" + star.id() + "/followers",
                "/api/v1/users/" + star.id() + "/followees",
                "/api/v1/posts/" + liked + "/likers",
                "/api/v1/users/friends?nicknamePrefix=Fan%20Listed")) {
            var items = star.api().get(list).json().path("items");
            assertThat(items).as(list).hasSize(1);
            assertThat(items.path(0).toString())
                    .as(list)
                    .contains(fan.id(), "\"countPosts\":1", "\"countFollowers\":1", "\"countFollowees\":1");
        }
        assertThat(outcome(star, "POST", fan, "block")).isEqualTo("204");
        assertThat(star.api().get("/api/v1/me/blocked").json().at("/items/0").toString())
                .contains(fan.id(), "\"countPosts\":1", "\"countFollowers\":0", "\"countFollowees\":0");
    }

    @Test
    void theListOfUsersCarriesTheirCountsInEveryOrder() {
        var early = square.person("Zed Counted");
        var late = square.person("Abe Counted");
        early.follow(late);
        late.post("Counted");
        late.reply(late.post("Counted too"), "And this");

        var newest = early.api().get("/api/v1/users?order=newest&limit=2").json();
        assertThat(newest.path("items"))
                .extracting(item -> item.path("id").asString(""))
                .containsExactly(late.id(), early.id());
        assertThat(newest.at("/items/0").toString())
                .contains("\"countPosts\":3", "\"countFollowers\":1", "\"countFollowees\":0");
        assertThat(newest.at("/items/1").toString())
                .contains("\"countPosts\":0", "\"countFollowers\":0", "\"countFollowees\":1");
        assertThat(ids(
                        early,
                        "/api/v1/users?order=newest&limit=1&after="
                                + early.api()
                                        .get("/api/v1/users?order=newest&limit=1")
                                        .text("next")))
                .containsExactly(early.id());
        assertThat(ids(early, "/api/v1/users?order=oldest&limit=100"))
                .startsWith(square.admin.id())
                .containsSubsequence(early.id(), late.id());
        assertThat(ids(early, "/api/v1/users?order=name&limit=100")).containsSubsequence(late.id(), early.id());

        assertThat(early.api().get("/api/v1/users?order=tallest").body()).contains("name, newest, oldest");
        assertThat(early.api()
                        .get("/api/v1/users?order=newest&nicknamePrefix=a")
                        .outcome())
                .isEqualTo("400 http.invalid");
        var byName = early.api().get("/api/v1/users?limit=1").text("next");
        assertThat(early.api().get("/api/v1/users?order=oldest&after=" + byName).outcome())
                .isEqualTo("400 http.bad-cursor");
    }

    @Test
    void aBlockAppliesInBothDirections() {
        var ann = square.person("Ann");
        var bob = square.person("Robert");
        var carl = square.person("Carl");
        ann.follow(bob);
        bob.follow(ann);
        var annsPost = ann.post("By Ann");
        var bobsPost = bob.post("By Robert");
        var annsReply = ann.reply(carl.post("By Carl"), "To Carl");
        var carlsReply = carl.reply(annsPost, "To Ann");
        carl.api().post("/api/v1/posts/" + annsPost + "/like", "");
        await().until(() -> ids(bob, "/api/v1/feed").contains(annsPost)
                && ids(ann, "/api/v1/feed").contains(bobsPost));
        assertThat(outcome(ann, "POST", square.admin, "block")).isEqualTo("403 social.admin-not-blocked");
        assertThat(outcome(ann, "POST", ann, "block")).isEqualTo("400 social.self-block");
        assertThat(outcome(ann, "DELETE", bob, "block")).isEqualTo("404 social.not-blocked");
        assertThat(outcome(ann, "POST", bob, "block")).isEqualTo("204");
        assertThat(outcome(ann, "POST", bob, "block")).isEqualTo("409 social.already-blocked");

        assertThat(relation(ann, bob))
                .contains("\"followedByMe\":false", "\"followsMe\":false", "\"blockedByMe\":true");
        assertThat(relation(bob, ann)).contains("\"blockedByMe\":false");
        for (var pair : List.of(List.of(ann, bob), List.of(bob, ann))) {
            var one = pair.get(0);
            var other = pair.get(1);
            var post = other.equals(bob) ? bobsPost : annsPost;
            assertThat(outcome(one, "POST", other, "follow")).isEqualTo("403 social.blocked");
            assertThat(one.api().get("/api/v1/posts/" + post).outcome()).isEqualTo("404 social.post-not-found");
            assertThat(one.api().post("/api/v1/posts/" + post + "/like", "").outcome())
                    .isEqualTo("403 social.blocked");
            assertThat(one.api()
                            .post("/api/v1/posts", "{'content':'hey','replyTo':'" + post + "'}")
                            .outcome())
                    .isEqualTo("403 social.blocked");
            assertThat(ids(one, "/api/v1/posts")).doesNotContain(post);
            assertThat(ids(one, "/api/v1/posts?ownedBy=" + other.id())).isEmpty();
            assertThat(ids(one, "/api/v1/feed")).doesNotContain(post);
            assertThat(ids(one, "/api/v1/users/friends")).doesNotContain(other.id());
            assertThat(ids(one, "/api/v1/users/" + other.id() + "/followers")).isEmpty();
            assertThat(ids(one, "/api/v1/users/" + other.id() + "/followees")).isEmpty();
            assertThat(ids(one, "/api/v1/posts/" + post + "/likers")).isEmpty();
        }
        assertThat(ids(bob, "/api/v1/users/" + carl.id() + "/liked-posts")).isEmpty();
        assertThat(ids(bob, "/api/v1/users/" + ann.id() + "/liked-posts")).isEmpty();
        assertThat(relation(bob, ann)).contains("\"countPosts\":0");
        assertThat(ids(bob, "/api/v1/posts?ownedBy=" + carl.id() + "&includeReplies=true"))
                .contains(carlsReply)
                .doesNotContain(annsReply);
        assertThat(ids(ann, "/api/v1/me/blocked")).containsExactly(bob.id());
        var mention = bob.post("@" + ann.id() + " hello?");
        assertThat(carl.api().get("/api/v1/posts/" + mention).text("html")).doesNotContain("<a ");

        assertThat(outcome(ann, "DELETE", bob, "block")).isEqualTo("204");
        assertThat(bob.api().get("/api/v1/posts/" + annsPost).outcome()).isEqualTo("200");
    }

    @Test
    void friendsComeInThreeTiersWhateverThePage() {
        var me = square.person("Zoe me");
        var followed = List.of(square.person("zoe B"), square.person("Zoe A"));
        followed.forEach(me::follow);
        var others = List.of(square.person("ZOE C"), square.person("zoe 0"));
        var expected = List.of(
                me.id(),
                followed.get(1).id(),
                followed.get(0).id(),
                others.get(1).id(),
                others.get(0).id());
        assertThat(ids(me, "/api/v1/users/friends?nicknamePrefix=zoe%20")).isEqualTo(expected);
        var paged = new ArrayList<String>();
        var after = "";
        do {
            var page = me.api()
                    .get("/api/v1/users/friends?nicknamePrefix=ZOE%20&limit=1&after=" + after)
                    .json();
            page.path("items").forEach(item -> paged.add(item.path("id").asString("")));
            after = page.path("next").asString("");
        } while (!after.isEmpty());
        assertThat(paged).isEqualTo(expected);
        assertThat(ids(me, "/api/v1/users/friends?nicknamePrefix=%25")).isEmpty();
    }
}
