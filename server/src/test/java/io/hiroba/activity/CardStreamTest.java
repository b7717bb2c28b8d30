package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.social.PostId;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestCard;
import io.hiroba.testkit.TestStream;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The stream of a whole server. */
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
@Tag("slow")
class CardStreamTest {

    private static final String STREAM = "/api/v1/stream";

    private static Square square;
    private static Person ben;

    @BeforeAll
    static void start() {
        square = new Square("--social.posts-per-hour=0");
        ben = square.person("Ben");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void aStreamIsForThoseWhoAreSignedIn() {
        assertThat(square.anonymous().get(STREAM).outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void whatIsWrongWithARequestIsAnsweredBeforeTheStreamBegins() {
        var api = square.person("Ann").api();
        assertThat(api.with("Last-Event-ID", "7").get(STREAM).outcome()).isEqualTo("400 http.invalid");
        assertThat(api.with("Last-Event-ID", "cards=99999999999999999")
                        .get(STREAM)
                        .outcome())
                .isEqualTo("400 http.invalid");
        assertThat(api.with("Last-Event-ID", "cards=later").get(STREAM).outcome())
                .isEqualTo("400 http.invalid");
        assertThat(api.with("Last-Event-ID", "posts=7")
                        .get(STREAM + "?posts=home")
                        .outcome())
                .isEqualTo("400 id.malformed");
        assertThat(api.get(STREAM + "?posts=everything").outcome()).isEqualTo("400 http.invalid");
        assertThat(api.get(STREAM + "?posts=home&after=x").outcome()).isEqualTo("400 id.malformed");
        assertThat(api.get(STREAM + "?lastEventId=" + "x".repeat(1000)).outcome())
                .isEqualTo("400 http.invalid");
    }

    @Test
    void theCountComesAtOnceAndEachCardAsTheApiShowsIt() {
        var ann = square.person("Ann");
        try (var stream = ann.api().stream(STREAM)) {
            assertThat(stream.await("count").data()).isEqualTo("{\"unread\":0,\"more\":false}");
            card(ann, 1);
            var card = stream.await("card");
            assertThat(card.json())
                    .isEqualTo(ann.api()
                            .get("/api/v1/notifications")
                            .json()
                            .path("items")
                            .path(0));
            assertThat(stream.await("count", 2).data()).isEqualTo("{\"unread\":1,\"more\":false}");
        }
    }

    @Test
    void aLikeReachesTheStreamOfWhoeverWroteThePost() {
        var ann = square.person("Ann");
        var id = ann.post("Good morning");
        try (var stream = ann.api().stream(STREAM)) {
            stream.await("count");
            assertThat(ben.api().post("/api/v1/posts/" + id + "/like", "").outcome())
                    .isEqualTo("204");
            var card = stream.await("card").json();
            assertThat(card.path("slot").asString()).isEqualTo("like:" + id);
            assertThat(card.path("post").path("excerpt").asString()).isEqualTo("Good morning");
            assertThat(stream.await("count", 2).json().path("unread").asInt()).isEqualTo(1);
        }
    }

    @Test
    void whoComesBackIsToldWhatCameMeanwhileAndNothingTwice() {
        var ann = square.person("Ann");
        card(ann, 1);
        String last;
        try (var stream = ann.api().stream(STREAM)) {
            stream.await("count");
            card(ann, 2);
            last = stream.await("card").id();
        }
        card(ann, 3);
        card(ann, 4);
        try (var stream = ann.api().with("Last-Event-ID", last).stream(STREAM)) {
            stream.await("count");
            assertThat(posts(stream)).containsExactly(3L, 4L);
        }
        try (var stream = ann.api().stream(STREAM + "?lastEventId=" + last)) {
            stream.await("count");
            assertThat(posts(stream)).containsExactly(3L, 4L);
        }
        try (var stream = ann.api().stream(STREAM)) {
            stream.await("count");
            assertThat(posts(stream)).isEmpty();
        }
    }

    @Test
    void nobodyIsToldOfAnothersCardsWhateverIdTheyName() {
        var ann = square.person("Ann");
        var eve = square.person("Eve");
        card(ann, 1);
        try (var stream = eve.api().with("Last-Event-ID", "cards=0").stream(STREAM)) {
            stream.await("count");
            card(ann, 2);
            card(eve, 3);
            stream.await("card");
            assertThat(posts(stream)).containsExactly(3L);
        }
    }

    @Test
    void cardsAndPostsShareAStreamAndBothAreResumed() {
        var ann = square.person("Ann");
        String last;
        try (var stream = ann.api().stream(STREAM + "?posts=newest")) {
            stream.await("count");
            assertThat(stream.messages("post")).isEmpty();
            card(ann, 1);
            stream.await("card");
            var id = ben.post("News");
            var told = stream.await("post");
            assertThat(told.json().path("id").asString()).isEqualTo(id);
            assertThat(told.id()).matches("posts=" + id + "[0-9A-Za-z]*;messages=0;cards=[0-9]+;inbox=[0-9]+");
            last = told.id();
        }
        var more = ben.post("More news");
        card(ann, 2);
        try (var stream = ann.api().with("Last-Event-ID", last).stream(STREAM + "?posts=newest&after=" + more)) {
            stream.await("count");
            assertThat(posts(stream)).containsExactly(2L);
        }
        try (var stream = ann.api().with("Last-Event-ID", last).stream(STREAM + "?posts=newest")) {
            assertThat(stream.await("post").json().path("id").asString()).isEqualTo(more);
        }
    }

    @Test
    void whatIsMarkedOnOnePageIsCountedOnTheOthers() {
        var ann = square.person("Ann");
        card(ann, 1);
        try (var stream = ann.api().stream(STREAM)) {
            assertThat(stream.await("count").json().path("unread").asInt()).isEqualTo(1);
            assertThat(ann.api()
                            .post("/api/v1/notifications/mark-all", "{'isRead':true}")
                            .outcome())
                    .isEqualTo("200");
            assertThat(stream.await("count", 2).json().path("unread").asInt()).isZero();
        }
    }

    @Test
    void hundredsOfStreamsAreToldEachOfTheirOwn() {
        var people = new ArrayList<Person>();
        var streams = new ArrayList<TestStream>();
        try {
            for (int i = 0; i < 40; i++) {
                var person = square.person("Person " + i);
                people.add(person);
                for (int page = 0; page < 5; page++) {
                    streams.add(person.api().stream(STREAM));
                }
            }
            streams.forEach(stream -> stream.await("count"));
            for (int i = 0; i < people.size(); i++) {
                card(people.get(i), i + 1);
            }
            for (int i = 0; i < streams.size(); i++) {
                streams.get(i).await("card");
                assertThat(posts(streams.get(i))).containsExactly(i / 5 + 1L);
            }
        } finally {
            streams.forEach(TestStream::close);
        }
    }

    @Test
    void whoOpensTooManyLosesTheOldest() {
        var ann = square.person("Ann");
        var streams = new ArrayList<TestStream>();
        try {
            for (int i = 0; i < 11; i++) {
                streams.add(ann.api().stream(STREAM));
                streams.getLast().await("count");
            }
            assertThat(streams.getFirst().await("full").data()).isEqualTo("full");
            assertThat(streams.get(1).messages("full")).isEmpty();
        } finally {
            streams.forEach(TestStream::close);
        }
    }

    private static List<Long> posts(TestStream stream) {
        return stream.messages("card").stream()
                .map(card -> Slot.find(card.json().path("slot").asString()).orElseThrow())
                .map(slot -> slot.post() == null ? 0L : slot.post().value())
                .toList();
    }

    private static void card(Person reader, long number) {
        TestCard.of(UserId.parse(reader.id()), Slot.of(NotificationKind.LIKE, new PostId(number)))
                .updatedAt(TestCard.TIME.plus(number, ChronoUnit.MICROS))
                .by(UserId.parse(ben.id()))
                .insert(square.server.database().db());
    }
}
