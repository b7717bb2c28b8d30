package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Conversations in a browser. */
class SessionPagesTest extends KnowledgeDesk {

    @Test
    void aConversationIsReadBackSharedAndMadeKnowledge() {
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

        press(page, "Make it knowledge now");
        assertThat(page.locator(".divider")).hasText("All of it is knowledge");
        say(ann, "thread:1", "user", "And one more thing <script>alert(1)</script>");
        page.reload();
        assertThat(page.locator(".divider")).hasText("Up to here it is knowledge");
        assertThat(page.locator("#m60")).containsText("<script>alert(1)</script>");

        press(page, "Share it");
        assertThat(page.locator(".heading-block")).containsText("Everybody here may read it");
        var reader = at(square.person("Rie"), "/knowledge/sessions/thread:1?owner=" + ann.id());
        assertThat(reader.locator("#m60")).isVisible();
        assertThat(reader.getByText("Delete")).hasCount(0);

        page.locator(".confirm summary").click();
        press(page, "Yes, delete it");
        assertThat(page.locator("#sessions .empty")).isVisible();
    }

    @Test
    void anAddressOfAnOldMessageLeadsToIt() {
        for (int i = 0; i < 80; i++) {
            say(mio, "thread:2", "user", "Message number " + i);
        }
        var page = at(mio, "/knowledge/sessions/thread:2#m3");
        assertThat(page.locator("#m3")).isInViewport();
        page.getByText("Go to the newest").click();
        assertThat(page.locator("#m79")).isVisible();
    }

    @Test
    void othersConversationsAreNoneOfMine() {
        say(mio, "mention:7", "user", "This stays between us.");
        var eve = square.person("Eve");
        var path = "/knowledge/sessions/mention:7";
        assertThat(eve.api().get(path + "?owner=" + mio.id()).status()).isEqualTo(404);
        assertThat(eve.api().get("/knowledge/sessions?owner=" + mio.id()).body())
                .doesNotContain("mention:7");
        for (var act : new String[] {"archive", "visibility", "delete"}) {
            assertThat(send(eve, path + "/" + act + "?owner=" + mio.id(), "public=true")
                            .status())
                    .as(act)
                    .isEqualTo(404);
        }
        assertSent(send(mio, path + "/visibility?owner=" + mio.id(), "public=true"));
        for (var act : new String[] {"archive", "visibility", "delete"}) {
            assertThat(send(eve, path + "/" + act + "?owner=" + mio.id(), "public=")
                            .status())
                    .as(act)
                    .isEqualTo(403);
        }
        assertThat(eve.api().get(path + "?owner=" + mio.id()).body()).contains("This stays between us.");
    }
}
