package io.hiroba.social.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Finding posts in a browser. */
class SearchPagesTest extends SocialPagesTest {

    @Test
    void wordsAreFoundWhileTheyAreTypedAndMarked() {
        var author = square.person("Gardener");
        var id = author.post("Planting *tomatoes* before the last frost is a gamble.");
        author.post("Nothing about vegetables");
        var page = at(author, "/search");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> posts(go(page, "/search?q=tomato")).count() == 1);
        go(page, "/search");
        page.getByLabel("Words to look for").pressSequentially("tomato");
        assertThat(post(page, id).locator("mark")).hasText("tomatoes");
        assertThat(page).hasURL(square.server.url() + "/search?q=tomato");

        page.getByLabel("Words to look for").fill("unheard-of");
        assertThat(page.getByText("Nothing found")).isVisible();
    }

    @Test
    void aSearchThatAsksForNothingIsToldWhatToAsk() {
        browser.expecting(422);
        var page = at(square.person("Vague"), "/search?q=-this");
        assertThat(page.locator("#q-error")).containsText("Say what to look for");
        assertThat(page.getByLabel("Words to look for")).hasValue("-this");
    }

    @Test
    void whatIsFoundIsShownAsTextAndPagesGoOnWithoutScripts() {
        var author = square.person("Repeater");
        for (int i = 0; i < 21; i++) {
            author.post("<script>alert(1)</script> zebra number " + i);
        }
        var page = at(browser.openWithoutScripts(), author, "/search?q=zebra");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        go(page, "/search?q=zebra").locator("#items > .more").count() == 1);
        assertThat(posts(page)).hasCount(20);
        assertThat(posts(page).first()).containsText("<script>alert(1)</script>");
        page.locator("#items > .more a").click();
        assertThat(posts(page)).hasCount(1);
    }
}
