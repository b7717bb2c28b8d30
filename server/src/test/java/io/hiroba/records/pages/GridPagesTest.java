package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** A grid in the browsers of those who read and change its records. */
class GridPagesTest extends RecordsDesk {

    @Test
    void columnsThatAreDraggedOnAStalePageDoNotUndoWhatOthersChanged() {
        var shop = shop("name=Lamp;price=3");
        var view = assertSent(send(owner, shop + "/product/views", "name=All", "kind=grid", "visibility=project"));
        var page = at(owner, view);
        var api = "/api/v1/projects/%s/schemas/product/views/%s"
                .formatted(
                        shop.substring(shop.lastIndexOf('/') + 1),
                        view.replaceFirst(".*view=", "").replaceFirst("&.*", ""));
        assertThat(owner.api()
                        .send("PATCH", api, "{'columns': [{'attribute': 'price', 'hidden': true}]}")
                        .status())
                .isEqualTo(200);
        browser.expecting(412);
        var edge = page.locator("th[data-column=price] .resize").boundingBox();
        page.mouse().move(edge.x + 3, edge.y + 10);
        page.mouse().down();
        page.mouse().move(edge.x + 43, edge.y + 10);
        page.waitForResponse(Pattern.compile("/columns$"), page.mouse()::up);
        assertThat(page.locator("#grid-status")).containsText("Somebody else changed this view");
        assertThat(owner.api().get(api).json().path("columns").toString()).contains("\"hidden\":true");
    }

    @Test
    void aCellIsChangedWhereItIs() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=40.50");
        browser.expecting(422);
        var page = at(owner, shop + "/product");
        assertThat(cell(page, "Chair", "price")).hasText("40.50");

        cell(page, "Lamp", "price").dblclick();
        assertThat(input(page)).isFocused();
        input(page).fill("cheap");
        page.keyboard().press("Enter");
        assertThat(page.locator("td.editing .error")).hasText("Must be a number.");
        assertThat(input(page)).hasValue("cheap");
        input(page).fill("-1");
        page.keyboard().press("Enter");
        assertThat(page.locator("td.editing .error")).not().hasText("Must be a number.");
        input(page).fill("7.25");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Lamp", "price")).hasText("7.25");

