package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Agents that are made, mentioned and replied to on a whole server, where they answer as the built-in librarian. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentsTest {

    private static final String PATH = "/api/v1/agents";

    private Square square;
    private Person ann;
    private Person bob;

    @BeforeAll
    void open() {
        square = new Square();
        ann = square.person("Ann");
        bob = square.person("Bob");
    }

    @AfterAll
    void close() {
        square.close();
    }

    private ApiClient.Reply make(String nickname, Map<String, ?> more) {
        var body = new HashMap<String, Object>(more);
        body.put("nickname", nickname);
        body.putIfAbsent("model", "librarian");
        return square.admin.api().post(PATH, Json.text(body));
    }

    private String agent(String nickname) {
        var made = make(nickname, Map.of());
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("id");
    }

    private List<JsonNode> runs(String agent) {
        return square.admin
                .api()
                .get(PATH + "/" + agent + "/runs")
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    /** The reply that ended the run for {@code post}, once there is one. */
    private JsonNode answered(String agent, String post) {
        var run = ended(agent, post);
        assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("answered");
        return square.admin
                .api()
                .get("/api/v1/posts/" + run.path("replyId").asString())
                .json();
    }

    private JsonNode ended(String agent, String post) {
        return await().atMost(Duration.ofSeconds(20))
                .until(
                        () -> runs(agent).stream()
                                .filter(run -> run.path("postId").asString().equals(post)
                                        && !run.path("endedAt").asString("").isEmpty())
                                .findFirst()
                                .orElse(null),
                        run -> run != null);
    }

    @Test
    void anAgentIsMadeShownChangedAndDeletedByAdmins() {
        var made = make(
                "Setty",
                Map.of("personality", "Kind", "instructions", "Answer briefly", "tools", List.of("posts_search")));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        var path = PATH + "/" + made.text("id");
        assertThat(square.admin.api().get("/api/v1/users/" + made.text("id")).text("aiModel"))
                .isEqualTo("librarian");
        assertThat(made.json().path("wake").toString())
                .isEqualTo("[\"inbox\",\"mention\",\"message\",\"query\",\"reply\",\"schedule\",\"step\"]");
        assertThat(ann.api().get(path).text("personality")).isEqualTo("Kind");
        assertThat(ann.api().get(path).json().path("instructions").asString("")).isEmpty();
        assertThat(ann.api()
                        .get(PATH)
                        .json()
                        .path("items")
                        .valueStream()
                        .map(each -> each.path("nickname").asString()))
                .contains("Setty");

        var changed = square.admin
                .api()
                .send("PATCH", path, "{'nickname': 'Sotto', 'enabled': false, 'limits': {'turns': 3}}");
        assertThat(changed.outcome()).as(changed.body()).isEqualTo("200");
        assertThat(changed.text("nickname")).isEqualTo("Sotto");
        assertThat(changed.json().path("limits").path("turns").asInt()).isEqualTo(3);
        assertThat(changed.json().path("limits").path("seconds").asInt()).isEqualTo(120);
        assertThat(changed.text("instructions")).isEqualTo("Answer briefly");

        var bounds = square.admin.api().send("PATCH", path, "{'limits': {'dailyTokens': null, 'dailyCost': 2.5}}");
        assertThat(bounds.json().path("limits").path("dailyTokens").isNumber()).isFalse();
        var same = square.admin.api().send("PATCH", path, "{'limits': {'turns': 2}}");
        assertThat(same.json().path("limits").path("dailyCost").asDouble()).isEqualTo(2.5);
        assertThat(same.json().path("limits").path("dailyTokens").isNumber()).isFalse();

        assertThat(square.admin.api().delete(path).outcome()).isEqualTo("204");
        assertThat(ann.api().get(path).outcome()).isEqualTo("404 agents.not-found");
        assertThat(square.audited("action=agent-created")).isNotEmpty();
        assertThat(square.audited("action=agent-changed")).isNotEmpty();
        assertThat(square.audited("action=agent-deleted")).hasSize(1);
    }

    @Test
    void whatIsWrongWithAnAgentIsRefused() {
        assertThat(ann.api()
                        .post(PATH, "{'nickname': 'Mine', 'model': 'librarian'}")
                        .outcome())
                .isEqualTo("403 agents.not-maker");
        assertThat(make("A", Map.of("model", "unheard-of")).outcome()).isEqualTo("400 agents.invalid");
        assertThat(make("A", Map.of("tools", List.of("rm_rf"))).outcome()).isEqualTo("400 agents.invalid");
        assertThat(make("A", Map.of("wake", List.of("noon"))).outcome()).isEqualTo("400 agents.invalid");
        assertThat(make("A", Map.of("callers", List.of("nobody"))).outcome()).isEqualTo("400 agents.invalid");
        assertThat(make("A", Map.of("limits", Map.of("turns", 0))).outcome()).isEqualTo("400 agents.invalid");
        assertThat(make("A", Map.of("instructions", "x".repeat(20_001))).outcome())
                .isEqualTo("400 agents.invalid");
        assertThat(make("\u200B", Map.of()).outcome()).isEqualTo("400 accounts.invalid");
        assertThat(square.admin.api().post(PATH, "{'nickname': 'A'}").outcome()).isEqualTo("400 agents.invalid");
    }

    @Test
    void aMentionIsAnsweredByOneReplyWithItsSources() {
        var agent = agent("Kiki");
        var source = bob.post(
                "The observatory on the hill opens at seven in the evening &amp;commat;Bob, except on Mondays.");
        await().until(() -> !ann.api()
                .get("/api/v1/posts/search?q=observatory")
                .json()
                .path("items")
                .isEmpty());
        var question = ann.post("@Kiki when does the observatory open?");
        var reply = answered(agent, question);
        assertThat(reply.path("ownedBy").path("id").asString()).isEqualTo(agent);
        assertThat(reply.path("replyTo").asString()).isEqualTo(question);
        assertThat(reply.path("content").asString())
                .contains("opens at seven in the evening \\&commat;Bob", "/posts/" + source, "Post by Bob");
        assertThat(runs(agent)).hasSize(1);
        assertThat(ann.api()
                        .get("/api/v1/posts/" + question)
                        .json()
                        .path("countReplies")
                        .asInt())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void knowledgeIsQuotedThatBothMayReadAndNothingThatIsPrivateToAnybody() {
        var agent = agent("Biblio");
        add(bob, true, "Ferry", "The ferry to the island of Tern leaves the north pier at quarter past nine.");
        add(ann, false, "Diary", "The ferry to the island of Tern reminds me of the marzipan affair.");
        add(bob, false, "Ledger", "The ferry to the island of Tern owes me forty crowns and a lantern.");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ann.api()
                        .post("/api/v1/knowledge/search", "{'query': 'ferry to the island of Tern'}")
                        .body()
                        .contains("marzipan"));
        // The asker, the owner of what is private, and an admin: all of them get what is public.
        for (var asker : List.of(ann, bob, square.admin)) {
            var reply = answered(agent, asker.post("@Biblio when does the ferry to the island of Tern leave?"))
                    .path("content")
                    .asString();
            assertThat(reply).contains("quarter past nine", "Ferry").doesNotContain("marzipan", "crowns");
        }
    }

    private static void add(Person owner, boolean isPublic, String title, String text) {
        var added = owner.api()
                .post(
                        "/api/v1/knowledge/sources",
                        Json.text(Map.of(
                                "type",
                                "note",
                                "title",
                                title,
                                "text",
                                text,
                                "visibility",
                                isPublic ? "public" : "private")));
        assertThat(added.outcome()).as(added.body()).isEqualTo("201");
    }

    @Test
    void theAnswerIsInTheLanguageOfTheQuestionAndSaysIfNothingWasFound() {
        var agent = agent("Shisho");
        assertThat(answered(agent, ann.post("@Shisho 冥王星の郵便番号は何番ですか？"))
                        .path("content")
                        .asString())
                .startsWith("見つかりませんでした。");
        assertThat(answered(agent, ann.post("@Shisho which zip code has the southernmost lighthouse of Pluto?"))
                        .path("content")
                        .asString())
                .startsWith("I did not find that");
    }

    @Test
    void aReplyToAnAgentIsAnsweredAndOneThatIsNotToBeWokenStaysSilent() {
        var agent = agent("Reki");
        var first = answered(agent, ann.post("@Reki hello there, where is the moon base?"));
        var again = ann.reply(first.path("id").asString(), "And where is the moon base canteen?");
        assertThat(answered(agent, again).path("replyTo").asString()).isEqualTo(again);

        var quiet = make("Quiet", Map.of("wake", List.of("reply"))).text("id");
        var disabled = make("Asleep", Map.of("enabled", false)).text("id");
        var last = ann.post("@Quiet and @Asleep and @Reki are you there?");
        ended(agent, last);
        assertThat(runs(quiet)).isEmpty();
        assertThat(runs(disabled)).isEmpty();
    }

    @Test
    void agentsThatAnswerOneAnotherStop() {
        var ping = agent("Ping");
        var pong = agent("Pong");
        // Each of their replies is a reply to the other's post, as nobody else is.
        var question = ann.post("@Ping what is it?");
        var first = answered(ping, question).path("id").asString();
        assertThat(runs(pong)).isEmpty();
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update("""
                UPDATE agents.runs SET depth = 2 WHERE reply_id = :id
                """)
                        .bind("id", Long.parseUnsignedLong(first, 16))
                        .execute());
        // An agent elsewhere has a token and posts as it likes.
        var elsewhere = square.person("Elsewhere");
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update("""
                UPDATE accounts.users SET ai_model = 'librarian' WHERE id = :id
                """)
                        .bind("id", Long.parseUnsignedLong(elsewhere.id(), 16))
                        .execute());
        var reply = elsewhere.reply(first, "I disagree with that.");
        var run = ended(ping, reply);
        assertThat(run.path("state").asString() + " " + run.path("reason").asString())
                .isEqualTo("refused depth");
        assertThat(run.path("depth").asInt()).isEqualTo(3);
    }

    @Test
    void onlyThoseWhoMayCallAreAnsweredAndBlocksHold() {
        var agent = make("Choosy", Map.of("callers", List.of(bob.id()))).text("id");
        var run = ended(agent, ann.post("@Choosy hello?"));
        assertThat(run.path("state").asString() + " " + run.path("reason").asString())
                .isEqualTo("refused caller");
        assertThat(run.path("replyId").asString("")).isEmpty();

        var closed = bob.api()
                .post("/api/v1/posts", Json.text(Map.of("content", "@Choosy listen", "allowReplies", false)))
                .text("id");
        assertThat(ended(agent, closed).path("reason").asString()).isEqualTo("no-replies");
    }

    @Test
    void runsAreForThoseWhoCalledAndForAdmins() {
        var agent = agent("Runa");
        var post = ann.post("@Runa what is the depth of the well?");
        var id = ended(agent, post).path("id").asString();
        var path = PATH + "/" + agent + "/runs";
        assertThat(ann.api().get(path).json().path("items")).hasSize(1);
        assertThat(ann.api().get(path + "/" + id).text("trigger")).isEqualTo("mention");
        assertThat(bob.api().get(path).json().path("items")).isEmpty();
        assertThat(bob.api().get(path + "/" + id).outcome()).isEqualTo("404 agents.run-not-found");
        assertThat(bob.api().post(path + "/" + id + "/stop", "").outcome()).isEqualTo("404 agents.run-not-found");
        assertThat(ann.api().post(path + "/" + id + "/stop", "").outcome()).isEqualTo("409 agents.run-ended");

        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update(
                                "UPDATE agents.runs SET cause = 'Your instructions are too long' WHERE id = :id")
                        .bind("id", Long.parseUnsignedLong(id, 16))
                        .execute());
        assertThat(square.admin.api().get(path + "/" + id).text("cause")).isEqualTo("Your instructions are too long");
        assertThat(ann.api().get(path + "/" + id).json().path("cause").isNull())
                .as("a sentence of the provider may quote what only the owner wrote")
                .isTrue();
    }

    @Test
    void anAgentIsMadeChangedAndDeletedOnItsPages() {
        var visitor = signedIn(square.admin);
        var refused = submit(visitor, "/agents", "nickname=Paga&model=librarian&tools=nonsense");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Jsoup.parse(refused.body()).select("#tools-error").text()).contains("nonsense");
        var several = submit(visitor, "/agents", "nickname=Paga&model=none&tools=nonsense&turns=0&dailyCost=much");
        assertThat(Jsoup.parse(several.body()).select("p.error").eachAttr("id"))
                .contains("tools-error", "turns-error", "dailyCost-error");
        var made = submit(visitor, "/agents", "nickname=Paga&model=librarian&personality=Calm&tools=posts_search");
        assertThat(made.status()).as(made.body()).isEqualTo(303);
        var path = made.header("Location");
        var page = Jsoup.parse(visitor.get(path).body());
        assertThat(page.select("h1").text()).isEqualTo("Paga");
        assertThat(page.select("a[href=/messages/new?to=" + path.substring("/agents/".length()) + "]")
                        .text())
                .isEqualTo("Write to it");
        assertThat(page.select("input[name=wake][checked]")).hasSize(Agent.Wake.values().length);

        var question = ann.post("@Paga where is the lost umbrella of the ferryman?");
        ended(path.substring("/agents/".length()), question);
        var seen = signedIn(ann).get(path).body();
        assertThat(Jsoup.parse(seen).select("#runs a").eachAttr("href")).contains("/posts/" + question);
        assertThat(seen).contains("posts_search").doesNotContain("name=\"instructions\"");
        assertThat(Jsoup.parse(signedIn(bob).get(path).body()).select("#runs a"))
                .isEmpty();
        assertThat(signedIn(ann).get(path.replace("/agents/", "/users/")).body())
                .contains("href=\"" + path + "\"");
        assertThat(submit(signedIn(ann), path + "/delete", "").status()).isEqualTo(403);

        assertThat(submit(visitor, path, "nickname=Paga&model=librarian&turns=4&wake=reply")
                        .status())
                .isEqualTo(303);
        var changed = square.admin.api().get("/api/v1" + path).json();
        assertThat(changed.path("limits").path("turns").asInt()).isEqualTo(4);
        assertThat(changed.path("wake").toString()).isEqualTo("[\"reply\"]");
        assertThat(changed.path("enabled").asBoolean()).isFalse();
        assertThat(submit(visitor, path + "/delete", "").status()).isEqualTo(303);
        assertThat(visitor.get(path).status()).isEqualTo(404);
    }

    @Test
    void adminsPauseAllAgentsOrOneAndSetQuietHours() {
        var agent = agent("Pausa");
        var admin = signedIn(square.admin);
        assertThat(signedIn(ann).get("/admin/agents").status()).isEqualTo(403);
        assertThat(submit(admin, "/admin/agents/pause", "").status()).isEqualTo(303);
        var page = Jsoup.parse(admin.get("/admin/agents").body());
        assertThat(page.select("form[action=/admin/agents/resume]")).hasSize(1);
        var post = ann.post("@Pausa is anybody there?");
        await().until(() -> square.admin
                        .api()
                        .get(PATH + "/" + agent + "/availability")
                        .json()
                        .path("openRuns")
                        .asInt()
                == 1);
        assertThat(square.admin
                        .api()
                        .post("/api/v1/admin/agents/resume", "")
                        .json()
                        .path("paused")
                        .asBoolean())
                .isFalse();
        assertThat(answered(agent, post).path("replyTo").asString()).isEqualTo(post);
        var quiet = "from=22:00&until=07:00&timeZone=Asia/Tokyo";
        assertThat(submit(admin, "/admin/agents/" + agent + "/quiet-hours", quiet)
                        .status())
                .isEqualTo(303);
        var paused = square.admin.api().post(PATH + "/" + agent + "/pause", "{'endRuns': true}");
        assertThat(paused.json().toString())
                .contains("\"paused\":true", "\"until\":\"07:00\",\"timeZone\":\"Asia/Tokyo\"");
        assertThat(square.admin
                        .api()
                        .delete(PATH + "/" + agent + "/quiet-hours")
                        .outcome())
                .isEqualTo("200");
        assertThat(ann.api().post(PATH + "/" + agent + "/resume", "").outcome()).isEqualTo("403 agents.not-yours");
    }

    private ApiClient signedIn(Person person) {
        var session = square.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())));
        return square.anonymous().cookie(session.cookie()).with("Accept", "text/html");
    }

    private static ApiClient.Reply submit(ApiClient visitor, String path, String form) {
        return visitor.sendAs("application/x-www-form-urlencoded", "POST", path, form);
    }
}
