package io.hiroba.social.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.hiroba.platform.http.Json;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** One post: its conversation, and whatever people put into it. */
class PostPagesTest extends SocialPagesTest {

    @Test
    void aConversationIsShownAboveAndBelow() {
        var ann = square.person("Ann");
        var ben = square.person("Ben");
        var root = ann.post("The question");
        var first = ben.reply(root, "The answer");
        var second = ann.reply(first, "The doubt");
        var third = ben.reply(second, "The proof");
        var fourth = ann.reply(third, "The surprise");
        var page = at(ann, "/posts/" + root);
        assertThat(post(page, first)).isVisible();
        assertThat(post(page, third)).isVisible();
        assertThat(post(page, fourth)).hasCount(0);
        assertThat(page.locator(".replies .replies article")).hasAttribute("id", "post-" + third);

        page.getByText("Show more replies").click();
        assertThat(page.locator("article.expanded")).hasAttribute("id", "post-" + third);
        assertThat(page.locator(".ancestors article")).hasCount(3);
        assertThat(post(page, fourth)).isVisible();

        text(page).fill("The end");
        press(page, "Reply");
        // For a moment htmx lets what stays on the page look as it did: then there are two.
        assertThat(page.locator("article.expanded").last()).containsText("The end");
        assertThat(page.locator(".ancestors article").last()).hasAttribute("id", "post-" + third);
        assertThat(page.locator(".ancestors article")
                        .last()
                        .locator(".action .count")
                        .first())
                .hasText("2");
    }

    @Test
    void aReplyDeepInAConversationIsWhatAPhoneShows() {
        var ann = square.person("Deep");
        var last = ann.post("The beginning");
        var above = last;
        for (int i = 0; i < 9; i++) {
            above = last;
            last = ann.reply(above, "Answer " + i + "\n\n" + "word ".repeat(30));
        }
        var phone = at(browser.openPhone(), ann, "/posts/" + last);
        assertThat(phone.locator(".ancestors article")).hasCount(8);
        isShownFirst(phone, last);
        isShownFirst(go(phone, "/posts/" + above), above);
        post(phone, last).locator("a.time").click();
        isShownFirst(phone, last);
    }

