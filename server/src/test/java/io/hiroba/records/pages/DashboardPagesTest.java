package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** Dashboards in the browsers of those who make and read them. */
class DashboardPagesTest extends RecordsDesk {

    @Test
    void chartsAreAddedToADashboardArrangedAndRead() {
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var page = at(owner, shop + "/product/chart?a=status&o=eq&v=active&measure=sum.price&by=-");
        assertThat(page.locator(".figure")).hasText("93");
        press(page, "Add");
        assertThat(page.locator("h1")).hasText("Overview");
        assertThat(page.locator(".panel .figure")).hasText("93");
        assertThat(page.locator(".panel .tag")).hasText("status is active");
        go(page, shop + "/product/chart");
        assertThat(page.locator("#by")).hasValue("status");
        press(page, "Add");
        assertThat(page.locator(".panel")).hasCount(2);
        assertThat(page.locator(".panel .bar-mark")).hasCount(2);

        page.locator(".panel").last().locator(".more-menu > summary").click();
        page.locator(".panel").last().getByLabel("Title").fill("How many of each");
        page.locator(".panel").last().getByLabel("As wide as the page").check();
        page.locator(".panel").last().getByText("Save").click();
        assertThat(page.locator(".wide-panel h2")).hasText("How many of each");
        page.locator(".panel").last().locator(".more-menu > summary").click();
        press(page, "Move up");
        assertThat(page.locator(".panel h2").first()).hasText("How many of each");
        page.locator(".panel h2 a").last().click();
        assertThat(page.locator(".figure")).hasText("93");

        var viewer = member(shop, "Vera", "viewer");
        go(page, shop + "/-/dashboards");
        var path = page.locator("#dashboards a").first().getAttribute("href");
        page.locator("#dashboards a").first().click();
        assertThat(page.locator(".panel")).hasCount(2);
        assertSent(setRules(owner, shop + "/product/rules", "see.price=hide"));
        var seen = Jsoup.parse(viewer.api().get(path).body());
        assertThat(seen.select(".panel")).hasSize(2);
        assertThat(seen.select(".figure")).isEmpty();
        assertThat(seen.select("main").text()).contains("cannot see").doesNotContain("price");
        assertThat(seen.select("main form[method=post]")).isEmpty();
        assertThat(send(viewer, path + "/panels/0/remove").status()).isEqualTo(403);
        assertThat(send(viewer, shop + "/product/chart?by=status").status()).isEqualTo(403);

        // Who comes late is told so.
        assertThat(send(owner, path + "/panels/0/remove?version=1").status()).isEqualTo(412);
        assertThat(send(owner, path + "/panels/7/remove").status()).isEqualTo(422);
        page.locator(".panel").first().locator(".more-menu > summary").click();
        page.locator(".panel").first().locator(".confirm > summary").click();
        page.locator(".panel").first().locator(".confirm button").click();
        assertThat(page.locator(".panel")).hasCount(1);
        assertSent(send(owner, path + "/delete"));
        assertThat(owner.api().get(path).status()).isEqualTo(404);
    }
}
