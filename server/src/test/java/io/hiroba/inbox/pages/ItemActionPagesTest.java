package io.hiroba.inbox.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.ResourceDetails;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Actions on items and their undo, beside those in {@link InboxPagesTest}. */
class ItemActionPagesTest extends InboxDesk {

    @Test
    void aListThatWasFetchedBeforeAnActionBringsNothingBack() {
        var ona = square.person("Ona");
        ask(ona, List.of("Done soon"));
        var page = at(ona, "/inbox");
        assertThat(items(page)).hasCount(1);
        var held = new ArrayList<Runnable>();
        page.route("**/inbox", route -> {
            if (held.isEmpty() && route.request().resourceType().equals("fetch")) {
                var old = route.fetch();
                held.add(() -> route.fulfill(new Route.FulfillOptions().setResponse(old)));
            } else {
                route.resume();
            }
        });
        ask(ona, "Came meanwhile");
        page.waitForCondition(() -> !held.isEmpty());
        keys(page, "j", "e");
        assertThat(page.locator("#toasts")).containsText("Undo");
        assertThat(item(page, "Done soon")).hasCount(0);
        held.getFirst().run();
        assertThat(titles(page)).hasText(new String[] {"Came meanwhile"});
    }

    @Test
    void allDoneIsUndoneLikeAnythingElse() {
        var pia = square.person("Pia");
        ask(pia, List.of("Reed", "Sage", "Thyme"));
        var page = at(pia, "/inbox");
        keys(page, "j", "e");
        assertThat(titles(page)).hasText(new String[] {"Sage", "Reed"});
        page.locator(".all-done summary").click();
        press(page, "Mark as done");
        assertThat(page.locator("#empty-state")).isVisible();
        assertThat(page.locator("#toasts")).containsText("2 items marked as done.");
        assertCount(page, "done", "3");
        ask(pia, "Came meanwhile");
        assertThat(titles(page)).hasText(new String[] {"Came meanwhile"});
        press(page.locator("#toasts"), "Undo");
        assertThat(titles(page)).hasText(new String[] {"Came meanwhile", "Sage", "Reed"});
        assertThat(page.locator("#toasts")).containsText("2 undone.");

        // By the key as well, and before it what was done before.
        page.locator(".all-done summary").click();
        assertThat(page.locator(".all-done form p")).hasText("Mark 3 items as done?");
        press(page, "Mark as done");
        keys(page, "u");
        assertThat(titles(page)).hasText(new String[] {"Came meanwhile", "Sage", "Reed"});
        keys(page, "u");
        assertThat(item(page, "Thyme")).isVisible();
        assertCount(page, "done", "0");
        assertThat(page.locator(".stale")).hasCount(0);
    }

    @Test
    void onlyAMergeRequestIsOfferedToWaitUntilItIsMerged() {
        var quy = square.person("Quy");
        ask(quy, "A merge request");
        give(
                quy,
                Action.ASSIGNED,
                resource("garden/paths", "An issue", "/users", new ResourceDetails.Issue(2L, "issue")),
                null);
        var page = at(quy, "/inbox");
        var merged = page.locator("#snooze [value=merge]");
        item(page, "An issue").locator("a[data-snooze]").click();
        assertThat(page.locator("#snooze [value=comment]")).isVisible();
        assertThat(merged).isHidden();
        keys(page, "Escape");
        page.locator("[data-all]").check();
        press(page.locator(".bulk"), "Snooze");
        assertThat(merged).isHidden();
        keys(page, "Escape", "Escape");
        item(page, "A merge request").locator("a[data-snooze]").click();
        assertThat(merged).isVisible();
        var id = item(page, "An issue").locator("[name=id]").inputValue();
        assertThat(quy.api().get("/inbox/snooze?id=" + id).body())
                .contains("comment")
                .doesNotContain("\"merge\"");
        assertThat(send(quy, "/inbox/act", "do=snooze", "id=" + id, "choice=merge"))
                .isEqualTo(422);
    }
}
