package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Json;
import io.hiroba.social.PostId;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestCard;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class NotificationsApiTest {

    private static final String CARDS = "/api/v1/notifications";

    private static final Square square = new Square();
    private static final Db db = square.server.database().db();

    @AfterAll
    static void close() {
        square.close();
    }

    private static UserId id(Person person) {
        return UserId.parse(person.id());
    }

    private static Slot like(long post) {
        return Slot.of(NotificationKind.LIKE, new PostId(post));
    }

    /** Cards like:1, like:2 … of a microsecond each, the last one the newest. */
    private static void cards(Person reader, int count) {
        for (int n = 1; n <= count; n++) {
            TestCard.of(id(reader), like(n))
                    .updatedAt(TestCard.TIME.plus(n, ChronoUnit.MICROS))
                    .insert(db);
        }
    }

    private static List<String> slots(JsonNode page) {
        var slots = new ArrayList<String>();
        page.path("items").forEach(item -> slots.add(item.path("slot").asString("")));
        return slots;
    }

    private static Reply mark(Person person, String json) {
        return person.api().post(CARDS + "/mark", json);
    }

    private static String count(Person person) {
        return person.api().get(CARDS + "/count").body();
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @Test
    void aCardTellsAllThatIsNeededToShowIt() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = ann.post("The **first** tomato");
        var made = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        TestCard.of(id(ann), Slot.of(NotificationKind.REPLY, PostId.parse(post)))
                .createdAt(made)
                .by(id(bob), new PostId(7))
                .insert(db);
        assertThat(ann.api().get(CARDS).json())
                .isEqualTo(Json.mapper().readTree("""
                {"items": [{
                   "slot": "reply:%1$s", "kind": "reply", "term": "2026-01-02", "isRead": false,
                   "createdAt": %3$s, "updatedAt": "2026-01-02T10:00:00.123456Z",
                   "countUsers": 1, "countPosts": 1,
                   "post": {"id": "%1$s", "excerpt": "The first tomato", "mine": true, "replyExcerpt": null},
                   "records": [{
                     "at": "2026-01-02T10:00:00.123Z",
                     "user": {"id": "%2$s", "nickname": "Bob", "avatar": null, "kind": "person"},
                     "postId": "0000000000000007"}]}],
                 "newest": "2026-01-02T10:00:00.123456Z"}
                """.formatted(post, bob.id(), Json.text(made))));
        assertThat(slots(bob.api().get(CARDS).json())).isEmpty();
    }

    @Test
    void whatIsHandedBackIsAnsweredOnlyWhenThereIsNews() {
        var ann = square.person("Ann");
        var none = ann.api().get(CARDS).text("newest");
        assertThat(none).isEqualTo("1970-01-01T00:00:00.000000Z");
        assertThat(ann.api().get(CARDS + "?newerThan=" + none).status()).isEqualTo(304);
        cards(ann, 2);
        var all = ann.api().get(CARDS + "?newerThan=" + none);
        assertThat(slots(all.json())).containsExactly("like:0000000000000002", "like:0000000000000001");
        var unchanged = ann.api().get(CARDS + "?newerThan=" + all.text("newest"));
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.body()).isEmpty();
        assertThat(ann.api()
                        .get(CARDS + "?newerThan=2026-01-02T10:00:00.123457Z")
                        .status())
                .isEqualTo(200);
        assertThat(ann.api()
                        .get(CARDS + "?newerThan=9999-12-31T23:59:59.999999Z")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "1", "2026-01-02", "+999999999-01-01T00:00:00Z", "' OR 1=1 --", "\u0000"})
    void aTimeThatIsNoneIsRefused(String time) {
        var reply = square.admin.api().get(CARDS + "?newerThan=" + encoded(time));
        assertThat(reply.outcome()).startsWith("400 ");
    }

    @Test
    void pagesHoldEveryCardOnceInItsState() {
        var ann = square.person("Ann");
        cards(ann, 5);
        mark(ann, "{'slot':'like:0000000000000003','term':'2026-01-02','isRead':true}");
        var found = new ArrayList<String>();
        var after = "";
        do {
            var page = ann.api()
                    .get(CARDS + "/page?state=unread&limit=2&after=" + after)
                    .json();
            found.addAll(slots(page));
            after = page.path("next").asString("");
        } while (!after.isEmpty());
        assertThat(found)
                .containsExactly(
                        "like:0000000000000005",
                        "like:0000000000000004",
                        "like:0000000000000002",
                        "like:0000000000000001");
        assertThat(slots(ann.api().get(CARDS + "/page?state=read").json())).containsExactly("like:0000000000000003");
    }

    @Test
    void whatIsNoPageOfTheListIsRefused() {
        var ann = square.person("Ann");
        cards(ann, 3);
        var next = ann.api().get(CARDS + "/page?state=unread&limit=1").text("next");
        for (var query : List.of("", "?state=", "?state=all", "?state=read&limit=0", "?state=read&limit=101")) {
            assertThat(ann.api().get(CARDS + "/page" + query).status())
                    .as(query)
                    .isEqualTo(400);
        }
        assertThat(ann.api().get(CARDS + "/page?state=unread&after=" + next).outcome())
                .isEqualTo("200");
        assertThat(ann.api().get(CARDS + "/page?state=read&after=" + next).outcome())
                .isEqualTo("400 http.bad-cursor");
        assertThat(ann.api().get(CARDS + "/page?state=unread&after=x" + next).outcome())
                .isEqualTo("400 http.bad-cursor");
        // A cursor is a place, not a permission.
        assertThat(slots(square.person("Bob")
                        .api()
                        .get(CARDS + "/page?state=unread&after=" + next)
                        .json()))
                .isEmpty();
    }

    @Test
    void aCardIsMarkedUnlessItIsNewerThanWhatWasSeen() {
        var ann = square.person("Ann");
        cards(ann, 2);
        var card = ann.api().get(CARDS).json().path("items").path(0);
        var seen = card.path("updatedAt").asString("");
        var earlier = "2026-01-02T10:00:00.123457Z";
        var of = "{'slot':'like:0000000000000002','term':'2026-01-02','isRead':true,'updatedAt':'%s'}";
        assertThat(mark(ann, of.formatted(earlier)).body()).isEqualTo("{\"isRead\":false}");
        assertThat(count(ann)).isEqualTo("{\"unread\":2,\"more\":false}");
        assertThat(mark(ann, of.formatted(seen)).body()).isEqualTo("{\"isRead\":true}");
        assertThat(count(ann)).isEqualTo("{\"unread\":1,\"more\":false}");
        var all = ann.api().post(CARDS + "/mark-all", "{'isRead':true,'upTo':'%s'}".formatted(earlier));
        assertThat(all.body()).isEqualTo("{\"marked\":1}");
        assertThat(ann.api().post(CARDS + "/mark-all", "{'isRead':false}").body())
                .isEqualTo("{\"marked\":2}");
    }

    @Test
    void anothersCardIsNoCard() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        cards(ann, 1);
        assertThat(mark(bob, "{'slot':'like:0000000000000001','term':'2026-01-02','isRead':true}")
                        .outcome())
                .isEqualTo("404 activity.no-such-card");
        assertThat(bob.api().post(CARDS + "/mark-all", "{'isRead':true}").body())
                .isEqualTo("{\"marked\":0}");
        assertThat(count(ann)).isEqualTo("{\"unread\":1,\"more\":false}");
    }

    @Test
    void hostileMarksAreRefused() {
        var ann = square.person("Ann");
        assertThat(mark(ann, "{'slot':'like:1','term':'x','isRead':true}").outcome())
                .isEqualTo("400 activity.invalid");
        assertThat(mark(ann, "{'slot':'follow','term':'%s','isRead':true}".formatted("x".repeat(10_000)))
                        .outcome())
                .isEqualTo("404 activity.no-such-card");
        assertThat(mark(ann, "{'slot':'follow','term':'\\u0000','isRead':true}").outcome())
                .isEqualTo("400 http.bad-text");
        assertThat(mark(ann, "{'slot':'follow','term':'x','isRead':true,'updatedAt':'now'}")
                        .outcome())
                .isEqualTo("400 activity.invalid");
        assertThat(mark(ann, "{'slot':'follow','term':'x'}").outcome()).isEqualTo("400 http.missing-field");
        assertThat(mark(ann, "{'slot':'follow','term':'x','isRead':true,'userId':'1'}")
                        .outcome())
                .isEqualTo("400 http.unknown-field");
        assertThat(ann.api()
                        .post(CARDS + "/mark-all", "{'isRead':true,'upTo':''}")
                        .outcome())
                .isEqualTo("400 activity.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET ", "GET /page?state=read", "GET /count", "POST /mark", "POST /mark-all"})
    void nobodyReadsOrMarksWithoutSigningIn(String route) {
        var parts = route.split(" ", -1);
        assertThat(square.anonymous().send(parts[0], CARDS + parts[1], "").outcome())
                .isEqualTo("401 accounts.not-signed-in");
    }
}
