package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Typing into the grid: with an input method, as people do who write Japanese, Chinese or Korean, and what is not saved yet. */
@Tag("slow")
class GridInputTest extends RecordsDesk {

    private static void compose(CDPSession keyboard, String text) {
        var composition = new JsonObject();
        composition.addProperty("text", text);
        composition.addProperty("selectionStart", text.length());
        composition.addProperty("selectionEnd", text.length());
        keyboard.send("Input.imeSetComposition", composition);
    }

    private static void commit(CDPSession keyboard, String text) {
        var committed = new JsonObject();
        committed.addProperty("text", text);
        keyboard.send("Input.insertText", committed);
    }

    @Test
    void whatIsComposedBeginsTheActiveCell() {
        var shop = shop("name=Bench;price=90", "name=Lamp;price=3");
        var page = browser.open();
        browser.discard();
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        page.addInitScript("Object.defineProperty(navigator, 'languages', { get: () => ['ja', 'en'] })");
        square.visit(page, owner, shop + "/product?sort=name");
        cell(page, "Lamp", "name").click();
        page.keyboard().press("ArrowUp");
        var field = page.locator(".grid-input");
        assertThat(field).isFocused();
        assertThat(field).hasAttribute("aria-activedescendant", "active-cell");
        assertThat(page.locator("#active-cell")).hasText("Bench");

        var keyboard = page.context().newCDPSession(page);
        compose(keyboard, "いす");
        assertThat(page.locator(".grid-input.composing")).isVisible();
        commit(keyboard, "椅子");
        assertThat(input(page)).hasValue("椅子");
        page.keyboard().press("Enter");
        assertThat(cell(page, "椅子", "price")).hasText("90");
        assertThat(page.locator("#active-cell")).hasText("Lamp");
        assertThat(field).isFocused();

        // Keys and the clipboard are the grid's as ever.
        page.keyboard().press("Tab");
        page.keyboard().type("12");
        assertThat(input(page)).hasValue("12");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Lamp", "price")).hasText("12");
        page.keyboard().press("Control+Home");
        page.keyboard().press("Control+c");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("Control+v");
        assertThat(page.locator("#rows td[data-attr=name]")).hasText(new String[] {"椅子", "椅子"});
        page.keyboard().press("Control+z");
        assertThat(cell(page, "Lamp", "name")).hasText("Lamp");
        page.keyboard().press("Tab");
        page.keyboard().press("Delete");
        assertThat(page.locator("#active-cell")).hasText("");
    }

    @Test
    void whatIsTypedIsNotLeftWithoutAQuestion() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=40", "name=Bench;price=90");
        browser.expecting(422).discard();
        var page = at(owner, shop + "/product?sort=name");
        var asked = new ArrayList<String>();
        page.onDialog(dialog -> {
            asked.add(dialog.type());
            dialog.dismiss();
        });
        cell(page, "Bench", "price").click();
        page.keyboard().type("cheap");
        page.keyboard().press("Enter");
        assertThat(page.locator("td.editing .error")).containsText("number");
        page.locator(".view-tabs a").first().click();
        // Awaitility would not let the dialog be heard of.
        page.waitForCondition(() -> !asked.isEmpty());
        assertThat(asked).containsExactly("confirm");
        assertThat(input(page)).hasValue("cheap");
        input(page).press("Escape");

        // What can be saved is, and the link is followed then.
        cell(page, "Bench", "price").click();
        page.keyboard().type("91");
        page.locator(".grid-search").getByRole(AriaRole.SEARCHBOX).fill("ben");
        page.keyboard().press("Enter");
        assertThat(names(page)).hasText(new String[] {"Bench"});
        assertThat(cell(page, "Bench", "price")).hasText("91");
        assertThat(asked).hasSize(1);
    }

    @Test
    void aConflictIsOverwrittenByEnterAlone() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=40", "name=Bench;price=90");
        browser.expecting(412);
        var page = at(owner, shop + "/product?sort=name");
        cell(page, "Bench", "price").click();
        page.keyboard().type("91");
        // Of this the page is not told before it saves.
        var api = shop.replace("/records/", "/api/v1/projects/") + "/records/product";
        var bench =
                owner.api().get(api + "?order=name").json().at("/items/0/id").stringValue();
        assertThat(owner.api().send("PATCH", api + "/" + bench, "{'price': 95}").status())
                .isEqualTo(200);
        cell(page, "Lamp", "name").click();
        var error = page.locator("td.editing .error");
        assertThat(error).containsText("it is “95” now. Enter overwrites it, Esc keeps it.");
        assertThat(error).not().hasCSS("background-color", "rgba(0, 0, 0, 0)");

        cell(page, "Chair", "name").click();
        input(page).click();
        page.keyboard().press("Tab");
        page.getByRole(AriaRole.SEARCHBOX).click();
        page.waitForTimeout(200);
        assertThat(input(page)).hasValue("91");
        assertThat(owner.api().get(api + "/" + bench).json().at("/values/price").intValue())
                .isEqualTo(95);

        input(page).click();
        page.keyboard().press("Enter");
        assertThat(cell(page, "Bench", "price")).hasText("91");
        page.reload();
        assertThat(cell(page, "Bench", "price")).hasText("91");
    }

    @Test
    void anUndoThatDoesNotReachTheServerCanBeTriedAgain() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=40", "name=Bench;price=90");
        browser.discard();
        var page = at(owner, shop + "/product?sort=name");
        cell(page, "Bench", "name").click();
        page.locator("tr", new Page.LocatorOptions().setHasText("Bench"))
                .locator(".row-action button")
                .click();
        assertThat(page.locator("tr.gone")).hasCount(1);
        page.evaluate(
                "() => { globalThis.reached = fetch; globalThis.fetch = () => Promise.reject(new TypeError('away')); }");
        page.locator("tr.gone button").click();
        assertThat(page.locator("#grid-status")).containsText("reach");
        page.evaluate("() => { globalThis.fetch = globalThis.reached; }");
        page.locator("tr.gone button").click();
        assertThat(names(page)).hasText(new String[] {"Bench", "Chair", "Lamp"});
    }

    @Test
    void newRecordsAreToldOfAsTheFilterMayLeaveThemOut() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=40");
        var page = at(owner, shop + "/product?a=price&o=gt&v=5");
        assertThat(names(page)).hasText(new String[] {"Chair"});
        add(shop, "name=Stool;price=2");
        assertThat(page.locator("#grid-new")).containsText("which the filter may leave out");
    }

    private static Locator names(Page page) {
        return page.locator("#rows td[data-attr=name]");
    }
}
