package io.hiroba.inbox.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.ResourceDetails;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The lists of the inbox and what is done in them. */
class InboxPagesTest extends InboxDesk {

    @Test
    void theInboxIsEmptiedByKeyboardAlone() {
        var ann = square.person("Ann");
        ask(ann, List.of("First", "Second", "Third", "Fourth"));
        var page = at(ann, "/inbox");
        assertThat(titles(page)).hasText(new String[] {"Fourth", "Third", "Second", "First"});
        assertThat(page.locator(".sidebar [data-badge='/inbox']")).hasAttribute("aria-label", "Inbox 4 to do");

        keys(page, "j", "j");
        assertFocused(page, "Third");
        keys(page, "k", "b");
        assertThat(item(page, "Fourth").locator(".star")).hasAttribute("aria-pressed", "true");
        assertCount(page, "saved", "1");
        keys(page, "j", "e");
        assertThat(item(page, "Third")).hasCount(0);
        assertFocused(page, "Second");

        keys(page, "s");
        assertThat(page.locator("#snooze [name=choice]").first()).isFocused();
        keys(page, "ArrowDown", "Enter");
        assertThat(item(page, "Second")).hasCount(0);
        assertFocused(page, "First");

        keys(page, "e", "e");
        assertThat(page.locator("#empty-state")).isVisible();
        assertThat(page.locator("#empty-state")).containsText("Nothing to do");
        assertThat(page.locator("#empty-state")).isFocused();
        assertCount(page, "todo", "0");
        assertCount(page, "snoozed", "1");
        assertCount(page, "done", "3");
        assertThat(page.locator(".sidebar [data-badge='/inbox'] .badge")).isHidden();

        keys(page, "?");
        assertThat(page.locator("#keys")).isVisible();
        keys(page, "Escape");
        assertThat(page.locator("#keys")).isHidden();
        go(page, "/inbox?state=snoozed");
        assertThat(items(page).locator(".note")).hasText(Pattern.compile("Snoozed until .*"));

        // Who wants no keys of one letter turns them off, for good.
        keys(page, "?");
        page.locator("[data-letters]").uncheck();
        keys(page, "Escape");
        page.reload();
        keys(page, "j", "e", "?");
        assertThat(page.locator("#keys")).isHidden();
        assertThat(items(page)).hasCount(1);
        page.locator("[data-keys]").click();
        assertThat(page.locator("[data-letters]")).not().isChecked();
        page.locator("[data-letters]").check();
        keys(page, "Escape", "j", "e");
        assertThat(items(page)).hasCount(0);
    }

    @Test
    void anUndoBringsBackExactlyWhatWasDoneWhereItWas() {
        var ben = square.person("Ben");
        ask(ben, List.of("One", "Two", "Three"));
        var page = at(ben, "/inbox");
        keys(page, "j", "j", "e");
        assertThat(page.locator("#toasts .toast")).containsText("Marked as done.");
        assertThat(page.locator("#toasts")).hasAttribute("role", "status");
        assertFocused(page, "One");
        keys(page, "e");
        assertThat(titles(page)).hasText(new String[] {"Three"});

        keys(page, "u");
        assertFocused(page, "One");
        keys(page, "u");
        assertFocused(page, "Two");
        assertThat(titles(page)).hasText(new String[] {"Three", "Two", "One"});
        assertCount(page, "todo", "3");
        assertCount(page, "done", "0");

        item(page, "Two").locator("a[data-snooze]").click();
        press(page.locator("#snooze"), "Until somebody comments");
        assertThat(titles(page)).hasText(new String[] {"Three", "One"});
        press(page.locator("#toasts"), "Undo");
        assertThat(titles(page)).hasText(new String[] {"Three", "Two", "One"});

        // What was snoozed is snoozed again, for as long.
        keys(page, "s");
        press(page.locator("#snooze"), "Until it is merged");
        assertCount(page, "snoozed", "1");
        go(page, "/inbox?state=snoozed");
        keys(page, "j", "e");
        assertThat(page.locator("#empty-state")).isVisible();
        keys(page, "u");
        assertThat(items(page).locator(".note")).hasText("Snoozed until it is merged");
    }

