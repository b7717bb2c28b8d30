package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From what people do to what others read of it, on a whole server. */
@Tag("slow")
class ActivityApiTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    private static void like(Person person, String post) {
        assertThat(person.api().post("/api/v1/posts/" + post + "/like", "").outcome())
                .isEqualTo("204");
    }

    private static void put(Person person, String path, String json) {
        assertThat(person.api().put("/api/v1/" + path, json).status()).isBetween(200, 204);
    }

    /** Each unread card as its slot, its count of people and the newest of them; the latest first. */
    private static List<String> unread(Person reader) {
        var cards = new ArrayList<String>();
        reader.api()
                .get("/api/v1/notifications/page?state=unread")
                .json()
                .path("items")
                .forEach(card -> cards.add("%s %d %s"
                        .formatted(
                                card.path("slot").asString(""),
                                card.path("countUsers").asInt(),
                                card.path("records")
                                        .path(0)
                                        .path("user")
                                        .path("nickname")
                                        .asString(""))));
        return cards;
    }

    private static void awaitUnread(Person reader, String... cards) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(unread(reader)).containsExactly(cards));
    }

    @Test
    void whatOthersDoIsReadAndComesUpAgainWithTheNextAct() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var carl = square.person("Carl");
        var post = ann.post("The first tomato");
        bob.follow(ann);
        awaitUnread(ann, "follow 1 Bob");
        like(bob, post);
        awaitUnread(ann, "like:" + post + " 1 Bob", "follow 1 Bob");
        var seen = ann.api().get("/api/v1/notifications").text("newest");
        assertThat(ann.api()
                        .post("/api/v1/notifications/mark-all", "{'isRead':true,'upTo':'%s'}".formatted(seen))
                        .body())
                .isEqualTo("{\"marked\":2}");
        assertThat(ann.api().get("/api/v1/notifications?newerThan=" + seen).status())
                .isEqualTo(304);
        like(carl, post);
        awaitUnread(ann, "like:" + post + " 2 Carl");
        assertThat(ann.api().get("/api/v1/notifications?newerThan=" + seen).status())
                .isEqualTo(200);
        assertThat(ann.api().get("/api/v1/notifications/count").body()).isEqualTo("{\"unread\":1,\"more\":false}");
    }

    @Test
    void whatIsMutedIsNotToldAndWhatIsFollowedIs() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var carl = square.person("Carl");
        var dora = square.person("Dora");
        var post = ann.post("No likes, please");
        var other = ann.post("Likes, please");
        var bobs = bob.post("A question");
        put(ann, "posts/" + post + "/mute", "{'likes':true,'replies':false}");
        put(ann, "users/" + carl.id() + "/mute", "");
        put(ann, "notifications/settings", "{'mutedKinds':['follow'],'digest':'off'}");
        put(ann, "posts/" + bobs + "/subscription", "");
        dora.follow(ann);
        like(dora, post);
        like(carl, other);
        carl.reply(bobs, "An answer of somebody muted");
        dora.reply(bobs, "An answer");
        awaitUnread(ann, "reply:" + bobs + " 1 Dora");
        // All of Ann's events come in order: with this one, all before have been passed.
        dora.reply(post, "A reply");
        awaitUnread(ann, "reply:" + post + " 1 Dora", "reply:" + bobs + " 1 Dora");
    }
}
