package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Questions where no model answers. */
class PassagesOnlyTest extends KnowledgeDesk {

    @Test
    void passagesAreSaidToBePassages() {
        note(mio, "How to brew", TEA);
        var page = at(mio, "/knowledge");
        page.locator("#q").fill("Why is my tea bitter?");
        press(page, "Ask");
        assertThat(page.locator("#answer-kind")).hasText("Passages only");
        assertThat(page.locator("#answer-note")).containsText("No model is configured");
        assertThat(page.locator(".citations li").first()).containsText("How to brew");
        page.locator(".citations a.title").first().click();
        assertThat(page.locator("#panel .marked")).isVisible();

        var eve = square.person("Eve");
        var nothing = send(eve, "/knowledge/ask", "q=Why is my tea bitter?");
        assertThat(nothing.status()).isEqualTo(200);
        assertThat(nothing.body()).contains("No passage that you may read").doesNotContain("How to brew");
    }
}