    @Test
    void whatWasAskedAgainStaysDoneAndTheOthersComeBack() {
        var lea = square.person("Lea");
        var again = mergeRequest("garden/plots", "Asked again", "https://gitlab.example/4");
        give(lea, Action.REVIEW_REQUESTED, again, null);
        ask(lea, "Asked once");
        var page = at(lea, "/inbox");
        keys(page, "j", "x", "j", "x", "e");
        assertThat(page.locator("#empty-state")).isVisible();
        give(lea, Action.REVIEW_REQUESTED, again, null);
        assertThat(titles(page)).hasText(new String[] {"Asked again"});
        keys(page, "u");
        assertThat(page.locator("#toasts")).containsText("1 undone; 1 was requested again.");
        assertThat(items(page)).hasCount(2);

        // What was refused once is not tried again.
        browser.expecting(409);
        item(page, "Asked again").locator("[data-key=e]").click();
        assertThat(items(page)).hasCount(1);
        give(lea, Action.REVIEW_REQUESTED, again, null);
        assertThat(page.locator("[data-arrived]")).isVisible();
        keys(page, "u");
        assertThat(page.locator("#toasts")).containsText("requested of you again");
        keys(page, "n", "u");
        assertThat(items(page)).hasCount(2);
        assertCount(page, "done", "2");
    }

    @Test
    void whatIsTakenBackKeepsHowItWasDone() {
        var mia = square.person("Mia");
        ask(mia, List.of("One of all", "Another"));
        var page = at(mia, "/inbox");
        page.locator(".all-done summary").click();
        press(page, "Mark as done");
        assertThat(page.locator("#empty-state")).isVisible();
        go(page, "/inbox?state=done");
        assertThat(items(page).locator(".dot")).hasCount(0);
        keys(page, "j", "e");
        assertThat(items(page)).hasCount(1);
        keys(page, "u");
        assertThat(items(page).locator(".note"))
                .hasText(new String[] {"You marked all as done", "You marked all as done"});
    }

    @Test
    void severalAreChosenAndDoneAtOnceAndTakenBackTogether() {
        var cem = square.person("Cem");
        ask(cem, List.of("Ash", "Birch", "Cedar", "Date"));
        var page = at(cem, "/inbox");
        assertThat(page.locator(".bulk-actions")).isHidden();
        keys(page, "j", "x", "j", "j", "x");
        assertThat(page.locator(".bulk .selected-count")).hasText("2 selected");
        keys(page, "e");
        assertThat(titles(page)).hasText(new String[] {"Cedar", "Ash"});
        assertThat(page.locator("#toasts .toast")).containsText("2 items marked as done.");
        keys(page, "u");
        assertThat(titles(page)).hasText(new String[] {"Date", "Cedar", "Birch", "Ash"});

        page.locator("[data-all]").check();
        assertThat(page.locator(".bulk .selected-count")).hasText("4 selected");
        keys(page, "Escape");
        assertThat(page.locator(".bulk .selected-count")).hasText("Select all");
        page.locator("[data-all]").check();
        press(page.locator(".bulk"), "Save");
        assertCount(page, "saved", "4");
        page.locator("[data-all]").check();
        press(page.locator(".bulk"), "Snooze");
        press(page.locator("#snooze"), "Until next week");
        assertThat(page.locator("#empty-state")).isVisible();
        assertCount(page, "snoozed", "4");
    }

    @Test
    void newItemsAreAnnouncedAtOnceAndMoveNothing() {
        var dan = square.person("Dan");
        ask(dan, List.of("Old", "Older than new"));
        var page = at(dan, "/inbox");
        keys(page, "j");
        assertFocused(page, "Older than new");
        ask(dan, "Brand new");
        assertThat(page.locator("[data-arrived]")).hasText("1 new");
        assertCount(page, "todo", "3");
        assertThat(items(page)).hasCount(2);
        assertFocused(page, "Older than new");
        page.locator("[data-arrived]").click();
        assertThat(titles(page)).hasText(new String[] {"Brand new", "Older than new", "Old"});
        assertFocused(page, "Brand new");
        assertThat(page.locator("[data-arrived]")).isHidden();

        // What is handled elsewhere stays where it is, and says so.
        var other = at(dan, "/inbox");
        item(other, "Older than new").locator("[data-key=e]").click();
        assertThat(page.locator(".stale")).containsText("Older than new");
        assertThat(page.locator(".stale [data-key=e]")).isDisabled();
        assertThat(page.locator(".stale .summary")).containsText("handled elsewhere");
        page.locator(".stale a[data-snooze]").dispatchEvent("click");
        assertThat(page.locator("#snooze")).isHidden();
    }

