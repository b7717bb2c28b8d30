package io.hiroba.agents;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A mention that is answered live on the page of its thread, stopped there, and rated. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveRunPagesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    private final Browser browser = new Browser();

    private final WritingModel model = new WritingModel();
    private final Square square =
            new Square("--knowledge.chat.base-url=" + model.url("one"), "--knowledge.chat.model=writer");
    private final Person ann = square.person("Ann");
    private final Person bob = square.person("Bob");

    private final String kiki;

    LiveRunPagesTest() {
        square.admin.api().put("/api/v1/ai-models/writer", "{'inputCost': 1, 'outputCost': 1}");
        kiki = square.admin
                .api()
                .post("/api/v1/agents", Json.text(Map.of("nickname", "Kiki", "model", "writer")))
                .text("id");
    }

    @AfterAll
    void close() {
        square.close();
        model.close();
    }

    private String asked() {
        int before = model.calls();
        var post = ann.post("@Kiki when does the museum open?");
        await().atMost(PATIENCE).until(() -> model.calls() > before);
        return post;
    }

    private static Locator writing(Page page) {
        return page.locator("#items [data-writing]");
    }

    @Test
    void aMentionIsAnsweredLiveAndTheReplyTakesThePlaceOfTheWriting() {
        var post = asked();
        var page = square.visit(browser.open(), bob, "/posts/" + post);
        assertThat(writing(page)).containsText("Kiki is writing…");
        model.writes("It opens ");
        assertThat(writing(page).locator(".prose")).hasText("It opens");
        model.writes("at **nine**.");
        assertThat(writing(page).locator(".prose strong")).hasText("nine");
        assertThat(writing(page).locator("[data-stop-run]")).hasCount(0);
        double top = writing(page).boundingBox().y;
        model.ends();
        var reply = page.locator("#items .post[id^=post-]");
        assertThat(reply.locator(".prose")).hasText("It opens at nine.");
        assertThat(writing(page)).hasCount(0);
        Assertions.assertThat(reply.boundingBox().y).isEqualTo(top);
        page.reload();
        assertThat(reply).hasCount(1);
    }

    @Test
    void whoeverAnAgentIsNotForIsToldSoAtTheirPost() {
        square.admin
                .api()
                .post(
                        "/api/v1/agents",
                        Json.text(Map.of("nickname", "Choosy", "model", "librarian", "callers", List.of(ann.id()))));
        var post = bob.post("@Choosy when does the museum open?");
        var notice = "Choosy does not answer you: it is for other people.";
        var page = square.visit(browser.open(), bob, "/posts/" + post);
        assertThat(page.locator(".run-notice")).hasText(notice);
        page.reload();
        assertThat(page.locator(".run-notice")).hasText(notice);
        assertThat(square.visit(browser.open(), ann, "/posts/" + post).locator(".run-notice"))
                .hasCount(0);
    }

    @Test
    void aReplyToAReplyIsWrittenBelowItAndWhoeverAskedStopsIt() {
        var root = bob.post("What shall we do on Sunday?");
        int before = model.calls();
        var asking = ann.reply(root, "@Kiki is the museum open then?");
        await().atMost(PATIENCE).until(() -> model.calls() > before);
        var page = square.visit(browser.open(), ann, "/posts/" + root);
        var bobs = square.visit(browser.openPhone(), bob, "/posts/" + root);
        model.writes("It will never ");
        assertThat(page.locator("li:has(> #post-" + asking + ") > .replies [data-writing] .prose"))
                .hasText("It will never");
        assertThat(writing(bobs).locator(".prose")).hasText("It will never");
        page.locator("[data-stop-run]").click();
        assertThat(page.locator(".run-notice")).hasText("Kiki was stopped by Ann.");
        assertThat(bobs.locator(".run-notice")).hasText("Kiki was stopped by Ann.");
        assertThat(writing(page)).hasCount(0);
        await().atMost(PATIENCE).until(() -> !model.gone.isEmpty());
        page.navigate(square.server.url() + "/posts/" + asking);
        assertThat(page.locator(".run-notice")).hasText("Kiki was stopped by Ann.");
    }

    @Test
    void aMessageIsAnsweredLiveInItsThreadStoppedThereAndTheAnswerIsRated() {
        var thread = ann.api()
                .post("/api/v1/messages/threads", Json.text(Map.of("members", List.of(kiki))))
                .text("id");
        int before = model.calls();
        var page = square.visit(browser.open(), ann, "/messages/" + thread);
        page.locator("#content").fill("When does it open?");
        page.locator("form[data-message] button[type=submit]").click();
        await().atMost(PATIENCE).until(() -> model.calls() > before);
        model.writes("It opens ");
        var writing = page.locator("#messages [data-writing]");
        assertThat(writing.locator(".prose")).hasText("It opens");
        model.writes("at **nine**.");
        assertThat(writing.locator(".prose strong")).hasText("nine");
        model.ends();
        var answer = page.locator("#messages .message:not(.own)");
        assertThat(answer.locator(".prose")).hasText("It opens at nine.");
        assertThat(writing).hasCount(0);
        answer.locator(".reply-feedback button[value=up]").click();
        assertThat(page.locator("#messages .reply-feedback")).containsText("1 person found this helpful");
        Assertions.assertThat(page.url()).contains("/messages/" + thread);

        int calls = model.calls();
        page.locator("#content").fill("And on Sundays?");
        page.locator("form[data-message] button[type=submit]").click();
        await().atMost(PATIENCE).until(() -> model.calls() > calls);
        model.writes("It will never ");
        assertThat(writing.locator(".prose")).hasText("It will never");
        refusedToOthers(thread);
        page.locator("[data-stop-run]").click();
        assertThat(page.locator(".run-notice")).hasText("Kiki was stopped by Ann.");
        assertThat(writing).hasCount(0);
        page.reload();
        assertThat(page.locator(".run-notice")).hasText("Kiki was stopped by Ann.");
    }

    /** Whoever is not in a thread, an admin too, reads nothing of what is written there. */
    private void refusedToOthers(String thread) {
        var messages = ann.api()
                .get("/api/v1/messages/threads/" + thread + "/messages")
                .json()
                .path("items");
        var asked = messages.get(0).path("id").asString();
        var answer = messages.get(1).path("id").asString();
        var run = ann.api()
                .get("/api/v1/agents/" + kiki + "/runs")
                .json()
                .at("/items/0/id")
                .asString();
        for (var other : List.of(bob, square.admin)) {
            Assertions.assertThat(other.api()
                            .get("/agents/" + kiki + "/runs/" + run + "/live")
                            .status())
                    .isEqualTo(404);
            Assertions.assertThat(other.api()
                            .get("/api/v1/agents/" + kiki + "/runs/" + run + "/stream")
                            .outcome())
                    .isEqualTo("404 agents.run-not-found");
            Assertions.assertThat(other.api()
                            .put("/api/v1/posts/" + answer + "/feedback", "{'value': 'up'}")
                            .outcome())
                    .isEqualTo("404 agents.reply-not-found");
        }
        try (var others = bob.api().stream("/api/v1/stream?runs=" + asked);
                var own = ann.api().stream("/api/v1/stream?runs=" + asked)) {
            own.await("run");
            Assertions.assertThat(others.messages("run")).isEmpty();
        }
    }

    @Test
    void aReplyIsRatedWithAComment() {
        var post = asked();
        var page = square.visit(browser.open(), ann, "/posts/" + post);
        model.writes("At nine.");
        model.ends();
        page.locator("#items .post .time").click();
        var rating = page.locator(".reply-feedback");
        rating.locator("button[value=up]").click();
        assertThat(rating).containsText("1 person found this helpful, 0 people did not.");
        assertThat(rating.locator("button[value=up]")).hasAttribute("aria-pressed", "true");
        rating.locator("textarea").fill("Just right");
        rating.locator("button", new Locator.LocatorOptions().setHasText("Send comment"))
                .click();
        assertThat(rating.locator(".thumbs input[name=comment]")).hasValue("Just right");
        rating.locator("button[value=down]").click();
        assertThat(rating).containsText("0 people found this helpful, 1 person did not.");
        assertThat(rating.locator("textarea")).hasValue("Just right");
        rating.locator("button", new Locator.LocatorOptions().setHasText("Remove my feedback"))
                .click();
        assertThat(rating).not().containsText("helpful, ");
    }
}
