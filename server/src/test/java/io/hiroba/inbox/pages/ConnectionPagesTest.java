package io.hiroba.inbox.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;

/** The GitLabs that fill inboxes, in the browser of an admin. */
class ConnectionPagesTest extends InboxDesk {

    private record Hook(String path, String secret, String id) {}

    private Hook connect(Page page, String name) {
        go(page, "/inbox/connections");
        page.locator("#name").fill(name);
        press(page, "Connect");
        var url = page.locator("#hook-url").inputValue();
        return new Hook(
                url.substring(url.indexOf("/hooks/")),
                page.locator("#hook-secret").inputValue(),
                url.substring(url.lastIndexOf('/') + 1));
    }

    private int call(Hook hook, String secret, String event, String body) {
        return square.anonymous()
                .with("X-Gitlab-Token", secret)
                .with("X-Gitlab-Event", event)
                .post(hook.path(), body)
                .status();
    }

    @Test
    void aConnectionIsMadeWithAllThatGitlabWantsToKnow() {
        var page = at(square.admin, "/inbox/connections");
        assertThat(page.locator("#connections")).containsText("No connections yet");
        var hook = connect(page, "Ours <b>");
        assertThat(page.locator("h1")).hasText("Connect Ours <b>");
        assertThat(page.locator("#unreachable")).containsText("GitLab cannot reach this address");
        assertThat(page.locator("#unreachable")).containsText("--http.public-url");
        assertThat(page.locator(".triggers")).containsText("Merge request events");
        assertThat(page.locator("#hook-all").inputValue()).contains(hook.secret(), hook.path());
        assertThat(page.locator("#hook-curl").inputValue())
                .startsWith("curl ")
                .contains(hook.secret(), hook.path(), "pipeline_events=true");

        // It is shown this once.
        go(page, "/inbox/connections/" + hook.id());
        assertThat(page.content()).doesNotContain(hook.secret());
        assertThat(page.locator("#unreachable")).containsText("GitLab cannot reach this address");
        assertThat(call(hook, hook.secret(), "Unknown Hook", "{\"object_kind\":\"whatever\"}"))
                .isBetween(200, 299);
        page.locator("summary")
                .filter(new Locator.FilterOptions().setHasText("New secret"))
                .click();
        press(page, "Create new secret");
        assertThat(page.locator("#hook-secret")).not().hasValue(hook.secret());
        assertThat(call(hook, hook.secret(), "Unknown Hook", "{\"object_kind\":\"again\"}"))
                .isEqualTo(401);

        // A name that somebody says to have there waits, and says who and where.
        var settings = at(square.person("Nia"), "/inbox/settings");
        settings.locator("#username").fill("nia.there");
        press(settings, "Link");
        assertThat(settings.locator("#names")).containsText("Pending confirmation");
        go(page, "/inbox/connections");
        assertThat(page.locator("#claims li")).containsText("@nia.there");
        assertThat(page.locator("#claims li a")).hasText("Nia");
        press(page.locator("#claims"), "Confirm @nia.there");
        assertThat(page.locator("#claims")).hasCount(0);
    }

    @Test
    void whatCameIsInTheLogWithWhatBecameOfIt() {
        var page = at(square.admin, "/inbox/connections");
        var hook = connect(page, "Logged");
        call(
                hook,
                hook.secret(),
                "Strange Hook",
                "{\"object_kind\":\"strange\",\"text\":\"<script>alert(1)</script>\"}");
        go(page, "/inbox/connections/" + hook.id());
        assertThat(page.locator("#deliveries li")).hasCount(1);
        page.waitForCondition(() -> {
            page.reload();
            return page.locator("#deliveries .status.ignored").count() == 1;
        });
        page.locator("#d-state").selectOption("failed");
        press(page, "Show");
        assertThat(page.locator("#deliveries")).containsText("No deliveries");
        page.locator("#d-state").selectOption("");
        page.locator("#d-event").selectOption("strange");
        press(page, "Show");
        page.locator("#deliveries li a").click();
        assertThat(page.locator(".payload")).containsText("\"text\" : \"<script>alert(1)</script>\"");
        press(page, "Retry");
        assertThat(page.locator("#toasts")).containsText("Retry scheduled.");
    }

    @Test
    void aConnectionIsTurnedOffAndDeleted() {
        var page = at(square.admin, "/inbox/connections");
        var hook = connect(page, "For a while");
        go(page, "/inbox/connections/" + hook.id());
        page.locator("[name=enabled]").uncheck();
        assertThat(page.locator("[name=linking][value=confirmed]")).isChecked();
        page.locator("[name=linking][value=open]").check();
        press(page, "Save");
        assertThat(page.locator("h1 .tag")).hasText("Off");
        assertThat(page.locator("[name=linking][value=open]")).isChecked();
        assertThat(call(hook, hook.secret(), "Push Hook", "{}")).isEqualTo(403);

        page.locator("summary")
                .filter(new Locator.FilterOptions().setHasText("Delete"))
                .click();
        press(page, "Delete connection");
        assertThat(page.locator("#connections")).not().containsText("For a while");
        assertThat(call(hook, hook.secret(), "Push Hook", "{}")).isEqualTo(401);
    }

    @Test
    void onlyAdminsComeHere() {
        var ann = square.person("Ann");
        var html = ann.api().with("Accept", "text/html");
        assertThat(html.get("/inbox/connections").status()).isEqualTo(403);
        assertThat(html.get("/inbox/connections/0000000000000001").status()).isEqualTo(403);
        assertThat(send(ann, "/inbox/connections", "name=Mine")).isEqualTo(403);
        assertThat(send(ann, "/inbox/connections/0000000000000001/secret")).isEqualTo(403);
        assertThat(send(ann, "/inbox/connections/0000000000000001/delete")).isEqualTo(403);
        assertThat(at(ann, "/inbox").locator("a[href='/inbox/connections']").count())
                .isZero();
    }

    @Test
    void aPhoneShowsAllOfIt() {
        var page = square.visit(browser.openPhone(), square.admin, "/inbox/connections");
        assertFits(page);
        var hook = connect(page, "On the phone");
        assertFits(page);
        go(page, "/inbox/connections/" + hook.id());
        assertFits(page);
    }
}
