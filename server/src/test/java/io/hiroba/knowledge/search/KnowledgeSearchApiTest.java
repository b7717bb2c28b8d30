package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Searching over HTTP, on a whole server with its own model. */
class KnowledgeSearchApiTest {

    private static Square square;
    private static Person reader;

    @BeforeAll
    static void start() {
        square = new Square();
        reader = square.person("Reader");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static String asked(String json) {
        return reader.api().post("/api/v1/knowledge/search", json).outcome();
    }

    @Test
    void anEmptyMemoryFindsNothingAndSaysWhy() {
        var reply = reader.api().post("/api/v1/knowledge/search", "{'query': 'cats', 'mode': 'hybrid'}");
        assertThat(reply.outcome()).isEqualTo("200");
        assertThat(reply.json().path("items")).isEmpty();
        assertThat(reply.json().path("truncated").asBoolean()).isTrue();
        assertThat(reply.text("why")).contains("No more chunks");
        var japanese = reader.api().with("Accept-Language", "ja");
        assertThat(japanese.post("/api/v1/knowledge/search", "{'query': 'cats'}")
                        .text("why"))
                .contains("これ以上ありません");
    }

    @Test
    void whatIsWrongWithAQuestionIsSaidByField() {
        assertThat(asked("{}")).startsWith("400");
        assertThat(asked("{'query': ' '}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'mode': 'psychic'}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'limit': 51}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'threshold': 2}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'filters': {'sourceType': 'book'}}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'filters': {'sourceId': 'x'}}")).startsWith("400");
        assertThat(asked("{'query': 'x', 'filters': {'channelId': 'x'}}")).startsWith("400");
        assertThat(asked("{'query': 'x', 'filters': {'channelId': '987654321098765432', 'userId': 5}}"))
                .isEqualTo("200");
        assertThat(asked("{'query': 'x', 'depth': 3}")).startsWith("400");
    }

    @Test
    void tenHitsAreReturnedByDefault() {
        var owner = square.person("Owner");
        var text = new StringBuilder();
        for (int i = 1; i <= 12; i++) {
            text.append("# Part ")
                    .append(i)
                    .append("\\n\\nA walrus on floe ")
                    .append(i)
                    .append(".\\n\\n");
        }
        owner.api().post("/api/v1/knowledge/sources", "{'text': '%s', 'visibility': 'private'}".formatted(text));
        var byDefault = owner.api().post("/api/v1/knowledge/search", "{'query': 'walrus', 'mode': 'keyword'}");
        assertThat(byDefault.json().path("items")).hasSize(10);
        var chosen =
                owner.api().post("/api/v1/knowledge/search", "{'query': 'walrus', 'mode': 'keyword', 'limit': 12}");
        assertThat(chosen.json().path("items")).hasSize(12);
        assertThat(chosen.json().path("searchedFor").isNull()).isTrue();
        var misspelt =
                owner.api().post("/api/v1/knowledge/search", "{'query': 'wallrus on a floe', 'mode': 'keyword'}");
        assertThat(misspelt.text("searchedFor")).isEqualTo("walrus on a floe");
        assertThat(misspelt.json().path("items")).hasSize(10);
    }

    @Test
    void whereNothingFitsNothingIsListed() {
        var owner = square.person("Tenant");
        var lease =
                "# Lease\\n\\n## Animals\\n\\nReptiles and other pets need the consent of the landlord in writing.\\n\\n"
                        + "## Rent\\n\\nThe rent is due on the third working day of the month.";
        var added = owner.api()
                .post("/api/v1/knowledge/sources", "{'text': '%s', 'visibility': 'private'}".formatted(lease));
        var source = "/api/v1/knowledge/sources/" + added.text("id");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> owner.api().get(source).text("status").equals("completed"));
        var snake = owner.api()
                .post("/api/v1/knowledge/search", "{'query': 'Does my landlord have to agree to a pet snake?'}");
        assertThat(snake.json().path("items").path(0).path("label").asString()).contains("Animals");
        for (var mode : SearchMode.values()) {
            var gold = owner.api()
                    .post(
                            "/api/v1/knowledge/search",
                            "{'query': 'what is the price of gold', 'mode': '%s'}".formatted(mode.text()));
            assertThat(gold.json().path("items")).as("%s", mode).isEmpty();
            assertThat(gold.text("why")).as("%s", mode).isNotEmpty();
        }
        assertThat(owner.api()
                        .post("/api/v1/knowledge/search", "{'query': 'what is the price of gold'}")
                        .text("why"))
                .contains("Nothing that you can read fits");
    }

    @Test
    void aStrangerIsRefused() {
        assertThat(square.anonymous()
                        .post("/api/v1/knowledge/search", "{'query': 'x'}")
                        .outcome())
                .startsWith("401");
    }
}
