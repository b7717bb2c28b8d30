package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** "Ask …" on a whole server: an agent is asked about something, and reads it as far as both it and the asker may. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AskTest {

    private Square square;
    private Person ann;
    private String agent = "";

    @BeforeAll
    void open() {
        square = new Square();
        ann = square.person("Ann");
        agent = made("Sage", Map.of());
        made("Closed", Map.of("callers", List.of(square.admin.id())));
        made("Deaf", Map.of("wake", List.of("mention")));
    }

    @AfterAll
    void close() {
        square.close();
    }

    private String made(String nickname, Map<String, ?> more) {
        var body = new HashMap<String, Object>(more);
        body.put("nickname", nickname);
        body.put("model", "librarian");
        var reply = square.admin.api().post("/api/v1/agents", Json.text(body));
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply.text("id");
    }

    private static Document page(Person person, String path) {
        return Jsoup.parse(person.api().get(path).body());
    }

    private Reply ask(String agent, String about, String question) {
        return ann.api()
                .sendAs(
                        "application/x-www-form-urlencoded",
                        "POST",
                        "/agents/ask",
                        "agent=%s&about=%s&content=%s".formatted(agent, encoded(about), encoded(question)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The texts of a thread, the oldest first, once the agent has answered its last message. */
    private List<String> answered(Reply asked) {
        assertThat(asked.status()).as(asked.body()).isEqualTo(303);
        var path = "/api/v1/messages/threads/" + asked.header("Location").replaceAll(".*/messages/", "") + "/messages";
        return await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> ann.api().get(path).json().path("items"),
                        items -> items.path(0).at("/sender/id").asString().equals(agent))
                .valueStream()
                .map(message -> message.path("content").asString())
                .toList()
                .reversed();
    }

    @Test
    void aPersonChoosesAmongTheAgentsThatAnswerThem() {
        var post = square.person("Bob").post("Hello");
        var link = page(ann, "/posts/" + post).select("a[href^=/agents/ask]").attr("href");
        assertThat(link).isEqualTo("/agents/ask?about=%2Fposts%2F" + post);
        var form = page(ann, link);
        assertThat(form.select("[name=agent]").eachAttr("value")).containsExactly(agent);
        assertThat(form.select("[name=about]").attr("value")).isEqualTo("/posts/" + post);
        assertThat(page(ann, "/agents/ask?about=https://evil.example&quote=An%20item")
                        .select("[name=about], textarea")
                        .eachText())
                .contains("> An item");
        assertThat(page(ann, "/agents/ask?about=/admin/users")
                        .select("[name=about]")
                        .attr("value"))
                .isEmpty();
    }

    @Test
    void theAgentReadsThePostThatItIsAskedAbout() {
        var post = square.person("Bob").post("The quorlix gate opens at nine. The gardens close at dusk.");
        var thread = answered(ask(agent, "/posts/" + post, "When does the quorlix gate open?"));
        assertThat(thread).last().asString().contains("quorlix gate opens at nine");
    }

    @Test
    void whatTheAskerOrTheAgentMayNotReadIsNotTold() {
        var project = ann.api()
                .post("/api/v1/projects", Json.text(Map.of("name", "Secret")))
                .text("id");
        ann.api()
                .post(
                        "/api/v1/projects/" + project + "/schemas",
                        "{'name':'safe','attributes':[{'name':'code','type':'text'}]}");
        var row = ann.api()
                .post("/api/v1/projects/" + project + "/records/safe", "{'values':{'code':'vexatronium'}}")
                .text("id");
        var thread = answered(ask(agent, "/records/" + project + "/safe/" + row, "What code is vexatronium safe?"));
        assertThat(thread).last().asString().doesNotContain("code:");
        var blocker = square.person("Blocker");
        var post = blocker.post("The zyglorp is under the stone.");
        blocker.block(ann);
        assertThat(answered(ask(agent, "/posts/" + post, "Where is the zyglorp?")))
                .last()
                .asString()
                .doesNotContain("stone");
    }

    @Test
    void anAgentThatDoesNotAnswerThemIsRefused() {
        var refused = ask("7FFFFFFFFFFFFFFF", "", "Hello?");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Jsoup.parse(refused.body()).select("textarea").text()).isEqualTo("Hello?");
        assertThat(ask(agent, "", " ").status()).isEqualTo(422);
    }
}
