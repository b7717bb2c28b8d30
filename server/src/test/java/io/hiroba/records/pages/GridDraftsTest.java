package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.hiroba.testkit.Square.Person;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** New records made in the grid: pasted beyond the last one, or typed below it. */
@Tag("slow")
class GridDraftsTest extends RecordsDesk {

    @Test
    void whatIsPastedBeyondTheLastRowMakesRecordsAndOneUndoTakesAllBack() {
        var shop = shop("name=Lamp;price=3", "name=Bench;price=90");
        var page = grid(owner, shop);
        paste(page, "Lamp", "Bulb\t4\nSofa\t1,200\tactive\n\t\t\nStool\t7\n");
        assertThat(status(page)).hasText("9 cells pasted, 2 records added.");
        assertThat(names(page)).hasText(new String[] {"Bench", "Bulb", "Sofa", "Stool"});
        assertThat(cell(page, "Sofa", "price")).hasText("1200");
        assertThat(cell(page, "Sofa", "status")).hasText("active");
        assertThat(page.locator("tr.draft")).hasCount(0);
        assertThat(page.locator("#grid-new")).not().isVisible();
        assertThat(page.locator("td.selected")).hasCount(9);
        assertThat(stored(shop)).containsExactlyInAnyOrder("Bench", "Bulb", "Sofa", "Stool");

        // A later change of a new record is undone before it.
        cell(page, "Stool", "price").click();
        page.keyboard().type("8");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Stool", "price")).hasText("8");
        page.keyboard().press("Control+z");
        assertThat(cell(page, "Stool", "price")).hasText("7");
        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Bench", "Lamp"});
        assertThat(stored(shop)).containsExactlyInAnyOrder("Bench", "Lamp");
        page.keyboard().press("Control+Shift+Z");
        assertThat(names(page)).hasText(new String[] {"Bench", "Bulb", "Sofa", "Stool"});
        assertThat(cell(page, "Stool", "price")).hasText("7");
        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Bench", "Lamp"});
        page.reload();
        assertThat(names(page)).hasText(new String[] {"Bench", "Lamp"});

        // At once, too, when the paste is still on its way.
        paste(page, "Lamp", "Bulb\t4\nSofa\t5\n");
        page.keyboard().press("Control+z");
        assertThat(status(page)).hasText("Undone.");
        assertThat(names(page)).hasText(new String[] {"Bench", "Lamp"});
        assertThat(stored(shop)).containsExactlyInAnyOrder("Bench", "Lamp");
    }

    @Test
    void faultsOfNewRowsAreCorrectedWhereTheyAre() {
        var shop = shop("name=Lamp;price=3");
        browser.expecting(422);
        var page = grid(owner, shop);
        paste(page, "Lamp", "Bulb\t4\nSofa\tdear\n\t7\n");
        assertThat(status(page))
                .hasText(
                        "Nothing was saved yet: 2 cells have errors. Correct them, or discard the new records with Esc.");
        assertThat(page.locator("td.bad")).hasText(new String[] {"dear", ""});
        assertThat(page.locator(".cell-error")).hasText("Must be a number.");
        assertThat(names(page)).hasText(new String[] {"Lamp", "Sofa", ""});
        assertThat(page.locator("#grid-drafts")).containsText("2 new records are not saved yet.");
        assertThat(stored(shop)).containsExactly("Lamp");

        page.keyboard().type("1200");
        page.keyboard().press("Enter");
        assertThat(page.locator("td.bad")).hasAttribute("data-attr", "name");
        assertThat(page.locator(".cell-error")).isVisible();
        page.keyboard().type("Stool");
        page.keyboard().press("Enter");
        assertThat(names(page)).hasText(new String[] {"Bulb", "Sofa", "Stool"});
        assertThat(page.locator("#grid-drafts")).isHidden();
        assertThat(page.locator("td.bad")).hasCount(0);
        assertThat(stored(shop)).containsExactlyInAnyOrder("Bulb", "Sofa", "Stool");
        page.locator("#grid").focus();
        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Lamp"});

        paste(page, "Lamp", "Bulb\t4\nSofa\tdear\n");
        assertThat(page.locator("tr.draft")).hasCount(1);
        page.keyboard().press("Escape");
        assertThat(names(page)).hasText(new String[] {"Lamp"});
        assertThat(page.locator("#grid-drafts")).isHidden();
        assertThat(stored(shop)).containsExactly("Lamp");
    }

    @Test
    void manyRowsAreAskedForAndTooManyRefused() {
        var shop = shop("name=Lamp;price=3");
        var page = grid(owner, shop);
        paste(page, "Lamp", lines(301));
        assertThat(page.locator("#add-rows h2")).hasText("Add 300 records?");
        page.locator("#add-rows [value=cancel]").click();
        assertThat(names(page)).hasText(new String[] {"Lamp"});
        page.keyboard().press("Control+v");
        page.locator("#add-rows [value=add]").click();
        assertThat(status(page)).hasText("602 cells pasted, 300 records added.");
        assertThat(names(page)).hasCount(301);
        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Lamp"});
        paste(page, "Lamp", lines(1001));
        assertThat(status(page)).hasText("Up to 1,000 rows can be pasted at once. Import them as a file instead.");
        assertThat(names(page)).hasText(new String[] {"Lamp"});
    }

