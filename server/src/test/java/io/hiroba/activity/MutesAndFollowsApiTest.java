package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.social.PostId;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class MutesAndFollowsApiTest {

    private static final String NOBODY = "0000000000000001";

    private static final Square square = new Square();
    private static final MutesAndFollows mutesAndFollows =
            new MutesAndFollows(square.server.database().db());

    @AfterAll
    static void close() {
        square.close();
    }

    private static String put(Person person, String path, String json) {
        return person.api().put("/api/v1/" + path, json).outcome();
    }

    private static String delete(Person person, String path) {
        return person.api().delete("/api/v1/" + path).outcome();
    }

    private static PostPreferences of(Person reader, String post) {
        return mutesAndFollows.ofPost(UserId.parse(reader.id()), PostId.parse(post));
    }

    /** All of a list in pages of one. */
    private static List<String> listed(Person reader, String list, String subject) {
        var ids = new ArrayList<String>();
        var after = "";
        do {
            var page = reader.api()
                    .get("/api/v1/notifications/" + list + "?limit=1&after=" + after)
                    .json();
            page.path("items")
                    .forEach(item -> ids.add(item.path(subject).path("id").asString("")));
            after = page.path("next").asString("");
        } while (!after.isEmpty());
        return ids;
    }

    @Test
    void aPostsLikesOrRepliesOrAllOfItAreMuted() {
        var ann = square.person("Ann");
        var post = square.person("Bob").post("Tomatoes");
        var path = "posts/" + post + "/mute";
        assertThat(put(ann, path, "{'likes':true,'replies':false}")).isEqualTo("204");
        assertThat(put(ann, path, "{'likes':true,'replies':false}")).isEqualTo("204");
        assertThat(of(ann, post)).isEqualTo(new PostPreferences(true, false, false));
        assertThat(put(ann, path, "{'likes':true,'replies':true}")).isEqualTo("204");
        assertThat(of(ann, post).muted()).isTrue();
        assertThat(put(ann, path, "{'likes':false,'replies':false}")).isEqualTo("400 activity.invalid");
        assertThat(put(ann, path, "{'likes':true}")).isEqualTo("400 http.missing-field");
        assertThat(put(ann, path, "{'likes':1,'replies':'x'}")).isEqualTo("400 http.malformed-json");
        assertThat(of(ann, post).muted()).isTrue();
        assertThat(delete(ann, path)).isEqualTo("204");
        assertThat(delete(ann, path)).isEqualTo("204");
        assertThat(of(ann, post)).isEqualTo(new PostPreferences(false, false, false));
    }

    @Test
    void ofAPostThatOneCannotSeeNothingIsMutedOrFollowed() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = bob.post("Not for Ann");
        var gone = bob.post("Soon gone");
        bob.api().delete("/api/v1/posts/" + gone);
        bob.block(ann);
        for (var id : List.of(post, gone, NOBODY)) {
            assertThat(put(ann, "posts/" + id + "/mute", "{'likes':true,'replies':true}"))
                    .isEqualTo("404 social.post-not-found");
            assertThat(put(ann, "posts/" + id + "/subscription", "")).isEqualTo("404 social.post-not-found");
            assertThat(delete(ann, "posts/" + id + "/mute")).isEqualTo("204");
            assertThat(delete(ann, "posts/" + id + "/subscription")).isEqualTo("204");
        }
    }

    @Test
    void repliesToAnothersPostAreFollowedAndNotFollowedAnyMore() {
        var ann = square.person("Ann");
        var post = square.person("Bob").post("Tomatoes");
        var path = "posts/" + post + "/subscription";
        assertThat(put(ann, path, "")).isEqualTo("204");
        assertThat(put(ann, path, "")).isEqualTo("204");
        assertThat(of(ann, post).followed()).isTrue();
        assertThat(listed(ann, "followed-posts", "post")).containsExactly(post);
        assertThat(delete(ann, path)).isEqualTo("204");
        assertThat(delete(ann, path)).isEqualTo("204");
        assertThat(of(ann, post).followed()).isFalse();
        assertThat(listed(ann, "followed-posts", "post")).isEmpty();
        // Kept for a while, and taken up again.
        assertThat(rows(ann)).isEqualTo(1);
        assertThat(put(ann, path, "")).isEqualTo("204");
        assertThat(of(ann, post).followed()).isTrue();
        assertThat(rows(ann)).isEqualTo(1);
    }

    private static int rows(Person reader) {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query("SELECT count(*) FROM activity.followed_posts WHERE user_id = :user")
                        .bind("user", UserId.parse(reader.id()).value())
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void onesOwnPostIsNotFollowed() {
        var ann = square.person("Ann");
        var post = ann.post("Mine");
        assertThat(put(ann, "posts/" + post + "/subscription", "")).isEqualTo("400 activity.own-post");
        assertThat(of(ann, post).followed()).isFalse();
    }

    @Test
    void peopleAreMutedButNotOneselfAndNotNobody() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var path = "users/" + bob.id() + "/mute";
        assertThat(put(ann, path, "")).isEqualTo("204");
        assertThat(put(ann, path, "")).isEqualTo("204");
        assertThat(mutesAndFollows.mutesPerson(UserId.parse(ann.id()), UserId.parse(bob.id())))
                .isTrue();
        assertThat(mutesAndFollows.mutesPerson(UserId.parse(bob.id()), UserId.parse(ann.id())))
                .isFalse();
        assertThat(listed(ann, "muted-people", "person")).containsExactly(bob.id());
        assertThat(listed(bob, "muted-people", "person")).isEmpty();
        assertThat(put(ann, "users/" + ann.id() + "/mute", "")).isEqualTo("400 activity.self-mute");
        assertThat(put(ann, "users/" + NOBODY + "/mute", "")).isEqualTo("404 social.user-not-found");
        assertThat(put(ann, "users/x/mute", "")).startsWith("400 ");
        assertThat(delete(ann, path)).isEqualTo("204");
        assertThat(delete(ann, path)).isEqualTo("204");
        assertThat(delete(ann, "users/" + NOBODY + "/mute")).isEqualTo("204");
        assertThat(listed(ann, "muted-people", "person")).isEmpty();
    }

    @Test
    void listsComeInPagesTheLatestFirstWithNamesAndBeginnings() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var posts = List.of(bob.post("First *one*"), bob.post("Second"), bob.post("Third"));
        for (var post : posts) {
            put(ann, "posts/" + post + "/mute", "{'likes':false,'replies':true}");
            put(ann, "posts/" + post + "/subscription", "");
        }
        assertThat(listed(ann, "muted-posts", "post")).isEqualTo(posts.reversed());
        assertThat(listed(ann, "followed-posts", "post")).isEqualTo(posts.reversed());
        var oldest = ann.api()
                .get("/api/v1/notifications/muted-posts")
                .json()
                .path("items")
                .path(2);
        assertThat(oldest.path("post").path("excerpt").asString("")).isEqualTo("First one");
        assertThat(oldest.path("post").path("ownedBy").path("nickname").asString(""))
                .isEqualTo("Bob");
        assertThat(oldest.path("likes").asBoolean()).isFalse();
        assertThat(oldest.path("replies").asBoolean()).isTrue();
        // What a block hides is not shown, and a page is full nevertheless.
        var carls = square.person("Carl");
        var hidden = carls.post("Soon hidden");
        put(ann, "posts/" + hidden + "/mute", "{'likes':true,'replies':true}");
        carls.block(ann);
        assertThat(listed(ann, "muted-posts", "post")).isEqualTo(posts.reversed());
    }

    @Test
    void settingsAreShownAndReplaced() {
        var ann = square.person("Ann");
        var path = "/api/v1/notifications/settings";
        assertThat(ann.api().get(path).body()).isEqualTo("{\"mutedKinds\":[],\"digest\":\"off\"}");
        var wanted = "{\"mutedKinds\":[\"follow\",\"mention\"],\"digest\":\"daily\"}";
        assertThat(ann.api()
                        .put(path, "{'mutedKinds':['mention','follow','mention'],'digest':'daily'}")
                        .body())
                .isEqualTo(wanted);
        assertThat(ann.api().get(path).body()).isEqualTo(wanted);
        assertThat(square.person("Bob").api().get(path).body()).isEqualTo("{\"mutedKinds\":[],\"digest\":\"off\"}");
        assertThat(put(ann, "notifications/settings", "{'mutedKinds':['LIKE'],'digest':'off'}"))
                .isEqualTo("400 activity.invalid");
        assertThat(put(ann, "notifications/settings", "{'mutedKinds':[null],'digest':'off'}"))
                .startsWith("400 ");
        assertThat(put(ann, "notifications/settings", "{'mutedKinds':[],'digest':'hourly'}"))
                .isEqualTo("400 activity.invalid");
        assertThat(put(ann, "notifications/settings", "{'digest':'off'}")).isEqualTo("400 http.missing-field");
        assertThat(ann.api().get(path).body()).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET notifications/settings",
                "PUT notifications/settings",
                "GET notifications/muted-posts",
                "GET notifications/muted-people",
                "GET notifications/followed-posts",
                "PUT posts/0000000000000001/mute",
                "DELETE posts/0000000000000001/mute",
                "PUT posts/0000000000000001/subscription",
                "DELETE posts/0000000000000001/subscription",
                "PUT users/0000000000000001/mute",
                "DELETE users/0000000000000001/mute"
            })
    void nobodyDoesAnyOfThisWithoutSigningIn(String route) {
        var parts = route.split(" ", 2);
        assertThat(square.anonymous().send(parts[0], "/api/v1/" + parts[1], "").outcome())
                .isEqualTo("401 accounts.not-signed-in");
    }
}
