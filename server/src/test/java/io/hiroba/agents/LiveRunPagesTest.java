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

    LiveRunPagesTest() {
        square.admin.api().put("/api/v1/ai-models/writer", "{'inputCost': 1, 'outputCost': 1}");
        square.admin.api().post("/api/v1/agents", Json.text(Map.of("nickname", "Kiki", "model", "writer")));
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
