package io.hiroba.social.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The one search in a browser, with posts in a tab of their own. */
class PostSearchPagesTest extends SocialPagesTest {

    @Test
    void wordsAreFoundWhileTheyAreTypedAndMarked() {
        var author = square.person("Gardener");
        var id = author.post("Planting *tomatoes* before the last frost is a gamble.");
        author.post("Nothing about vegetables");
        var page = at(author, "/search?tab=posts");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> posts(go(page, "/search?tab=posts&q=tomato")).count() == 1);
        go(page, "/search?tab=posts");
        var visited = page.evaluate("history.length");
        page.getByLabel("Search words").pressSequentially("tomato ");
        assertThat(post(page, id).locator("mark")).hasText("tomatoes");
        assertThat(page).hasURL(Pattern.compile(".*/search\\?q=tomato(%20|\\+)&tab=posts"));
        assertThat(page.evaluate("history.length")).isEqualTo(visited);
        assertThat(page.locator("#found-status")).hasText("1 result");

        page.getByLabel("Search words").fill("unheard-of");
        assertThat(page.locator("#found").getByText("No results")).isVisible();
        assertThat(page.locator("#found-status")).hasText("No results");
    }

    @Test
    void theTabsStayOnOneLine() {
        var page = at(square.admin, "/search");
        page.setViewportSize(1280, 800);
        var lines = "new Set([...document.querySelectorAll('#found > .tabs a')].map((tab) => tab.offsetTop)).size";
        assertThat(page.evaluate(lines)).isEqualTo(1);
        var overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assertThat(((Number) page.evaluate(overflow)).intValue()).isLessThanOrEqualTo(0);
    }

    @Test
    void anEmptySearchShowsWhatToEnter() {
        browser.expecting(422);
        var page = at(square.person("Vague"), "/search?tab=posts&q=-this");
        assertThat(page.locator("#q-error")).containsText("Enter something to search for");
        var words = page.getByLabel("Search words");
        assertThat(words).hasValue("-this");
        assertThat(words).hasAttribute("aria-invalid", "true");
        words.fill("unheard-of -this");
        assertThat(page.locator("#found-status")).hasText("No results");
        assertThat(words).not().hasAttribute("aria-invalid", "true");
        words.fill("-this");
        assertThat(words).hasAttribute("aria-invalid", "true");
        assertThat(words).hasAttribute("aria-describedby", "q-error");
    }

    @Test
    void whatIsFoundIsShownAsTextAndPagesGoOnWithoutScripts() {
        var author = square.person("Repeater");
        for (int i = 0; i < 21; i++) {
            author.post("<script>alert(1)</script> zebra number " + i);
        }
        var page = at(browser.openWithoutScripts(), author, "/search?tab=posts&q=zebra");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> go(page, "/search?tab=posts&q=zebra")
                                .locator("#items > .more")
                                .count()
                        == 1);
        assertThat(posts(page)).hasCount(20);
        assertThat(posts(page).first()).containsText("<script>alert(1)</script>");
        page.locator("#items > .more a").click();
        assertThat(posts(page)).hasCount(1);
    }

    @Test
    void everythingIsFoundInOneBoxByKeysAndWhatWasSearchedIsKeptHere() {
        var author = square.person("Quokkafriend");
        author.post("A quokka smiles");
        author.api()
                .post("/api/v1/knowledge/sessions/thread:5/messages", "{'role': 'user', 'content': 'Quokkas eat?'}");
        var page = at(author, "/newest");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> go(page, "/search?q=quok").locator(".group").count() == 3);
        go(page, "/newest");
        page.keyboard().press("/");
        var box = page.getByLabel("Search words");
        assertThat(box).isFocused();
        page.keyboard().type("quok");
        assertThat(page.locator(".group h2")).hasText(new String[] {"Posts", "People", "Conversations"});
        assertThat(page.locator("#found-status")).hasText("3 results");
        assertThat(page.locator(".group").first().locator("mark")).hasText("quokka");
        assertThat(page).hasTitle("quok · Search · Hiroba");
        page.keyboard().type("ka");
        page.keyboard().press("Enter");
        assertThat(page).hasTitle("quokka · Search · Hiroba");
        assertThat(box).isFocused();
        page.keyboard().press("Backspace");
        page.keyboard().press("Backspace");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile(".*/search\\?q=quok"));
        assertThat(page).hasTitle("quok · Search · Hiroba");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("ArrowDown");
        assertThat(page.locator("[data-result]").nth(1)).isFocused();
        page.keyboard().press("Escape");
        assertThat(box).isFocused();
        page.keyboard().press("ArrowDown");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile(".*/users/" + author.id()));

        page.keyboard().press("/");
        assertThat(page.locator("#recent a")).hasText(new String[] {"quok", "quokka"});
        page.locator("#recent a").first().click();
        assertThat(page).hasURL(Pattern.compile(".*/search\\?q=quok"));
        page.locator("#found .tabs").getByText("People").click();
        assertThat(page.locator(".group h2")).hasText(new String[] {"People"});
        box.press("Escape");
        assertThat(box).hasValue("");
        page.locator("[data-recent-remove]").first().click();
        page.locator("[data-recent-remove]").click();
        assertThat(page.locator("#recent")).isHidden();
        assertThat(page.evaluate("localStorage.length")).isEqualTo(0);
    }
}
