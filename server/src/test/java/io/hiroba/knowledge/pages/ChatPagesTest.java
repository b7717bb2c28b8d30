package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Conversations in a browser, answered by a scripted model. */
class ChatPagesTest extends KnowledgeBrowser {

    @Override
    String[] flags() {
        return new String[] {"--knowledge.chat.base-url=" + models.url()};
    }

    private static Locator last(Page page) {
        return page.locator(".exchange").last();
    }

    private void says(String... pieces) {
        models.says.addAll(List.of(pieces));
        models.says.add(FakeModelService.END);
    }

    @Test
    void answersAreStreamedCiteTheirChunksAndFollowEachOther() {
        var ann = square.person("Ann");
        note(ann, "How to brew", TEA);
        var page = at(ann, "/knowledge");
        page.locator("#q").fill("How hot should the water for green tea be?");
        press(page, "Ask");
        assertThat(page).hasURL(Pattern.compile("/knowledge/chat/[0-9A-F]{16}$"));
        assertThat(page.locator("h1")).hasText("How hot should the water for green tea be?");
        assertThat(page.locator(".thinking")).isVisible();
        assertThat(page.locator(".citations li").first()).isVisible();
        models.says.add("Use water of **70 degrees** [1].\n\n");
        assertThat(page.locator(".answer-text strong")).hasText("70 degrees");
        assertThat(page.locator(".answer .tag")).hasText("Answering");
        says("Not <img src=x onerror=alert(1)> [9].");
        assertThat(page.locator(".answer .tag")).hasText("AI answer");
        assertThat(page.locator(".answer-text")).containsText("<img src=x onerror=alert(1)>.");
        assertThat(page.locator("[data-stop]")).isHidden();
        assertThat(page.locator(".citations li")).hasCount(1);

        page.locator(".answer-text a").click();
        assertThat(page.locator("#panel .marked")).isVisible();
        page.keyboard().press("Escape");

        says("Where should the leaves of green tea be kept?");
        says("Dark and dry [1].");
        page.locator("#question").fill("And where");
        page.locator("#question").press("Shift+Enter");
        page.keyboard().type("are they kept?");
        page.locator("#question").press("Enter");
        assertThat(last(page).locator("h2.question")).hasText(Pattern.compile("And where\nare they kept\\?"));
        assertThat(last(page).locator(".answer-text")).containsText("Dark and dry");
        assertThat(last(page).locator(".answer .tag")).hasText("AI answer");
        assertThat(page.locator("#question")).hasValue("");
        page.reload();
        assertThat(page.locator(".exchange")).hasCount(2);
        assertThat(last(page).locator(".answer-text a")).hasText("[1]");
    }

    @Test
    void anAnswerIsStoppedAndGeneratedAnew() {
        note(mio, "Stopping", "A clock can be stopped.");
        var page = at(mio, "/knowledge/chat");
        page.locator("#question").fill("Can a clock be stopped?");
        page.locator("#question").press("Enter");
        models.says.add("Yes, ");
        assertThat(page.locator(".answer-text")).containsText("Yes");
        press(page, "Stop");
        models.says.add("it ");
        assertThat(page.locator(".answer .tag")).hasText("Stopped");
        assertThat(page.locator(".answer-text")).containsText("Yes");
        models.says.clear();
        models.says.add(FakeModelService.END);
        page.reload();
        assertThat(page.locator(".answer .tag")).hasText("Stopped");
        models.says.clear();
        press(page, "Regenerate");
        says("Indeed [1].");
        assertThat(page.locator(".answer-text")).hasText("Indeed [1].");
        assertThat(page.locator(".exchange")).hasCount(1);
    }

    @Test
    void theListIsSearchedWhileOneTypes() {
        var ann = square.person("Ann");
        for (var question : List.of("Where do the puffins nest?", "How deep is the lake?")) {
            assertThat(ann.api()
                            .sendAs(
                                    "application/x-www-form-urlencoded",
                                    "POST",
                                    "/knowledge/chat",
                                    "q=" + question.replace(" ", "+"))
                            .status())
                    .isLessThan(400);
        }
        var page = at(ann, "/knowledge/chat");
        assertThat(page.locator("#conversations li")).hasCount(2);
        page.locator("#find").fill("puffin");
        assertThat(page.locator("#conversations li")).hasCount(1);
        assertThat(page.locator("#conversations mark")).hasText("puffin");
        assertThat(page).hasURL(Pattern.compile("q=puffin"));
        page.locator("#find").fill("penguin");
        assertThat(page.locator("#conversations .empty")).containsText("No conversation has “penguin”");
    }

    @Test
    void aConversationIsSharedExportedRenamedAndDeleted() {
        var ann = square.person("Ann");
        note(ann, "Secret recipe", "The soup needs three cloves of garlic.");
        says("Three cloves [1].");
        var page = square.visit(browser.openWithoutScripts(), ann, "/knowledge/chat");
        page.locator("#question").fill("How much garlic does the soup need?");
        press(page, "Ask");
        press(page, "Get the answer");
        assertThat(page.locator(".answer-text")).hasText("Three cloves [1].");
        var path =
                page.url().replaceFirst("#.*", "").substring(square.server.url().length());

        var eve = square.person("Eve");
        assertThat(eve.api().get(path).status()).isEqualTo(404);
        press(page, "Share");
        assertThat(page.locator("#shared")).isVisible();
        var shared = at(eve, path);
        assertThat(shared.locator(".answer-text")).hasText("Three cloves [1].");
        assertThat(shared.locator(".hidden-passage")).containsText("You cannot read this passage");
        assertThat(shared.locator("body")).not().containsText("Secret recipe");
        assertThat(shared.locator("#question")).hasCount(0);
        assertThat(send(eve, path + "/delete").status()).isEqualTo(404);
        assertThat(send(eve, path + "/share", "shared=").status()).isEqualTo(403);
        assertThat(eve.api().get(path + "/export").body())
                .contains("Three cloves")
                .doesNotContain("Secret recipe");
        assertThat(ann.api().get(path + "/export").body())
                .contains("## How much garlic does the soup need?", "Three cloves [1].", "- [1] Secret recipe");
        press(page, "Stop sharing");
        assertThat(eve.api().get(path).status()).isEqualTo(404);

        assertSent(send(ann, path + "/rename", "title=Soup"));
        assertThat(send(ann, path + "/rename", "title= ").status()).isEqualTo(422);
        page = at(ann, "/knowledge/chat");
        page.setViewportSize(360, 740);
        assertFits(page);
        page.getByText("Soup").click();
        assertThat(page.locator("h1")).hasText("Soup");
        assertFits(page);
        page.locator(".confirm summary").last().click();
        press(page, "Delete conversation");
        assertThat(page.locator("#conversations .empty")).isVisible();
        assertThat(ann.api().get(path).status()).isEqualTo(404);
    }
}
