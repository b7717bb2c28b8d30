package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Questions in a browser, answered by a scripted model. */
class AskPagesTest extends KnowledgeBrowser {

    @Override
    String[] flags() {
        return new String[] {"--knowledge.chat.base-url=" + models.url()};
    }

    private static void ask(Page page, String question) {
        page.locator("#q").fill(question);
        press(page, "Ask");
    }

    @Test
    void anAnswerIsStreamedAndItsCitationsOpenTheChunk() {
        var ann = square.person("Ann");
        note(ann, "How to brew", TEA);
        var page = at(ann, "/knowledge");
        ask(page, "How hot should the water be?");
        assertThat(page.locator("#answer-heading")).hasText("How hot should the water be?");
        assertThat(page.locator(".thinking")).isVisible();
        assertThat(page.locator(".citations li").first()).isVisible();
        models.says.add("Use water of **70 degrees** [1].\n\n");
        assertThat(page.locator("#answer-text strong")).hasText("70 degrees");
        assertThat(page.locator("#answer-kind")).hasText("Answering");
        assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Stop")))
                .isVisible();
        models.says.addAll(List.of("Not <img src=x onerror=alert(1)> [9].", FakeModelService.END));
        assertThat(page.locator("#answer-kind")).hasText("AI answer");
        assertThat(page.locator("#answer-text")).containsText("<img src=x onerror=alert(1)>.");
        assertThat(page.locator(".cited h3")).hasText("Sources");
        assertThat(page.locator("[data-stop]")).hasCount(0);
        assertThat(page.locator(".citations li")).hasCount(1);
        assertThat(page).hasURL(Pattern.compile("\\?way=ask&q=How"));

        page.locator("#answer-text a").click();
        assertThat(page.locator("#panel .marked")).isVisible();
        page.locator("#panel").getByText("Open source").click();
        assertThat(page.locator(".passages .marked")).isVisible();
    }

    @Test
    void anAnswerIsStopped() {
        note(mio, "Stopping", "A clock can be stopped.");
        var page = at(mio, "/knowledge");
        ask(page, "Can a clock be stopped?");
        models.says.add("Yes, ");
        assertThat(page.locator("#answer-text")).containsText("Yes");
        press(page, "Stop");
        assertThat(page.locator("#answer-kind")).hasText("Stopped");
        assertThat(page.locator("#answer-text")).containsText("Yes");
        models.says.add(FakeModelService.END);
    }

    @Test
    void withoutScriptsTheCompleteAnswerIsShown() {
        note(mio, "Kettles", "A kettle boils in three minutes.");
        models.says.addAll(List.of("In three ", "minutes [1].", FakeModelService.END));
        var page = square.visit(browser.openWithoutScripts(), mio, "/knowledge");
        ask(page, "How long does a kettle take?");
        assertThat(page.locator("#answer-text")).hasText("In three minutes [1].");
        page.locator("#answer-text a").click();
        assertThat(page.locator(".passages .marked")).isVisible();
    }

    @Test
    void aUrlAloneAsksNoQuestion() {
        var page = at(mio, "/knowledge?way=ask&q=What+is+tea");
        assertThat(page.locator("#q")).hasValue("What is tea");
        assertThat(page.locator("#answer")).hasCount(0);
        assertThat(page.locator(".empty")).containsText("Press Ask");
        assertThat(send(mio, "/knowledge/ask", "q= ").status()).isEqualTo(422);
    }
}