        page.keyboard().press("ArrowRight");
        page.keyboard().press("Enter");
        assertThat(input(page)).isFocused();
        input(page).selectOption("active");
        page.keyboard().press("Escape");
        assertThat(page.locator("td.editing")).hasCount(0);
        assertThat(cell(page, "Lamp", "status")).hasText("");
        page.reload();
        assertThat(cell(page, "Lamp", "price")).hasText("7.25");
    }

    @Test
    void whatSomebodyElseChangedMeanwhileIsShownBeforeItIsWrittenOver() {
        var shop = shop();
        var lamp = add(shop, "name=Lamp;price=3");
        browser.expecting(412);
        var page = at(owner, shop + "/product");
        cell(page, "Lamp", "price").dblclick();
        input(page).fill("4");
        assertSent(send(owner, lamp, "version=1", "v.price=5"));
        page.keyboard().press("Enter");
        assertThat(page.locator("td.editing .error")).containsText("it is “5” now");
        page.keyboard().press("Enter");
        assertThat(cell(page, "Lamp", "price")).hasText("4");
    }

    @Test
    void whatIsShownStandsInTheAddress() {
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var page = at(owner, shop + "/product");
        assertThat(page.locator("#count")).hasText("3 records");
        page.locator("thead a", new Page.LocatorOptions().setHasText("price")).click();
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Lamp", "Chair", "Bench"});
        page.locator("thead a", new Page.LocatorOptions().setHasText("price")).click();
        assertThat(page.locator("th[aria-sort=descending]")).containsText("price");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Bench", "Chair", "Lamp"});

        page.locator("details.tool summary", new Page.LocatorOptions().setHasText("Filter"))
                .click();
        var line = page.locator(".condition").last();
        line.locator("[name=a]").selectOption("status");
        assertThat(page.locator(".condition").last().locator("select[name=v]")).isVisible();
        page.locator(".condition").last().locator("select[name=v]").selectOption("active");
        press(page, "Apply");
        assertThat(page.locator(".chip")).hasText(Pattern.compile("status is active"));
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Bench", "Lamp"});
        assertThat(page).hasURL(Pattern.compile("\\?a=status&o=eq&v=active&sort=-price$"));

        page.locator("details.tool summary", new Page.LocatorOptions().setHasText("Columns"))
                .click();
        page.getByLabel("made").uncheck();
        press(page, "Show these");
        assertThat(page.locator("thead")).not().containsText("made");
        var shared = page.url();
        var other = at(member(shop, "Vera", "viewer"), "/");
        other.navigate(shared);
        assertThat(other.locator("#rows tr th.open")).hasCount(2);
        assertThat(other.locator("thead")).not().containsText("made");
        other.locator(".chip a").click();
        assertThat(other.locator("#rows tr")).hasCount(3);
    }

    @Test
    void recordsAreSortedBySeveralKeysAndAViewKeepsThem() {
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var page = at(owner, shop + "/product");
        page.locator("details.tool summary", new Page.LocatorOptions().setHasText("Sort"))
                .click();
        page.getByLabel("Sort key 1").selectOption("status");
        page.getByLabel("Sort key 2").selectOption("-price");
        press(page, "Apply");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Bench", "Lamp", "Chair"});
        assertThat(page).hasURL(Pattern.compile("\\?sort=status&sort=-price$"));
        assertThat(page.locator("th[aria-sort]"))
                .hasText(new Pattern[] {Pattern.compile("price"), Pattern.compile("status")});
        var view = assertSent(send(owner, shop + "/product/views?sort=status&sort=-price", "name=Sorted"));
        go(page, view);
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Bench", "Lamp", "Chair"});
        assertThat(page.locator(".view-chips .chip")).hasText(new String[] {"status, ascending", "price, descending"});
        assertThat(page.getByLabel("Sort key 2")).hasValue("-price");
    }

    @Test
    void aQuickSearchFindsPeopleByNameAndOptionsByTitle() {
        var shop = project("Desk");
        var api = "/api/v1/projects/" + shop.substring(shop.lastIndexOf('/') + 1);
        owner.api().post(api + "/schemas", """
                {'name': 'client', 'attributes': [{'name': 'name', 'type': 'text'}]}
                """);
        assertThat(owner.api().post(api + "/schemas", """
                {'name': 'task', 'attributes': [{'name': 'title', 'type': 'text'}, {'name': 'lead', 'type': 'text', 'format': 'person'},
                 {'name': 'state', 'type': 'text', 'options': [{'value': 'a1', 'title': 'Waiting'}]},
                 {'name': 'client', 'type': 'text', 'references': 'client'}]}
                """).status()).isEqualTo(201);
        var client = owner.api()
                .post(api + "/records/client", "{'name': 'Hotel Astoria'}")
                .text("id");
        owner.api().post(api + "/records/task", """
                [{'title': 'Paint', 'lead': '%s'}, {'title': 'Sweep', 'state': 'a1'}, {'title': 'Cook', 'client': '%s'}]
                """.formatted(owner.id(), client));
        var found = Map.of(
                "oliv",
                "Paint",
                "@Olive",
                "Paint",
                "wait",
                "Sweep",
                "hotel a",
                "Cook",
                "paint",
                "Paint",
                "a1",
                "",
                "00",
                "",
                owner.id().substring(0, 6),
                "");
        found.forEach((search, title) -> {
            var page = Jsoup.parse(owner.api()
                    .get(shop + "/task?q=" + search.replace(" ", "%20"))
                    .body());
            assertThat(page.select("#rows td[data-attr=title]").text())
                    .as(search)
                    .isEqualTo(title);
        });
    }

    @Test
    void aViewWithoutMatchesSaysSo() {
        var shop = shop("name=Lamp;price=3;status=draft");
        var view = assertSent(send(owner, shop + "/product/views?a=status&o=eq&v=active", "name=On sale"));
        var page = Jsoup.parse(owner.api().get(view).body());
        assertThat(page.select("#no-records").text())
                .contains("No record matches")
                .doesNotContain("paste");
        assertThat(page.select("#grid")).isEmpty();
    }

    @Test
    void whatAViewShowsIsExported() {
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var view = assertSent(send(
                owner,
                shop + "/product/views?a=status&o=eq&v=active&sort=-price&col=price&col=name",
                "name=On sale",
                "visibility=project"));
        assertThat(exported(owner, view)).isEqualTo("price,name\n90,Bench\n3,Lamp\n");
        assertThat(exported(owner, view + "&q=ben")).isEqualTo("price,name\n90,Bench\n");
        assertThat(exported(owner, view + "&a=price&o=lt&v=5&a=name&o=eq&v=Bench&match=any&sort=price&col=name"))
                .isEqualTo("name\nLamp\nBench\n");
        var viewer = member(shop, "Vera", "viewer");
        assertThat(exported(viewer, view)).isEqualTo("price,name\n90,Bench\n3,Lamp\n");
        var mine = assertSent(send(owner, shop + "/product/views", "name=Mine"));
        var api = "/api/v1/projects/" + shop.substring(shop.lastIndexOf('/') + 1) + "/exports/product";
        var id = mine.substring(mine.indexOf('=') + 1);
        assertThat(owner.api().get(api + "?view=" + id).status()).isEqualTo(200);
        assertThat(viewer.api().get(api + "?view=" + id).outcome()).isEqualTo("404 records.no-view");
        assertThat(owner.api().get(api + "?where=%7B").outcome()).isEqualTo("400 records.invalid");
        assertThat(owner.api().get(api + "?where=%5B1%5D").outcome()).isEqualTo("400 records.invalid");
    }

    private static String exported(Person person, String grid) {
        var link = Jsoup.parse(person.api().get(grid).body())
                .select("a[href*=format=csv][href*=raw]")
                .attr("href");
        return person.api().get(link).body();
    }

    @Test
    void aFilterThatMakesNoSenseIsSaidInWords() {
        var shop = shop("name=Lamp;price=3");
        browser.expecting(422);
        var page = at(owner, shop + "/product?a=price&o=gt&v=cheap&a=name&o=eq&v=Lamp&a=made&o=gte&v=soon");
        assertThat(page.locator(".condition [name=v]").first()).hasValue("cheap");
        assertThat(page.locator(".condition").first().locator(".error")).hasText("Must be a number.");
        assertThat(page.locator(".condition").nth(1).locator(".error")).hasCount(0);
        assertThat(page.locator(".condition").nth(2).locator(".error")).containsText("offset");
        assertThat(page.locator(".chip").first()).containsText("not applied");
        assertThat(page.locator("#rows tr[data-row]")).hasCount(1);
    }

    @Test
    void moreLinesComeWhenTheyAreSeenAndByALinkWithoutScripts() {
        var shop = shop();
        var lines = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            lines.append("{\"name\": \"Cup %03d\", \"price\": %d}\n".formatted(i, i));
        }
        ImportPagesTest.imported(owner, shop, lines.toString());
        var page = at(owner, shop + "/product?sort=name");
        assertThat(page.locator("#rows tr[data-row]")).hasCount(50);
        page.locator("#rows tr[data-row]").last().scrollIntoViewIfNeeded();
        assertThat(page.locator("#rows tr[data-row]")).hasCount(120);
        assertThat(page.locator("#rows tr[data-row]").last()).containsText("Cup 119");
        assertThat(page.locator("#rows tr.more")).hasCount(0);
        assertThat(page.locator("#count")).hasText("120 records");

        var plain = square.visit(browser.openWithoutScripts(), owner, shop + "/product?sort=name");
        plain.getByText("Show more").click();
        assertThat(plain.locator("#rows tr[data-row]").first()).containsText("Cup 050");
        assertThat(plain.locator("#count")).hasText("120 records");
    }

    @Test
    void aLineIsDeletedAndHadBack() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=40");
        var page = at(owner, shop + "/product");
        var line = page.locator("#rows tr", new Page.LocatorOptions().setHasText("Lamp"));
        line.hover();
        line.locator(".row-action button").click();
        assertThat(page.locator("#rows tr.gone")).containsText("Record deleted.");
        page.locator("#rows tr.gone button").click();
        assertThat(cell(page, "Lamp", "price")).hasText("3");
        page.reload();
        assertThat(page.locator("#rows tr[data-row]")).hasCount(2);
    }

    @Test
    void optionsAreEditedOnTheirPageAndShownAsChips() {
        var shop = shop("name=Lamp;status=draft", "name=Chair;status=active");
        var attribute = shop + "/product/schema/attributes/10";
        assertThat(owner.api().get(attribute).body()).contains(attribute + "/options");
        var page = Jsoup.parse(owner.api().get(attribute + "/options").body());
        assertThat(page.select("[name$=.value]").eachAttr("value")).startsWith("draft", "active");
        var removed = send(
                owner,
                attribute + "/options",
                "o0.was=draft",
                "o0.value=draft",
                "o0.remove=true",
                "o1.was=active",
                "o1.value=live");
        assertThat(removed.status()).isEqualTo(409);
        assertThat(Jsoup.parse(removed.body()).select(".alert.bad").text()).contains("1 record has a value");
        assertSent(send(
                owner,
                attribute + "/options",
                "o0.was=draft",
                "o0.value=draft",
                "o0.title=Draft",
                "o0.color=orange",
                "o1.was=active",
                "o1.value=live",
                "o1.color=green",
                "o2.was=",
                "o2.value=gone",
                "down=draft"));
        var grid = Jsoup.parse(owner.api().get(shop + "/product?sort=name").body());
        assertThat(grid.select("#rows .option").eachText()).containsExactly("live", "Draft");
        assertThat(grid.select("#rows .option").first().classNames()).contains("c-green");
        var form = Jsoup.parse(owner.api().get(shop + "/product/new").body());
        assertThat(form.select("select[name=v.status] option").eachText())
                .containsExactly("–", "live", "Draft", "gone");
    }

    @Test
    void everythingFitsAPhone() {
        var shop = shop("name=Lamp;price=3;status=active;made=2026-01-31T12:00;fragile=true");
        var page = square.visit(browser.openPhone(), owner, "/records");
        for (var path : new String[] {
            "/records",
            shop,
            shop + "/product",
            shop + "/product/new",
            shop + "/product/schema",
            shop + "/product/schema/attributes/10/options",
            shop + "/product/rules",
            shop + "/product/chart?by=status",
            shop + "/-/import",
            shop + "/-/members",
            shop + "/-/indexes"
        }) {
            go(page, path);
            var overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assertThat(((Number) overflow).intValue()).as(path).isLessThanOrEqualTo(0);
        }
    }

    @Test
    void whatIsPastedBeyondTheEdgeIsToldAndARowCanBeAdded() {
        var shop = shop();
        add(shop, "name=Lamp;price=3");
        add(shop, "name=Chair;price=40");
        var page = at(owner, shop + "/product?sort=name");
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        browser.discard();
        assertThat(page.locator("#grid thead th.frozen")).hasAttribute("data-column", "name");
        page.evaluate("navigator.clipboard.writeText('5\\tactive\\t\\tyes\\tx\\ty')");
        cell(page, "Lamp", "price").click();
        page.keyboard().press("Control+v");
        assertThat(page.locator("#grid-status"))
                .hasText("4 cells pasted. Left out, as they are beyond the edge of the grid: 2 columns.");
        assertThat(cell(page, "Lamp", "price")).hasText("5");
        page.locator("#add-row").click();
        assertThat(page).hasURL(Pattern.compile(".*/product/new"));
    }
}
