package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.id.UuidV7;
import io.hiroba.testkit.Square;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The stream of one saga of a whole server. */
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
@Tag("slow")
class SagaEventsApiTest {

    private static Square square;

    @BeforeAll
    static void start() {
        square = new Square();
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void theStreamIsForAuditorsAndOfSagasThatThereAre() {
        var path = events(saga("RUNNING"));
        assertThat(square.anonymous().get(path).outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(square.person("Curious").api().get(path).outcome()).isEqualTo("403 saga.auditors-only");
        assertThat(square.admin.api().get(events(UUID.randomUUID())).outcome()).isEqualTo("404 saga.not-found");
        assertThat(square.admin.api().get("/api/v1/sagas/nothing/events").outcome())
                .isEqualTo("400 id.malformed");
        assertThat(square.admin.api().with("Last-Event-ID", "x").get(path).outcome())
                .isEqualTo("400 http.invalid");
        assertThat(square.admin.api().get(path + "?lastEventId=-1").outcome()).isEqualTo("400 http.invalid");
    }

    @Test
    void aScheduleThatFailsIsInTheInboxOfItsOwnerUntilARunCompletes() {
        var owner = square.person("Owner");
        var other = square.person("Other operator");
        for (var person : List.of(owner, other)) {
            square.admin.api().put("/api/v1/saga-roles/" + person.id(), "{'role': 'operator'}");
        }
        register("{'name': 'nightly', 'steps': [{'name': 'part', 'workflow': 'nightly-part'}]}");
        var made = owner.api().post("/api/v1/schedules", "{'name':'Night','workflow':'nightly','cron':'@yearly'}");
        var path = "/api/v1/schedules/" + made.text("id");
        owner.api().post(path + "/trigger", "");
        awaitItem(owner, "todo");
        assertThat(items(other, "todo")).isEmpty();

        register("{'name': 'nightly-part', 'steps': [{'name': 'no', 'service': 'x', 'method': 'y', 'when': 'false'}]}");
        assertThat(owner.api().post(path + "/trigger", "").outcome()).isEqualTo("201");
        awaitItem(owner, "done");

        assertThat(square.admin
                        .api()
                        .send("PATCH", "/api/v1/workflows/nightly", "{'enabled':false}")
                        .status())
                .isEqualTo(200);
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update(
                                "UPDATE saga.schedules SET next_at = now() - interval '1 s', handled_until = NULL")
                        .execute());
        square.admin.api().post("/api/v1/schedules", "{'name':'Wakes','workflow':'nightly-part','cron':'@yearly'}");
        awaitItem(owner, "todo");
        assertThat(owner.api().delete(path).outcome()).isEqualTo("204");
        Awaitility.await()
                .until(() ->
                        items(owner, "todo").isEmpty() && items(owner, "done").isEmpty());
    }

    private static void register(String workflow) {
        var reply = square.admin.api().post("/api/v1/workflows", workflow);
        assertThat(reply.status()).as(reply.body()).isLessThan(300);
    }

    private static void awaitItem(Square.Person person, String state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> items(person, state).contains("schedule_failed Night"));
    }

    private static List<String> items(Square.Person person, String state) {
        return person.api()
                .get("/api/v1/inbox?state=" + state)
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.path("action").asString() + " "
                        + item.at("/resource/title").asString())
                .toList();
    }

    @Test
    void theStateComesFirstThenEachAttemptWithTheStateItLedToAndThenTheEnd() {
        var id = saga("RUNNING");
        try (var stream = square.admin.api().stream(events(id))) {
            var first = stream.await("saga");
            assertThat(first.id()).isEqualTo("0");
            assertThat(first.json().path("id").asString()).isEqualTo(id.toString());
            assertThat(first.json().path("status").asString()).isEqualTo("RUNNING");
            attempt(id, 0, "RUNNING");
            assertThat(stream.await("step").json().path("stepName").asString()).isEqualTo("step-0");
            attempt(id, 1, "COMPLETED");
            assertThat(stream.await("step", 2).id()).isEqualTo("2");
            assertThat(stream.await("saga", 3).json().path("status").asString()).isEqualTo("COMPLETED");
        }
        var whole = square.admin.api().get(events(id));
        assertThat(whole.body()).as("ends by itself").contains("\"COMPLETED\"");
    }

    @Test
    void whoComesBackIsToldOfTheAttemptsThatWereMissed() {
        var id = saga("RUNNING");
        attempt(id, 0, "RUNNING");
        attempt(id, 1, "COMPLETED");
        var back = square.admin.api().with("Last-Event-ID", "1").get(events(id)).body();
        assertThat(back).doesNotContain("step-0").contains("step-1", "id: 2");
        var all = square.admin.api().get(events(id) + "?lastEventId=0").body();
        assertThat(all.indexOf("step-0")).isLessThan(all.indexOf("step-1"));
    }

    @Test
    void aLogLongerThanAStreamHasRoomForComesInParts() {
        var id = saga("RUNNING");
        for (int i = 0; i < 500; i++) {
            attempt(id, i, i == 499 ? "COMPLETED" : "RUNNING");
        }
        var first = square.admin.api().get(events(id)).body();
        assertThat(first).contains("id: 400\n").doesNotContain("event: saga");
        var rest = square.admin.api().get(events(id) + "?lastEventId=400").body();
        assertThat(rest).contains("id: 401\n", "id: 500\n", "\"COMPLETED\"");
    }

    private static String events(UUID id) {
        return "/api/v1/sagas/" + id + "/events";
    }

    /** A saga that no engine works on, because a person is asked for. */
    private static UUID saga(String status) {
        var id = new UuidV7(Clock.systemUTC()).next();
        square.server
                .database()
                .db()
                .useTransaction(tx ->
                        tx.update("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload)
                VALUES (:id, 'order', 1, :status, '{}')
                """).bind("id", id).bind("status", status).execute());
        return id;
    }

    private static void attempt(UUID id, int step, String status) {
        square.server.database().db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO saga.saga_step_logs (
                        saga_id, step_index, action, attempt, step_name, status, started_at, completed_at)
                    VALUES (:id, :step, 'EXECUTE', 1, :name, 'SUCCESS', clock_timestamp(), clock_timestamp())
                    """)
                    .bind("id", id)
                    .bind("step", step)
                    .bind("name", "step-" + step)
                    .execute();
            tx.update("UPDATE saga.saga_states SET status = :status, updated_at = clock_timestamp() WHERE id = :id")
                    .bind("id", id)
                    .bind("status", status)
                    .execute();
        });
    }
}
