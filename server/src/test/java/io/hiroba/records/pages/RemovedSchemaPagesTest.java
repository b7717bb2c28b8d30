package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** What is told in place of the pages of a deleted schema. */
class RemovedSchemaPagesTest extends RecordsDesk {

    @Test
    void pagesOfADeletedSchemaSayWhoDeletedItAndUntilWhenItCanBeRestored() {
        var shop = shop("name=Lamp");
        var record = add(shop, "name=Cup");
        var viewer = member(shop, "Vera", "viewer");
        var stranger = square.person("Stan");
        var project = shop.replace("/records/", "/api/v1/projects/");
        var query = owner.api().post(project + "/saved-queries", """
                {'name': 'All', 'shared': true, 'query': {'schema': 'product'}}
                """);
        assertThat(query.outcome()).as(query.body()).isEqualTo("201");
        var own = owner.api().post(project + "/saved-queries", """
                {'name': 'Mine', 'query': {'schema': 'product'}}
                """);
        var pages = new String[] {
            shop + "/product", record, shop + "/product/schema", shop + "/-/queries/" + query.text("id"),
        };
        assertThat(owner.api().delete(project + "/schemas/product").status()).isEqualTo(204);

        for (var path : pages) {
            var gone = viewer.api().get(path);
            assertThat(gone.status()).as(path + gone.body()).isEqualTo(410);
            var page = Jsoup.parse(gone.body());
            assertThat(page.select("h1").text()).isEqualTo("product was deleted");
            assertThat(page.select("main").text())
                    .contains("Olive deleted it", "can be restored until", "An owner of the project");
            assertThat(page.select("main form")).isEmpty();
            assertThat(Jsoup.parse(owner.api().get(path).body()).select("form[action$=/restore]"))
                    .hasSize(1);
            assertThat(stranger.api().get(path).status()).isEqualTo(404);
        }
        assertThat(viewer.api().get(shop + "/-/queries/" + own.text("id")).status())
                .as("it is not shared")
                .isEqualTo(404);
        assertThat(viewer.api().get(shop + "/never").status()).isEqualTo(404);
        assertThat(viewer.api().get(project + "/records/product").status()).isEqualTo(404);

        browser.expecting(410);
        var page = at(owner, record);
        press(page, "Restore");
        assertThat(page.locator("#rows tr")).hasCount(2);
        assertThat(read(viewer, record).select("h1").text()).isEqualTo("Cup");
        assertThat(read(viewer, shop + "/-/queries/" + query.text("id")).select("tbody tr"))
                .hasSize(2);
    }
}
