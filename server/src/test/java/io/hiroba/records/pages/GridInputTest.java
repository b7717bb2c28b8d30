package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Typing into the grid with an input method, as people do who write Japanese, Chinese or Korean. */
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
}
