package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Questions without a chat model. */
class AskWithoutModelTest extends KnowledgeBrowser {

    @Test
    void sentencesOfTheSourcesAnswerAndAreLabelledAsSuch() {
        note(mio, "How to brew", TEA);
        var page = at(mio, "/knowledge");
        page.locator("#q").fill("Why is my tea bitter?");
        press(page, "Ask");
        assertThat(page.locator(".answer .tag")).hasText("Quoted from the sources");
        assertThat(page.locator(".answer .alert")).containsText("No model is configured");
        assertThat(page.locator(".answer-text")).containsText("Water that boils makes it bitter. [1]");
        assertThat(page.locator(".citations li").first()).containsText("How to brew");
        page.locator(".citations a.title").first().click();
        assertThat(page.locator("#panel .marked")).isVisible();

        var eve = at(square.person("Eve"), "/knowledge/chat");
        eve.locator("#question").fill("Why is my tea bitter?");
        eve.locator("#question").press("Enter");
        assertThat(eve.locator(".answer-text")).containsText("I did not find that");
        assertThat(eve.locator(".answer .tag")).hasText("Not found");
        assertThat(eve.locator(".cited")).hasCount(0);
    }
}
