package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The questions of runs as the list of them tells them: to people, and to tokens with some scopes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class RunQuestionsTest {

    private Square square;
    private Person ann;
    private String agent;
    private String first;
    private String second;

    @BeforeAll
    void start() {
        square = new Square();
        ann = square.person("Ann");
        agent = square.admin
                .api()
                .post("/api/v1/agents", "{'nickname': 'Kiki', 'model': 'librarian'}")
                .text("id");
        first = ann.post("@Kiki where is the boat?");
        second = ann.post("@Kiki where is the car?");
        var thread = ann.api()
                .post("/api/v1/messages/threads", "{'members': ['%s']}".formatted(agent))
                .text("id");
        var sent = ann.api()
                .post("/api/v1/messages/threads/" + thread + "/messages", "{'content': 'where is the secret?'}");
        assertThat(sent.status()).as(sent.body()).isEqualTo(201);
        await().until(() -> questions(ann.api()).size() == 3);
    }

    @AfterAll
    void stop() {
        square.close();
    }

    /** The questions of the runs, by their posts; that of the private one by an empty text. */
    private Map<String, String> questions(ApiClient api) {
        return api.get("/api/v1/agents/" + agent + "/runs")
                .json()
                .path("items")
                .valueStream()
                .collect(Collectors.toMap(
                        run -> run.path("postId").asString(""),
                        run -> run.path("question").asString("")));
    }

    private ApiClient token(String scopes) {
        var made = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email': '%s', 'password': '%s', 'name': 'x', 'scopes': %s}"
                                .formatted(ann.email(), ann.password(), scopes));
        return square.anonymous().token(made.text("token"));
    }

    @Test
    void eachRunOfTheListHasItsOwnQuestion() {
        assertThat(questions(ann.api()))
                .isEqualTo(Map.of(
                        first,
                        "@Kiki where is the boat?",
                        second,
                        "@Kiki where is the car?",
                        "",
                        "where is the secret?"));
        assertThat(questions(square.admin.api()).get(""))
                .as("private to those who write there")
                .isIn(null, "");
    }

    @Test
    void aTokenIsToldTheQuestionsOfThePlacesThatItMayRead() {
        assertThat(questions(token("['agents:read']")).values()).containsExactlyElementsOf(List.of("", "", ""));
        assertThat(questions(token("['agents:read', 'posts:read']")))
                .isEqualTo(Map.of(first, "@Kiki where is the boat?", second, "@Kiki where is the car?", "", ""));
        assertThat(questions(token("['agents:read', 'messages:read']")))
                .isEqualTo(Map.of(first, "", second, "", "", "where is the secret?"));
    }
}
