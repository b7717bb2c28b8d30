package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.time.LocalDateTime;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** The filters and orders of views: shown on their pages, and edited. */
class ViewFilterPagesTest extends RecordsDesk {

    @Test
    void theFilterOfAViewIsShownEverywhereAndEditedOnItsPage() {
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var board = assertSent(send(
                owner,
                shop + "/product/views?a=status&o=eq&v=active&a=price&o=gt&v=50&sort=-price",
                "name=Dear",
                "kind=board",
                "visibility=project"));
        for (var kind : List.of("board", "gallery", "calendar", "form", "grid")) {
            assertSent(edit(
                    owner,
                    board,
                    "name=Dear",
                    "kind=" + kind,
                    "visibility=project",
                    "by=10",
                    "date=17",
                    "c0.shown=true"));
            var path = kind.equals("grid") ? board.replace("/views/", "?view=") : board;
            assertThat(read(owner, path).select(".view-chips .chip").eachText())
                    .as(kind)
                    .containsExactly("status is active", "price > 50", "price, descending");
        }
        var viewer = member(shop, "Vera", "viewer");
        var grid = board.replace("/views/", "?view=");
        assertThat(read(viewer, grid).select(".view-chips a")).isEmpty();
        var page = at(owner, board + "/edit");
        assertThat(page.locator(".condition")).hasCount(3);
        page.locator(".condition").nth(1).locator("button").click();
        page.getByLabel("Sort key 1").selectOption("name");
        page.getByLabel("Sort key 2").selectOption("-price");
        press(page, "Save");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Bench", "Lamp"});
        assertThat(page.locator(".view-chips .chip"))
                .hasText(new String[] {"status is active", "name, ascending", "price, descending"});
        // Nothing of it is left where all of it is taken out.
        assertSent(edit(
                owner, board, "name=All", "kind=grid", "visibility=project", "match=all", "sort0=", "c0.shown=true"));
        assertThat(read(viewer, grid).select("#rows tr[data-row]")).hasSize(3);
        assertThat(read(viewer, grid).select(".view-chips")).isEmpty();
        var wrong = edit(
                owner,
                board,
                "name=All",
                "kind=grid",
                "match=any",
                "a=price",
                "o=gt",
                "v=cheap",
                "a=name",
                "o=eq",
                "v=x");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(Jsoup.parse(wrong.body()).select(".condition .error").text()).contains("number");
    }

    @Test
    void daysAreSaidByWordsAndOptionsAreTicked() {
        var shop = shop(
                "name=Lamp;status=active;made="
                        + LocalDateTime.now().minusDays(3).withNano(0),
                "name=Chair;status=draft;made="
                        + LocalDateTime.now().minusDays(30).withNano(0),
                "name=Bench");
        var page = at(owner, shop + "/product");
        page.locator("summary", new Page.LocatorOptions().setHasText("Filter")).click();
        var first = page.locator(".condition").first();
        first.getByLabel("Attribute").selectOption("made");
        first.getByLabel("Comparison").selectOption("pastDays");
        first.locator("input[name=v][type=number]").fill("7");
        press(page, "Apply");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Lamp"});
        assertThat(page.locator("main")).containsText("made is in the past 7 days");
        browser.expecting(422);
        go(page, shop + "/product?a=made&o=pastDays&v=0");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasCount(3);
        go(page, shop + "/product?a=name&o=notContains&v=a");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Bench"});

        go(page, shop + "/product?a=status&o=in&v=draft");
        page.locator("summary", new Page.LocatorOptions().setHasText("Filter")).click();
        var several = page.locator("[data-several-values]");
        several.locator("summary").click();
        several.getByLabel("active").check();
        assertThat(several.locator("summary")).hasText("draft, active");
        press(page, "Apply");
        assertThat(page.locator("#rows td.text[data-attr=name]")).hasText(new String[] {"Chair", "Lamp"});

        // A view keeps the words, and its page shows them again.
        var view = assertSent(send(
                owner,
                shop + "/product/views?a=made&o=within&v=this-month&a=made&o=nextDays&v=5",
                "name=Due",
                "kind=grid",
                "visibility=project"));
        var api = view.replace("/records/", "/api/v1/projects/")
                .replace("/product", "/schemas/product")
                .replace("?view=", "/views/");
        assertThat(owner.api().get(api).json().path("filter").toString())
                .contains("\"within\"", "\"this-month\"", "\"next-5-days\"");
        var edited = read(owner, view.replace("?view=", "/views/") + "/edit");
        assertThat(edited.select(".condition select[name=o] option[selected]").eachAttr("value"))
                .containsExactly("within", "nextDays");
        assertThat(read(owner, view).select(".view-chips .chip").eachText())
                .containsExactly("made: this month", "made is in the next 5 days");

        // A rule must not mean something else tomorrow.
        var rules = owner.api().get(shop + "/product/condition?rules=true&a=made&o=within&v=today");
        assertThat(rules.body()).doesNotContain("within");
    }

    @Test
    void conditionsThatNoLineSaysAreKeptOrTakenOutWhole() {
        var shop = shop("name=Lamp;price=3;status=active", "name=Chair;price=40", "name=Bench;price=90");
        var api = shop.replace("/records/", "/api/v1/projects/") + "/schemas/product/views";
        var made = owner.api().post(api, """
                {'name': 'Some', 'visibility': 'project', 'filter': {'and': [
                  {'or': [{'attr': 'price', 'op': 'lt', 'value': 5}, {'not': {'attr': 'name', 'value': 'Chair'}}]},
                  {'attr': 'price', 'op': 'gt', 'value': 1}]}}
                """);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        var view = shop + "/product/views/" + made.text("id");
        var grid = view.replace("/views/", "?view=");
        assertThat(read(owner, grid).select(".view-chips .chip").eachText())
                .containsExactly("price > 1", "(price < 5 or not name is Chair)");
        assertThat(read(owner, view + "/edit").select("[name=part]")).hasSize(1);
        assertSent(edit(
                owner,
                view,
                "name=Some",
                "kind=grid",
                "visibility=project",
                "match=all",
                "part=0",
                "c0.shown=true",
                "a=price",
                "o=gt",
                "v=50"));
        assertThat(read(owner, grid).select("#rows td.text").eachText()).containsExactly("Bench");
        assertSent(edit(owner, view, "name=Some", "kind=grid", "visibility=project", "match=all"));
        assertThat(read(owner, grid).select("#rows tr[data-row]")).hasSize(3);
    }
}
