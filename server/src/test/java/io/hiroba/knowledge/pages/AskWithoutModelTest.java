package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Questions without a chat model. */
class AskWithoutModelTest extends KnowledgeBrowser {

    @Test
    void onlySearchResultsAreShownAndLabelledAsSuch() {
        note(mio, "How to brew", TEA);
        var page = at(mio, "/knowledge");
        page.locator("#q").fill("Why is my tea bitter?");
        press(page, "Ask");
        assertThat(page.locator("#answer-kind")).hasText("Search results only");
        assertThat(page.locator("#answer-note")).containsText("No model is configured");
        assertThat(page.locator(".citations li").first()).containsText("How to brew");
        page.locator(".citations a.title").first().click();
        assertThat(page.locator("#panel .marked")).isVisible();

        var eve = square.person("Eve");
        var nothing = send(eve, "/knowledge/ask", "q=Why is my tea bitter?");
        assertThat(nothing.status()).isEqualTo(200);
        assertThat(nothing.body()).contains("Nothing that you can read").doesNotContain("How to brew");
    }
}