    private static void isShownFirst(Page page, String post) {
        assertThat(page.locator("article.expanded#post-" + post)).isFocused();
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(post(page, post).boundingBox().y).isBetween(0.0, 200.0));
    }

    @Test
    void whatABlockHidesIsNotPromisedAboveOrBelow() {
        var ann = square.person("Ann");
        var pest = square.person("Pest");
        var hidden = pest.post("Hidden above");
        var root = ann.reply(hidden, "One");
        var second = ann.reply(root, "Two");
        var third = ann.reply(second, "Three");
        var fourth = ann.reply(third, "Four");
        pest.reply(fourth, "Hidden below");
        var reader = square.person("Reader");
        var before = html(reader, "/posts/" + root);
        assertThat(before.getElementsContainingOwnText("Show more replies")).hasSize(1);
        reader.block(pest);
        var after = html(reader, "/posts/" + root);
        assertThat(after.select("article#post-" + fourth)).hasSize(1);
        assertThat(after.getElementsContainingOwnText("Show more replies")).isEmpty();
        var reply = html(reader, "/posts/" + second);
        assertThat(reply.select(".ancestors article")).hasSize(1);
        assertThat(reply.getElementsContainingOwnText("Show earlier posts")).isEmpty();
    }

    @Test
    void aPostThatTakesNoRepliesAndNoLikesOffersNeither() {
        var id = square.person("Strict")
                .api()
                .post(
                        "/api/v1/posts",
                        Json.text(Map.of("content", "Read only", "allowLikes", false, "allowReplies", false)))
                .text("id");
        var page = html(square.person("Eager"), "/posts/" + id);
        assertThat(page.getElementsContainingOwnText("Replies to this post are turned off."))
                .hasSize(1);
        assertThat(page.select(".composer")).isEmpty();
        assertThat(page.select("#post-" + id + " .like button[disabled]")).hasSize(1);
    }

    @Test
    void hostileTextDoesNothing() {
        var mallory = square.person("\"><img src=x onerror=alert(1)>");
        var content = "<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)> ${7*7} @\"><b>";
        var id = mallory.api()
                .post("/api/v1/posts", Json.text(Map.of("content", content)))
                .text("id");
        var page = browser.open();
        browser.discard();
        page.onDialog(dialog -> {
            throw new AssertionError("a script of a user ran: " + dialog.message());
        });
        at(page, square.person("Victim"), "/posts/" + id);
        assertThat(post(page, id)).containsText("<script>alert(1)</script>");
        assertThat(page.locator("main script, main .prose img, main [onerror], main a[href^=javascript]"))
                .hasCount(0);
        text(page).pressSequentially("@\">");
        go(page, "/newest");
        assertThat(post(page, id).locator(".name")).hasText("\"><img src=x onerror=alert(1)>");
    }

    @Test
    void nothingThatIsPostedBreaksAPhone() {
        var author = square.person("W".repeat(50));
        var wide = author.post("| a | " + "b | ".repeat(20) + "\n|" + "---|".repeat(21) + "\n| "
                + "x".repeat(60) + " | y |\n\n```\n" + "code ".repeat(100) + "\n```\n\n" + "Z".repeat(500)
                + "\n\n1. " + "> ".repeat(10) + "deep");
        author.reply(author.reply(author.reply(wide, "q".repeat(200)), "r".repeat(200)), "s".repeat(200));
        var phone = at(browser.openPhone(), author, "/");
        for (var path : new String[] {
            "/",
            "/newest",
            "/posts/" + wide,
            "/posts/" + wide + "/edit",
            "/posts/" + wide + "/likers",
            "/users/" + author.id(),
            "/users/" + author.id() + "/followers"
        }) {
            go(phone, path);
            var overflow =
                    phone.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assertThat(((Number) overflow).intValue()).as(path).isLessThanOrEqualTo(0);
        }
    }

    @Test
    void deepNestingTakesNoRoom() {
        var author = square.person("Nester");
        var quotes = author.post("> ".repeat(200) + "deep");
        var lists = author.post("- ".repeat(60) + "deep");
        var phone = at(browser.openPhone(), author, "/users/" + author.id());
        for (var id : new String[] {quotes, lists}) {
            assertThat(post(phone, id).boundingBox().height).isLessThan(844);
        }
        var overflow = phone.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) overflow).intValue()).isLessThanOrEqualTo(0);
    }

    @Test
    void everythingWorksWithoutScripts() {
        var author = square.person("Plain author");
        var id = author.post("Plain");
        for (int i = 0; i < 20; i++) {
            author.post("Filler " + i);
        }
        var page = at(browser.openWithoutScripts(), square.person("Plain reader"), "/users/" + author.id());
        press(page, "Follow Plain author");
        assertThat(page.locator(".follow button")).hasText("Following Plain author");
        page.locator("#items > .more a").click();
        post(page, id).locator(".like button").click();
        assertThat(post(page, id).locator(".like button[aria-pressed=true]")).isVisible();
        post(page, id).locator("a.time").click();
        assertThat(page.locator("[data-upload]")).isHidden();
        text(page).fill("*Plainly*");
        press(page, "Preview");
        assertThat(page.locator("#content-preview em")).hasText("Plainly");
        press(page, "Reply");
        assertThat(page.locator("article.expanded em")).hasText("Plainly");
        assertThat(page.locator(".ancestors article")).hasAttribute("id", "post-" + id);
    }

    @Test
    void aPostThatIsNotThereIsSaidToBeNotFound() {
        browser.expecting(404);
        var page = at(square.person("Seeker"), "/posts/0000000000000001");
        assertThat(page.locator("h1")).hasText("Not found");
    }
}