    @Test
    void anEmptyListFillsByItself() {
        var eve = square.person("Eve");
        var page = at(eve, "/inbox");
        assertThat(page.locator("#empty-state")).isVisible();
        assertThat(page.locator("#empty-state a")).hasText(new String[] {"Link your GitLab account"});
        assertThat(at(square.admin, "/inbox").locator("#empty-state a"))
                .hasText(new String[] {"Connect GitLab", "Link your GitLab account"});
        ask(eve, "Out of nothing");
        assertThat(titles(page)).hasText(new String[] {"Out of nothing"});
        assertThat(page.locator("#empty-state")).isHidden();
        assertThat(page.locator(".all-done")).isVisible();
        keys(page, "j", "x");
        assertThat(page.locator(".bulk .selected-count")).hasText("1 selected");
        keys(page, "e");
        assertThat(page.locator("#empty-state")).isVisible();
        assertThat(page.locator(".all-done")).isHidden();

        // Whoever is not logged in any more is sent to do so.
        browser.expecting(401);
        ask(eve, "Too late");
        assertThat(items(page)).hasCount(1);
        page.context().clearCookies();
        keys(page, "j", "e");
        assertThat(page).hasURL(Pattern.compile(".*/login\\?next=%2Finbox"));
    }

    @Test
    void filtersStayInTheAddressAndTheirListIsAllThatAllDoneTouches() {
        var fay = square.person("Fay");
        ask(fay, "To review");
        give(fay, Action.MENTIONED, mergeRequest("kitchen", "Mentioned here", "https://gitlab.example/2"), null);
        give(
                fay,
                Action.ASSIGNED,
                resource("garden/paths", "Lay the path", "/users", new ResourceDetails.Issue(2L, "task")),
                square.admin);
        var page = at(fay, "/inbox");
        page.locator(".filter-menu summary").click();
        page.locator("#f-action").selectOption("mentioned");
        press(page, "Show");
        assertThat(page).hasURL(square.server.url() + "/inbox?action=mentioned");
        assertThat(titles(page)).hasText(new String[] {"Mentioned here"});
        page.reload();
        assertThat(titles(page)).hasText(new String[] {"Mentioned here"});
        page.locator(".tabs a")
                .filter(new Locator.FilterOptions().setHasText("Done"))
                .click();
        assertThat(page).hasURL(square.server.url() + "/inbox?state=done&action=mentioned");
        assertThat(page.locator("#empty-state")).containsText("No items match these filters");

        // A namespace with all below it.
        go(page, "/inbox");
        page.locator(".filter-menu summary").click();
        page.locator("#f-namespace").selectOption("garden");
        keys(page, "e");
        press(page, "Show");
        assertThat(titles(page)).hasText(new String[] {"Lay the path", "To review"});
        assertThat(item(page, "Lay the path").locator(".summary")).containsText("assigned this task to you");
        page.locator(".all-done summary").click();
        ask(fay, "Came meanwhile");
        press(page, "Mark as done");
        assertThat(page.locator("#toasts")).containsText("2 items marked as done.");
        assertThat(titles(page)).hasText(new String[] {"Came meanwhile"});
        page.locator(".chip").click();
        assertThat(titles(page)).hasText(new String[] {"Came meanwhile", "Mentioned here"});
    }

    @Test
    void aLongListGoesOnByItself() {
        var gus = square.person("Gus");
        ask(gus, IntStream.rangeClosed(1, 65).mapToObj(i -> "Item " + i).toList());
        var page = at(gus, "/inbox");
        for (int i = 0; i < 4; i++) {
            page.mouse().wheel(0, 20_000);
            assertThat(items(page).nth(Math.min(29 + 30 * i, 64))).isVisible();
        }
        assertThat(items(page)).hasCount(65);
        assertThat(page.locator("#items > .more")).hasCount(0);
    }

    @Test
    void aLongListIsEmptiedByOneKeyAlone() {
        var lou = square.person("Lou");
        ask(lou, IntStream.rangeClosed(1, 35).mapToObj(i -> "Item " + i).toList());
        var page = at(lou, "/inbox");
        keys(page, "j");
        for (int i = 0; i < 35; i++) {
            assertThat(page.locator("#items > :not([data-leaving]) > .item:focus"))
                    .hasCount(1);
            keys(page, "e");
        }
        assertThat(page.locator("#empty-state")).isVisible();
        assertCount(page, "done", "35");
    }