    @Test
    void arrowDownBelowTheLastRowBeginsARecord() {
        var shop = shop("name=Lamp;price=3");
        browser.expecting(422);
        var page = grid(owner, shop);
        cell(page, "Lamp", "name").click();
        page.keyboard().press("ArrowDown");
        assertThat(page.locator("tr.draft")).hasCount(1);
        page.keyboard().press("ArrowDown");
        assertThat(page.locator("tr.draft")).hasCount(1);
        page.keyboard().press("ArrowUp");
        assertThat(page.locator("tr.draft")).hasCount(0);
        page.keyboard().press("ArrowDown");
        page.keyboard().type("Sofa");
        page.keyboard().press("Enter");
        assertThat(names(page)).hasText(new String[] {"Lamp", "Sofa"});
        assertThat(page.locator("tr.draft")).hasCount(0);
        assertThat(stored(shop)).containsExactlyInAnyOrder("Lamp", "Sofa");
        page.keyboard().press("Control+z");
        assertThat(names(page)).hasText(new String[] {"Lamp"});
    }

    @Test
    void theFirstRecordsAreTypedOrPastedIntoTheGrid() {
        var shop = shop();
        var page = grid(owner, shop);
        assertThat(page.locator("tr.draft")).hasCount(1);
        page.evaluate("text => navigator.clipboard.writeText(text)", "Lamp\t3\nBench\t90\n");
        page.locator("tr.draft td").first().click();
        page.keyboard().press("Control+v");
        assertThat(status(page)).hasText("4 cells pasted, 2 records added.");
        assertThat(names(page)).hasText(new String[] {"Lamp", "Bench"});
        assertThat(page.locator(".empty")).hasCount(0);
        assertThat(stored(shop)).containsExactlyInAnyOrder("Lamp", "Bench");
        var empty = shop();
        var viewer = at(member(empty, "Vera", "viewer"), empty + "/product");
        assertThat(viewer.locator(".empty")).containsText("No records yet");
        assertThat(viewer.locator("#grid")).hasCount(0);
    }

    @Test
    void typingGoesOnWhileARecordIsMade() {
        var shop = shop("name=Lamp;price=3");
        var page = grid(owner, shop);
        cell(page, "Lamp", "name").click();
        page.keyboard().press("ArrowDown");
        assertThat(page.locator("tr.draft")).hasCount(1);
        page.keyboard().type("Sofa");
        page.keyboard().press("Tab");
        page.keyboard().type("12");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Sofa", "price")).hasText("12");
        assertThat(page.locator("tr.draft")).hasCount(0);
        assertThat(page.locator("td.editing")).hasCount(0);
        page.reload();
        assertThat(cell(page, "Sofa", "price")).hasText("12");
        assertThat(names(page)).hasText(new String[] {"Lamp", "Sofa"});
    }

    @Test
    void whoMayNotCreateRecordsIsToldSo() {
        var shop = shop("name=Lamp;price=3");
        var rules = owner.api().put(api(shop) + "/schemas/product/rules", "{\"editors\": {\"create\": false}}");
        assertThat(rules.status()).as(rules.body()).isEqualTo(200);
        var page = grid(member(shop, "Edda", "editor"), shop);
        paste(page, "Lamp", "Bulb\t4\nSofa\t5\nStool\t7\n");
        assertThat(status(page))
                .hasText(
                        "2 cells pasted. 2 rows below the last record were left out: you may not create records here.");
        assertThat(names(page)).hasText(new String[] {"Bulb"});
        page.keyboard().press("ArrowDown");
        assertThat(page.locator("tr.draft")).hasCount(0);
    }

    @Test
    void aRecordThatSomebodyElseHasChangedIsNotTakenBack() {
        var shop = shop("name=Lamp;price=3");
        var page = grid(owner, shop);
        paste(page, "Lamp", "Lamp\t3\nSofa\t5\n");
        assertThat(status(page)).hasText("4 cells pasted, 1 record added.");
        var sofa = page.locator("#rows tr", new Page.LocatorOptions().setHasText("Sofa"))
                .getAttribute("data-id");
        var changed = owner.api().send("PATCH", api(shop) + "/records/product/" + sofa, "{\"price\": 6}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(cell(page, "Sofa", "price")).hasText("6");
        page.keyboard().press("Control+z");
        assertThat(status(page)).hasText("Not undone: somebody else has changed it since.");
        assertThat(stored(shop)).containsExactlyInAnyOrder("Lamp", "Sofa");
    }

    private static String lines(int count) {
        return IntStream.range(0, count).mapToObj("Cup %d\t5\n"::formatted).collect(Collectors.joining());
    }

    private Page grid(Person person, String shop) {
        var page = at(person, shop + "/product?sort=name");
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        browser.discard();
        return page;
    }

    /** Copies a text as another program does, and pastes it from a row's name on. */
    private static void paste(Page page, String at, String text) {
        page.evaluate("text => navigator.clipboard.writeText(text)", text);
        cell(page, at, "name").click();
        page.keyboard().press("Control+v");
    }

    private static Locator names(Page page) {
        return page.locator("#rows td[data-attr=name]");
    }

    private static Locator status(Page page) {
        return page.locator("#grid-status");
    }

    private List<String> stored(String shop) {
        var names = new ArrayList<String>();
        owner.api()
                .get(api(shop) + "/records/product?limit=100")
                .json()
                .path("items")
                .forEach(each -> names.add(each.at("/values/name").asString()));
        return names;
    }

    private static String api(String shop) {
        return shop.replace("/records/", "/api/v1/projects/");
    }
}
