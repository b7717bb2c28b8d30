package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.KeyboardModifier;
import io.hiroba.platform.http.Json;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The grid as a spreadsheet, with mouse, keyboard and clipboard. */
@Tag("slow")
class SpreadsheetTest extends RecordsDesk {

    private static final String[] THREE = {"name=Lamp;price=3", "name=Chair;price=40", "name=Bench;price=90"};

    @Test
    void cellsAreSelectedByMouseAndKeyboard() {
        var shop = shop(THREE);
        var page = grid(shop);
        cell(page, "Bench", "name").click();
        assertThat(page.locator("#grid")).isFocused();
        page.keyboard().press("Shift+ArrowDown");
        page.keyboard().press("Shift+ArrowRight");
        assertThat(page.locator("td.selected")).hasText(new String[] {"Bench", "90", "Chair", "40"});
        assertThat(page.locator("#grid-status")).hasText("2 × 2 cells selected");
        assertThat(page.locator("td[aria-selected=true]")).hasCount(4);
        assertThat(page.locator("#grid")).hasAttribute("aria-activedescendant", "active-cell");

        cell(page, "Lamp", "price").click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));
        assertThat(page.locator("td.selected")).hasCount(6);
        page.keyboard().press("Home");
        page.keyboard().press("Control+Home");
        assertThat(page.locator("td.selected")).hasText(new String[] {"Bench"});
        page.keyboard().press("Control+a");
        assertThat(page.locator("td.selected")).hasCount(15);

        cell(page, "Bench", "price").hover();
        page.mouse().down();
        cell(page, "Lamp", "price").hover();
        page.mouse().up();
        assertThat(page.locator("td.selected")).hasText(new String[] {"90", "40", "3"});
        page.keyboard().press("End");
        page.keyboard().press("Tab");
        assertThat(page.locator("#grid")).not().isFocused();
    }

    @Test
    void typingChangesACellAndEnterGoesOn() {
        var shop = shop(THREE);
        browser.expecting(422);
        var page = grid(shop);
        cell(page, "Bench", "price").click();
        page.keyboard().type("91");
        page.keyboard().press("Enter");
        page.keyboard().type("41");
        page.keyboard().press("Tab");
        assertThat(cell(page, "Bench", "price")).hasText("91");
        assertThat(cell(page, "Chair", "price")).hasText("41");
        assertThat(page.locator("td.active")).hasAttribute("data-attr", "status");

        cell(page, "Lamp", "price").click();
        page.keyboard().type("cheap");
        // Leaving the cell saves it.
        cell(page, "Chair", "name").click();
        assertThat(page.locator("td.editing .error")).hasText("Must be a number.");
        assertThat(input(page)).hasValue("cheap");
        page.keyboard().press("Escape");
        assertThat(cell(page, "Lamp", "price")).hasText("3");
        page.reload();
        assertThat(names(page)).hasText(new String[] {"Bench", "Chair", "Lamp"});
        assertThat(cell(page, "Bench", "price")).hasText("91");
    }

    @Test
    void changingTheSortKeyMovesNothing() {
        var shop = shop(THREE);
        var page = at(owner, shop + "/product?sort=price");
        cell(page, "Lamp", "price").click();
        page.keyboard().type("500");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Lamp", "price")).hasText("500");
        assertThat(names(page)).hasText(new String[] {"Lamp", "Chair", "Bench"});
        page.reload();
        assertThat(names(page)).hasText(new String[] {"Chair", "Bench", "Lamp"});
    }

    @Test
    void rangesAreCopiedPastedUndoneAndRedone() {
        var shop = shop(THREE);
        var page = grid(shop);
        copyElsewhere(
                page,
                "\"A \"\"long\"\"\nbench\"\t1,200.50\tactive\t2026-01-31 12:00\tyes\r\nStool\t7\tDraft\t\tno\r\n");
        cell(page, "Bench", "name").click();
        page.keyboard().press("Control+v");
        assertThat(page.locator("#grid-status")).hasText("10 cells pasted.");
        assertThat(cell(page, "Stool", "price")).hasText("7");
        assertThat(cell(page, "Stool", "status")).hasText("draft");
        assertThat(cell(page, "long", "price")).hasText("1200.50");
        assertThat(cell(page, "long", "fragile")).hasClass(Pattern.compile("yes"));
        assertThat(records(shop)).contains("A \\\"long\\\"\\nbench");

        cell(page, "long", "name").click();
        page.keyboard().press("Shift+ArrowRight");
        page.keyboard().press("Control+c");
        assertThat(page.evaluate("navigator.clipboard.readText()")).isEqualTo("\"A \"\"long\"\"\nbench\"\t1200.50");

        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Bench", "Chair", "Lamp"});
        assertThat(cell(page, "Bench", "status")).hasText("");
        page.keyboard().press("Control+Shift+Z");
        assertThat(cell(page, "Stool", "price")).hasText("7");
        press(page, "Undo");
        assertThat(cell(page, "Bench", "price")).hasText("90");
        assertThat(cell(page, "Chair", "price")).hasText("40");
    }

    @Test
    void aPasteWithErrorsChangesNothingAndMarksTheCells() {
        var shop = shop(THREE);
        browser.expecting(422);
        var page = grid(shop);
        copyElsewhere(page, "Bank\t95\nSofa\tdear\nBulb\t-1\n");
        cell(page, "Bench", "name").click();
        page.keyboard().press("Control+v");
        assertThat(page.locator("#grid-status")).hasText("Nothing was changed: 2 cells have errors.");
        assertThat(page.locator("td.bad")).hasText(new String[] {"40", "3"});
        assertThat(page.locator(".cell-error")).hasText("Must be a number.");
        assertThat(page.locator("td.active")).hasText("40");
        page.keyboard().press("ArrowDown");
        assertThat(page.locator(".cell-error")).isVisible();
        assertThat(names(page)).hasText(new String[] {"Bench", "Chair", "Lamp"});
        assertThat(records(shop)).doesNotContain("Bank");
        page.keyboard().type("4");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Lamp", "price")).hasText("4");
    }

    @Test
    void rangesAreFilledAndCleared() {
        var shop = shop(THREE);
        var page = grid(shop);
        cell(page, "Bench", "price").click();
        page.keyboard().press("Shift+ArrowDown");
        page.keyboard().press("Shift+ArrowDown");
        page.keyboard().press("Control+d");
        assertThat(page.locator("#grid-status")).hasText("2 cells changed.");
        assertThat(cell(page, "Lamp", "price")).hasText("90");
        page.keyboard().press("Delete");
        assertThat(page.locator("#grid-status")).hasText("3 cells cleared.");
        assertThat(cell(page, "Bench", "price")).hasText("");
        page.keyboard().press("Control+z");
        assertThat(cell(page, "Bench", "price")).hasText("90");
        page.keyboard().press("Control+z");
        assertThat(cell(page, "Chair", "price")).hasText("40");

        cell(page, "Bench", "price").click();
        page.keyboard().press("Shift+ArrowDown");
        page.keyboard().type("5");
        page.keyboard().press("Control+Enter");
        assertThat(cell(page, "Chair", "price")).hasText("5");
        assertThat(cell(page, "Bench", "price")).hasText("5");
        assertThat(cell(page, "Lamp", "price")).hasText("3");
        page.keyboard().press("Control+x");
        assertThat(cell(page, "Chair", "price")).hasText("");
        cell(page, "Chair", "price").click();
        page.keyboard().press("Control+v");
        assertThat(cell(page, "Lamp", "price")).hasText("5");

        cell(page, "Bench", "status").click();
        page.keyboard().press("Enter");
        input(page).selectOption("active");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Bench", "status")).hasText("active");
        cell(page, "Bench", "status").click();
        page.locator(".fill-handle").hover();
        page.mouse().down();
        cell(page, "Lamp", "status").hover();
        page.mouse().up();
        assertThat(cell(page, "Lamp", "status")).hasText("active");
        assertThat(cell(page, "Chair", "status")).hasText("active");
    }

    @Test
    void whatSomebodyElseWroteIsNotUndone() {
        var shop = shop();
        var lamp = add(shop, "name=Lamp;price=3");
        // A change of which the page has not been told yet.
        browser.expecting(412);
        var page = grid(shop);
        cell(page, "Lamp", "price").click();
        page.keyboard().type("4");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Lamp", "price")).hasText("4");
        // A change of another cell is no conflict.
        change(shop, lamp, Map.of("status", "active"));
        page.keyboard().press("Control+z");
        assertThat(cell(page, "Lamp", "price")).hasText("3");
        page.keyboard().press("Control+Shift+Z");
        assertThat(cell(page, "Lamp", "price")).hasText("4");
        assertThat(cell(page, "Lamp", "status")).hasText("active");
        change(shop, lamp, Map.of("price", 5));
        page.keyboard().press("Control+z");
        assertThat(page.locator("#grid-status")).hasText("Not undone: somebody else has changed it since.");
        assertThat(page.locator(".cell-error")).hasText("Somebody else has changed this since.");
        assertThat(cell(page, "Lamp", "price")).hasText("5");
    }

    @Test
    void pickedRowsAreChangedAndDeletedTogether() {
        var shop = shop(THREE);
        var page = grid(shop);
        cell(page, "Bench", "price").click();
        page.locator("#rows .row-check").first().check();
        page.locator("#rows .row-check")
                .nth(1)
                .click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));
        assertThat(page.locator("[data-grid=picked]")).hasText("2 records selected");
        press(page, "Edit “price”");
        input(page).fill("12");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Chair", "price")).hasText("12");
        assertThat(cell(page, "Bench", "price")).hasText("12");
        assertThat(cell(page, "Lamp", "price")).hasText("3");

        page.locator("[data-grid=delete-rows]").click();
        assertThat(page.locator("#delete-rows h2")).hasText("Delete 2 records?");
        page.locator("#delete-rows [value=delete]").click();
        assertThat(page.locator("#rows tr.gone")).hasCount(2);
        assertThat(page.locator("#grid-bulk")).isHidden();
        await().untilAsserted(() -> assertThat(records(shop)).doesNotContain("Bench"));
        page.locator("#grid").focus();
        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Bench", "Chair", "Lamp"});
        page.reload();
        assertThat(names(page)).hasCount(3);
    }

    @Test
    void thousandsOfRowsAreScrolledWithFewInTheDocument() {
        var shop = shop();
        var lines = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            lines.append("{\"name\": \"Cup %04d\", \"price\": %d}\n".formatted(i, i));
        }
        ImportPagesTest.imported(owner, shop, lines.toString());
        var page = at(owner, shop + "/product?sort=name");
        cell(page, "Cup 0000", "name").click();
        page.keyboard().press("Control+End");
        assertThat(page.locator("#rows tr[data-row]").last()).containsText("Cup 2999");
        assertThat(cell(page, "Cup 2999", "fragile")).isVisible();
        assertThat(page.locator("#rows tr[data-row]").count()).isLessThan(600);
        assertThat(page.locator("#grid")).hasAttribute("aria-rowcount", "3001");
        assertThat(page.locator("#rows tr[data-row]").last()).hasAttribute("aria-rowindex", "3001");
        page.keyboard().press("Home");
        page.keyboard().press("ArrowRight");
        page.keyboard().type("7");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Cup 2999", "price")).hasText("7");
        page.keyboard().press("Control+Home");
        assertThat(cell(page, "Cup 0000", "name")).isVisible();
        page.evaluate("document.querySelector('.grid-box').scrollTop = 60000");
        assertThat(cell(page, "Cup 16", "name").first()).isVisible();
        assertThat(page.locator("#rows tr[data-row]").count()).isLessThan(600);
    }

    @Test
    void othersAreSeenAtTheirCellsAndTheirChangesAppear() {
        var shop = shop(THREE);
        var eve = member(shop, "Eve", "editor");
        var page = grid(shop);
        var other = square.visit(browser.open(options -> options.setViewportSize(1200, 800)), eve, shop + "/product");
        cell(other, "Chair", "price").click();
        assertThat(cell(page, "Chair", "price")).hasAttribute("data-peer", "Eve");
        other.keyboard().type("77");
        other.keyboard().press("Enter");
        assertThat(cell(page, "Chair", "price")).hasText("77");
        add(shop, "name=Shelf;price=1");
        assertThat(page.locator("#grid-new")).hasText("1 new record – reload");
        assertThat(page.locator("#count")).hasText("4 records");
        cell(page, "Bench", "name").click();
        assertThat(cell(other, "Bench", "name")).hasAttribute("data-peer", "Olive");
    }

    @Test
    void columnsAreResizedAndMoved() {
        var shop = shop(THREE);
        var page = grid(shop);
        var head = page.locator("th[data-column=price] a");
        head.focus();
        var before = page.locator("th[data-column=price]").boundingBox().width;
        page.keyboard().press("Shift+ArrowRight");
        page.keyboard().press("Shift+ArrowRight");
        assertThat(page.locator("th[data-column=price]").boundingBox().width).isEqualTo(before + 32);
        page.keyboard().press("Alt+Shift+ArrowLeft");
        assertThat(page.locator("thead th[data-column]").first()).containsText("price");
        assertThat(page.locator("th[data-column=price]").boundingBox().width).isEqualTo(before + 32);
        go(page, shop + "/product");
        assertThat(page.locator("thead th[data-column]").first()).containsText("price");
        page.getByRole(AriaRole.SEARCHBOX).fill("hai");
        page.keyboard().press("Enter");
        assertThat(names(page)).hasText(new String[] {"Chair"});
    }

    @Test
    void columnsThatAreDraggedAreKeptInTheView() {
        var shop = shop(THREE);
        var view = assertSent(
                send(owner, shop + "/product/views?sort=name", "name=All", "kind=grid", "visibility=project"));
        var page = at(owner, view);
        var edge = page.locator("th[data-column=price] .resize").boundingBox();
        var width = page.locator("th[data-column=price]").boundingBox().width;
        page.mouse().move(edge.x + 3, edge.y + 10);
        page.mouse().down();
        page.mouse().move(edge.x + 63, edge.y + 10);
        page.waitForResponse(Pattern.compile("/columns$"), page.mouse()::up);
        assertThat(page.locator("th[data-column=price]").boundingBox().width).isEqualTo(width + 60);
        assertThat(page).hasURL(Pattern.compile("view=[^&]*$"));

        var head = page.locator("th[data-column=price]").boundingBox();
        var first = page.locator("th[data-column=name]").boundingBox();
        page.mouse().move(head.x + 20, head.y + 10);
        page.mouse().down();
        page.mouse().move(first.x + 40, first.y + 10);
        assertThat(page.locator("th.drop-before")).containsText("name");
        page.mouse().up();
        assertThat(page.locator("thead th[data-column]").first()).containsText("price");
        var viewer = member(shop, "Vic", "viewer");
        var other = at(viewer, view);
        assertThat(other.locator("thead th[data-column]").first()).containsText("price");
        assertThat(other.locator("th[data-column=price]").boundingBox().width).isEqualTo(width + 60);
        var path = view.replaceFirst("\\?view=", "/views/").replaceFirst("&.*", "");
        var columns = Json.text(Map.of("columns", List.of(Map.of("name", "made", "width", 100)), "version", 3));
        assertThat(viewer.api().post(path + "/columns", columns).status()).isEqualTo(403);
        assertThat(owner.api()
                        .post(path + "/columns", columns.replace("100", "4"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void viewersCopyAndChangeNothing() {
        var shop = shop(THREE);
        var viewer = member(shop, "Vera", "viewer");
        var page = at(viewer, shop + "/product?sort=name");
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        browser.discard();
        page.locator("#rows td.text").first().click();
        page.keyboard().press("Shift+ArrowDown");
        page.keyboard().press("Control+c");
        assertThat(page.locator("#grid-status")).hasText("2 × 1 cells copied");
        assertThat(page.evaluate("navigator.clipboard.readText()")).isEqualTo("Bench\nChair");
        page.keyboard().type("x");
        page.keyboard().press("Delete");
        page.keyboard().press("Control+v");
        assertThat(page.locator("td.editing")).hasCount(0);
        assertThat(page.locator("#grid")).hasAttribute("aria-readonly", "true");
        assertThat(page.locator("#rows td.text").first()).hasText("Bench");
    }

    private Page grid(String shop) {
        var page = at(owner, shop + "/product?sort=name");
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        browser.discard();
        return page;
    }

    private static Locator names(Page page) {
        return page.locator("#rows td[data-attr=name]");
    }

    /** Copies a text as another program does. */
    private static void copyElsewhere(Page page, String text) {
        page.evaluate("text => navigator.clipboard.writeText(text)", text);
    }

    private String records(String shop) {
        return owner.api().get(api(shop) + "/records/product").body();
    }

    private static String api(String shop) {
        return shop.replace("/records/", "/api/v1/projects/");
    }

    private void change(String shop, String page, Map<String, ?> values) {
        var row = page.substring(page.lastIndexOf('/') + 1);
        var changed = owner.api().send("PATCH", api(shop) + "/records/product/" + row, Json.text(values));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    }
}