    @Test
    void whatOthersWriteIsTextAndLeadsNowhereItShouldNot() {
        var hal = square.person("Hal");
        var html = "<img src=x onerror=alert(1)><script>alert(2)</script>\" onmouseover=\"alert(3)";
        give(hal, Action.MENTIONED, mergeRequest("a\"><b>", html, "javascript:alert(1)"), null);
        give(hal, Action.MENTIONED, mergeRequest("plain", "A back slash", "/\\evil.example"), null);
        give(hal, Action.MENTIONED, mergeRequest("plain", "Abroad", "https://gitlab.example/3"), null);
        give(hal, Action.MENTIONED, mergeRequest("plain", "At home", "/users"), null);
        var page = at(hal, "/inbox");
        assertThat(items(page)).hasCount(4);
        assertThat(page.locator("#items img, #items script")).hasCount(0);
        assertThat(items(page)
                        .filter(new Locator.FilterOptions().setHasText("alert(2)"))
                        .locator("a[data-open]"))
                .hasCount(0);
        assertThat(item(page, "A back slash").locator("a[data-open]")).hasCount(0);
        var abroad = item(page, "Abroad").locator("a[data-open]");
        assertThat(abroad).hasAttribute("rel", "noopener noreferrer");
        assertThat(abroad).hasAttribute("target", "_blank");

        // Opening an item is reading it.
        keys(page, "j");
        assertThat(page.locator(".item:focus .dot")).hasCount(1);
        keys(page, "Enter");
        assertThat(page).hasURL(square.server.url() + "/users");
        go(page, "/inbox");
        assertThat(item(page, "At home").locator(".dot")).hasCount(0);
        assertThat(item(page, "Abroad").locator(".dot")).hasCount(1);
    }

    @Test
    void allOfItWorksWithoutScripts() {
        var ida = square.person("Ida");
        ask(ida, List.of("Plain one", "Plain two", "Plain three"));
        var page = square.visit(browser.expecting(422).openWithoutScripts(), ida, "/inbox");
        item(page, "Plain two").locator("[data-key=e]").click();
        assertThat(page.locator(".toast")).containsText("Marked as done.");
        assertThat(titles(page)).hasText(new String[] {"Plain three", "Plain one"});
        item(page, "Plain one").locator("[name=id]").check();
        page.locator(".bulk [value=save]").click();
        assertCount(page, "saved", "1");
        item(page, "Plain one").locator("a[data-snooze]").click();
        page.locator("#until").fill("2020-01-01T08:00");
        page.locator(".at").evaluate("form => form.noValidate = true");
        press(page, "Snooze");
        assertThat(page.locator("#main")).containsText("in the future");
        page.locator("[value=tomorrow]").click();
        assertThat(titles(page)).hasText(new String[] {"Plain three"});
        go(page, "/inbox?state=done");
        item(page, "Plain two").locator("[data-key=e]").click();
        assertThat(page.locator("#empty-state")).isVisible();
        go(page, "/inbox");
        assertThat(titles(page)).hasText(new String[] {"Plain three", "Plain two"});
    }

    @Test
    void aPhoneShowsAllOfItAndNobodySeesAnothersItems() {
        var jon = square.person("Jon");
        var kim = square.person("Kim");
        ask(jon, List.of("A title that is quite long and has AWordThatHasNoEndAndNoSpaceInItAtAllForSure", "Short"));
        var page = square.visit(browser.openPhone(), jon, "/inbox");
        assertThat(items(page)).hasCount(2);
        assertFits(page);
        page.locator(".filter-menu summary").tap();
        assertFits(page);
        page.locator("h1").tap();
        item(page, "Short").locator("a[data-snooze]").tap();
        assertThat(page.locator("#snooze")).isVisible();
        assertFits(page);
        page.locator("#snooze [value='4h']").tap();
        assertThat(items(page)).hasCount(1);

        var id = items(page).locator("[name=id]").inputValue();
        assertThat(send(kim, "/inbox/act", "do=done+" + id)).isEqualTo(303);
        assertThat(at(kim, "/inbox").locator("#empty-state").isVisible()).isTrue();
        page.reload();
        assertThat(items(page)).hasCount(1);
    }
}
