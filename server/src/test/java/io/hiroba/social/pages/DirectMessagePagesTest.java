package io.hiroba.social.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Private threads in the browser: written, answered live, read, and counted in the navigation. */
class DirectMessagePagesTest extends SocialPagesTest {

    private static final String BADGE = ".nav [data-badge='/messages'] .badge";

    private static String thread(Person caller, Person other, String text) {
        return caller.api()
                .post("/api/v1/messages/threads", Json.text(Map.of("members", List.of(other.id()), "content", text)))
                .text("id");
    }

    @Test
    void twoWriteToEachOtherLive() {
        var ann = square.person("Ann of letters");
        var bob = square.person("Bob of letters");
        var hers = at(ann, "/users/" + bob.id());
        hers.getByLabel("Write a message to Bob of letters").click();
        hers.locator("#content").fill("Are you **there**?");
        press(hers, "Send");
        assertThat(hers.locator("h1")).hasText("Bob of letters");
        assertThat(hers.locator(".message.own strong")).hasText("there");

        var his = at(bob, "/messages");
        assertThat(his.locator(BADGE)).hasText("1");
        his.getByText("Are you there?").click();
        assertThat(his.locator("h1")).hasText("Ann of letters");
        assertThat(hers.locator(".seen")).hasText("Read by Bob of letters");
        assertThat(his.locator(BADGE)).hasText("");
        his.locator("#content").fill("I am.");
        press(his, "Send");
        assertThat(his.locator(".message.own")).containsText("I am.");
        assertThat(hers.locator(".message:not(.own)")).containsText("I am.");
        assertThat(hers.locator(".message")).hasCount(2);
        assertThat(his.locator(".seen")).hasText("Read by Ann of letters");
        assertThat(hers.locator(BADGE)).hasText("");
    }

    @Test
    void theCountOfUnreadThreadsIsLiveOnEveryPage() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var his = at(bob, "/newest");
        assertThat(his.locator(BADGE)).hasText("");
        var thread = thread(ann, bob, "One");
        thread(ann, bob, "Two");
        assertThat(his.locator(BADGE)).hasText("1");
        bob.api().post("/api/v1/messages/threads/" + thread + "/read", "{'until':2}");
        assertThat(his.locator(BADGE)).hasText("");
    }

    @Test
    void whatIsWrongIsSaidWhereItIs() {
        browser.expecting(422);
        var page = at(square.person("Ann"), "/messages/new");
        page.locator("#names").fill("Nobody At All");
        page.locator("#content").fill("Hello");
        press(page, "Send");
        assertThat(page.locator("#names-error")).containsText("Nobody At All");
        assertThat(page.locator("#content")).hasValue("Hello");
    }

    @Test
    void aMessageIsDeletedAndEarlierOnesAreShown() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var thread = thread(ann, bob, "Number 1");
        for (int i = 2; i <= 35; i++) {
            ann.api().post("/api/v1/messages/threads/" + thread + "/messages", "{'content':'Number " + i + "'}");
        }
        var document = html(bob, "/messages/" + thread);
        assertThat(document.select(".message")).hasSize(30);
        assertThat(html(bob, document.select(".earlier a").attr("href")).select(".message"))
                .hasSize(5);
        var page = at(ann, "/messages/" + thread);
        page.onceDialog(dialog -> dialog.accept());
        page.locator(".message").last().locator(".message-delete button").click();
        assertThat(page.locator("body")).containsText("Message deleted.");
        assertThat(page.locator(".message").last()).containsText("Number 34");
        browser.discard();
    }
}
