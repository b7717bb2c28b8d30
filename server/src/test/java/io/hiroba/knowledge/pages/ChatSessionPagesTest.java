package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The pages of chat sessions in a browser. */
class ChatSessionPagesTest extends KnowledgeBrowser {

    @Test
    void aSessionIsReadBackMadePublicAndArchived() {
        var ann = square.person("Ann");
        for (int i = 0; i < 60; i++) {
            say(ann, "thread:1", i % 2 == 0 ? "user" : "assistant", "This is **message** number " + i);
        }
        var page = at(ann, "/knowledge/sessions");
        page.getByText("thread:1").click();
        assertThat(page.locator(".bubble")).hasCount(50);
        assertThat(page.locator("#m59 strong").last()).hasText("message");
        page.getByText("Show older").click();
        assertThat(page.locator(".bubble")).hasCount(60);
        assertThat(page.getByText("Show older")).hasCount(0);

        press(page, "Archive now");
        assertThat(page.locator(".divider")).hasText("All messages are archived");
        say(ann, "thread:1", "user", "And one more thing <script>alert(1)</script>");
        page.reload();
        assertThat(page.locator(".divider")).hasText("Archived up to here");
        assertThat(page.locator("#m60")).containsText("<script>alert(1)</script>");

        press(page, "Make public");
        assertThat(page.locator(".heading-block")).containsText("Public");
        var reader = at(square.person("Rie"), "/knowledge/sessions/thread:1?owner=" + ann.id());
        assertThat(reader.locator("#m60")).isVisible();
        assertThat(reader.getByText("Delete")).hasCount(0);

        page.locator(".confirm summary").click();
        press(page, "Delete session");
        assertThat(page.locator("#sessions .empty")).isVisible();
    }

    @Test
    void theUrlOfAnOldMessageScrollsToIt() {
        for (int i = 0; i < 80; i++) {
            say(mio, "thread:2", "user", "Message number " + i);
        }
        var page = at(mio, "/knowledge/sessions/thread:2#m3");
        assertThat(page.locator("#m3")).isInViewport();
        page.getByText("Go to the newest").click();
        assertThat(page.locator("#m79")).isVisible();
    }

    @Test
    void othersSessionsArePrivate() {
        say(mio, "mention:7", "user", "This stays between us.");
        var eve = square.person("Eve");
        var path = "/knowledge/sessions/mention:7";
        assertThat(eve.api().get(path + "?owner=" + mio.id()).status()).isEqualTo(404);
        assertThat(eve.api().get("/knowledge/sessions?owner=" + mio.id()).body())
                .doesNotContain("mention:7");
        for (var action : new String[] {"archive", "visibility", "delete"}) {
            assertThat(send(eve, path + "/" + action + "?owner=" + mio.id(), "public=true")
                            .status())
                    .as(action)
                    .isEqualTo(404);
        }
        assertSent(send(mio, path + "/visibility?owner=" + mio.id(), "public=true"));
        for (var action : new String[] {"archive", "visibility", "delete"}) {
            assertThat(send(eve, path + "/" + action + "?owner=" + mio.id(), "public=")
                            .status())
                    .as(action)
                    .isEqualTo(403);
        }
        assertThat(eve.api().get(path + "?owner=" + mio.id()).body()).contains("This stays between us.");
    }
}
