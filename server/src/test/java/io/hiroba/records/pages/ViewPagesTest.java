package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.hiroba.testkit.ApiClient.Reply;
import java.util.List;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** Views in the browsers of those who keep and use them. */
class ViewPagesTest extends RecordsDesk {

    @Test
    void aGridIsKeptAsAViewAndEdited() {
        var shop = shop(
                "name=Lamp;price=3;status=active",
                "name=Chair;price=40;status=draft",
                "name=Bench;price=90;status=active");
        var grid = assertSent(send(
                owner,
                shop + "/product/views?a=status&o=eq&v=active&sort=-price&col=price&col=name",
                "name=On sale",
                "kind=grid",
                "visibility=project"));
        var viewer = member(shop, "Vera", "viewer");
        var page = read(viewer, grid);
        assertThat(page.select("thead a").eachText()).containsExactly("price▼", "name");
        assertThat(page.select("#rows td.text").eachText()).containsExactly("Bench", "Lamp");
        assertThat(page.select(".view-tabs a[aria-current=page]").text()).isEqualTo("On sale");
        assertThat(page.select(".view-actions").text()).doesNotContain("Edit view");
        // What is asked for besides narrows the view down, and can become part of it.
        var narrowed = read(owner, grid + "&a=price&o=gt&v=50");
        assertThat(narrowed.select("#rows td.text").eachText()).containsExactly("Bench");
        var update = narrowed.select("form[action*=/update]").attr("action");
        var version = "version="
                + narrowed.select("form[action*=/update] [name=version]").val();
        assertSent(send(owner, update, version));
        assertThat(read(viewer, grid).select("#rows td.text").eachText()).containsExactly("Bench");

        var path = grid.replace("?view=", "/views/");
        var edit = read(owner, path + "/edit");
        assertThat(edit.select("select[name=by] option").eachText()).containsExactly("–", "status", "fragile");
        assertSent(edit(
                owner,
                path,
                "name=Dear ones",
                "kind=grid",
                "visibility=project",
                "group=10",
                "sum0=sum:6",
                "c0.place=1",
                "c0.shown=true",
                "c0.width=220",
                "c0.frozen=true",
                "c6.place=2",
                "c6.shown=true"));
        var edited = read(viewer, grid);
        assertThat(edited.select("thead a").eachText()).containsExactly("name", "price▼");
        assertThat(edited.select("thead th.frozen").text()).isEqualTo("name");
        assertThat(edited.select("col[width=220]")).hasSize(1);
        assertThat(edited.select(".group-sums tbody tr").text()).isEqualTo("active 1 90");
        assertThat(edit(viewer, path, "name=Mine", "kind=grid", "visibility=project")
                        .status())
                .isEqualTo(403);
        assertThat(edit(owner, path, "name=x", "kind=board", "visibility=project", "by=")
                        .status())
                .isEqualTo(422);
        assertThat(send(owner, path + "/delete", "version=0").status())
                .as("somebody else has changed it")
                .isEqualTo(412);
        assertSent(send(
                owner,
                path + "/delete",
                "version="
                        + read(owner, path + "/edit")
                                .select("input[name=version]")
                                .attr("value")));
        assertThat(viewer.api().get(path).status()).isEqualTo(404);
        assertThat(read(viewer, grid).select("#rows tr[data-row]")).hasSize(3);
    }

    @Test
    void whoeverChangesAViewThatIsAnotherByNowIsTold() {
        var shop = shop("name=Lamp;price=3;status=active", "name=Chair;price=40;status=draft");
        var grid = assertSent(send(owner, shop + "/product/views", "name=All", "visibility=project"));
        var path = grid.replace("?view=", "/views/");
        var editor = member(shop, "Ed", "editor");
        var old = read(owner, path + "/edit").select("[name=version]").val();
        var update = read(owner, grid + "&a=price&o=gt&v=5").select("form[action*=/update]");
        assertSent(edit(editor, path, "name=Ours", "kind=grid", "visibility=project", "c0.shown=true"));
        var stale = send(owner, path + "/edit", "version=" + old, "name=Mine", "kind=grid", "visibility=project");
        assertThat(stale.status()).isEqualTo(412);
        var newest = Jsoup.parse(stale.body());
        assertThat(newest.select(".alert.bad").text()).contains("Somebody else changed this view");
        assertThat(newest.select("#name").val()).isEqualTo("Ours");
        assertThat(send(owner, path + "/edit", "name=Mine", "kind=grid", "visibility=project")
                        .status())
                .isEqualTo(412);
        // The button on the page of before changes nothing either, and the page of now is shown.
        var back = assertSent(send(
                owner,
                update.attr("action"),
                "version=" + update.select("[name=version]").val()));
        assertThat(back).contains("a=price");
        assertThat(read(owner, grid).select("#rows tr[data-row]")).hasSize(2);
    }

    @Test
    void aCardIsMovedByMouseAndKeyboard() {
        var shop = shop("name=Lamp;price=3;status=draft", "name=Chair;price=40;status=draft");
        var lamp = add(shop, "name=Bench;status=active");
        var board =
                assertSent(send(owner, shop + "/product/views", "name=By status", "kind=board", "visibility=project"));
        browser.expecting(412);
        var page = at(owner, board);
        assertThat(lane(page, "draft").locator(".board-card")).hasCount(2);
        card(page, "Lamp").dragTo(lane(page, "active"));
        assertThat(lane(page, "active").locator(".board-card")).hasCount(2);
        assertThat(page.locator("#board [role=status]")).hasText("Lamp moved to active.");

        card(page, "Chair").focus();
        page.keyboard().press("Shift+ArrowRight");
        assertThat(lane(page, "active").locator(".board-card")).hasCount(3);
        assertThat(card(page, "Chair")).isFocused();
        page.keyboard().press("Shift+ArrowLeft");
        assertThat(lane(page, "draft").locator(".board-card")).hasCount(1);

        // Somebody else was faster: nothing is written over.
        assertSent(send(owner, lamp, "version=1", "v.name=Bench", "v.status=draft"));
        card(page, "Bench").focus();
        page.keyboard().press("Shift+ArrowLeft");
        assertThat(page.locator("#board [role=alert]")).containsText("Somebody else changed");
        page.reload();
        assertThat(lane(page, "draft").locator(".board-card")).hasCount(2);

        var viewer = member(shop, "Vera", "viewer");
        var seen = read(viewer, board);
        assertThat(seen.select(".board-card form")).isEmpty();
        var id = seen.select("[data-card]").attr("data-card");
        assertThat(send(viewer, board + "/move", "row=" + id, "version=1", "to=")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aCalendarHasDaysAsDaysAndMomentsInTheZoneOfTheReader() {
        var shop = shop(
                "name=Early;made=2026-02-01T00:30",
                "name=Late;made=2026-02-28T23:30",
                "name=Other;made=2026-04-02T12:00");
        var calendar = assertSent(send(owner, shop + "/product/views", "name=When", "kind=calendar"));
        var page = at(owner, calendar + "?month=2026-02");
        assertThat(page.locator(".month-bar h2")).hasText("February 2026");
        assertThat(page.locator("td[data-day='2026-02-01'] li")).containsText("Early");
        assertThat(page.locator("td[data-day='2026-02-28'] li")).containsText("23:30");
        assertThat(page.locator("td[data-day='2026-02-28'] time"))
                .hasText("28", new LocatorAssertions.HasTextOptions().setUseInnerText(true));
        page.setViewportSize(380, 700);
        assertThat(page.locator("td[data-day='2026-02-28'] time"))
                .hasText("Sat 28 Feb", new LocatorAssertions.HasTextOptions().setUseInnerText(true));
        page.setViewportSize(1200, 800);
        // The address of the tab of a grid leads to the calendar too, unless some of its records are asked for.
        go(page, calendar.replace("/views/", "?view="));
        assertThat(page).hasURL(Pattern.compile("/views/"));
        go(page, calendar.replace("/views/", "?view=") + "&a=name&o=eq&v=Late");
        assertThat(page.locator("#rows tr[data-row]")).hasCount(1);
        go(page, calendar + "?month=2026-02");
        assertThat(page.locator(".month li")).hasCount(2);
        page.getByLabel("Next month").click();
        assertThat(page.locator(".month-bar h2")).hasText("March 2026");
        assertThat(page.locator("td[data-day='2026-04-02'] li")).containsText("Other");
        var other = member(shop, "Vera", "viewer");
        assertThat(other.api().get(calendar).status()).as("it is private").isEqualTo(404);
    }

    @Test
    void aDayIsTheSameDayInLosAngelesAndTokyo() {
        var shop = project("Plans");
        var api = shop.replace("/records/", "/api/v1/projects/");
        owner.api().post(api + "/schemas", """
                {'name': 'plan', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'due', 'type': 'date'}]}
                """);
        owner.api().post(api + "/records/plan", """
                [{'name': 'Last', 'due': '2026-02-28'}, {'name': 'First', 'due': '2026-02-01'}, {'name': 'After', 'due': '2026-03-09'}]
                """);
        var calendar =
                assertSent(send(owner, shop + "/plan/views", "name=When", "kind=calendar", "visibility=project"));
        for (var zone : List.of("America/Los_Angeles", "Asia/Tokyo")) {
            var reader = member(shop, "Vera", "viewer");
            assertThat(reader.api()
                            .put(
                                    "/api/v1/users/" + reader.id(),
                                    "{'nickname': 'Vera', 'introduction': '', 'timeZone': '%s'}".formatted(zone))
                            .outcome())
                    .isEqualTo("200");
            var month = read(reader, calendar + "?month=2026-02");
            assertThat(month.select("td[data-day=2026-02-28] li").text()).isEqualTo("Last");
            assertThat(month.select("td[data-day=2026-02-01] li").text()).isEqualTo("First");
            assertThat(month.select(".month li")).as(zone).hasSize(2);
            assertThat(month.text()).as("a day has no zone").doesNotContain(zone);
        }
    }

    @Test
    void aFormMakesRecordsAndAGalleryShowsThem() {
        var shop = shop();
        var form = assertSent(
                send(owner, shop + "/product/views?col=name&col=price", "name=Ask", "kind=form", "visibility=project"));
        assertSent(edit(
                owner,
                form,
                "name=Ask",
                "kind=form",
                "visibility=project",
                "heading=Propose a product",
                "thanks=We look at it.",
                "c0.shown=true",
                "c6.shown=true"));
        var empty = read(owner, form);
        assertThat(empty.select("form.record-form h2").text()).isEqualTo("Propose a product");
        assertThat(empty.select("[name^=v.]").eachAttr("name")).containsExactly("v.name", "v.price");
        var refused = send(owner, form + "/submit", "v.name=", "v.price=3");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Jsoup.parse(refused.body()).select(".error").text()).contains("required");
        // A field that the form does not have is not written.
        var sent = assertSent(send(owner, form + "/submit", "v.name=Lamp", "v.price=3", "v.status=draft"));
        assertThat(read(owner, sent).select(".sheet-thanks").text()).contains("We look at it.");
        var viewer = member(shop, "Vera", "viewer");
        assertThat(read(viewer, form).select("form.record-form button")).isEmpty();
        assertThat(send(viewer, form + "/submit", "v.name=x").status()).isEqualTo(403);

        // A field is asked for in the words of the form, and may be required by it alone.
        assertSent(edit(
                owner,
                form,
                "name=Ask",
                "kind=form",
                "visibility=project",
                "c0.place=2",
                "c0.shown=true",
                "c0.label=What is it called?",
                "c0.help=As on the label.",
                "c6.place=1",
                "c6.shown=true",
                "c6.label=",
                "c6.required=true"));
        var worded = read(owner, form).select("form.record-form");
        assertThat(worded.select("[name^=v.]").eachAttr("name")).containsExactly("v.price", "v.name");
        assertThat(worded.select("label").text()).contains("What is it called?");
        assertThat(worded.text()).contains("As on the label.");
        assertThat(send(owner, form + "/submit", "v.name=Sofa").status()).isEqualTo(422);
        var shownAgain = read(owner, form + "/edit");
        assertThat(shownAgain.select("[name='c0.label']").val()).isEqualTo("What is it called?");
        assertThat(shownAgain.select("[name='c6.required'][checked]")).hasSize(1);

        var gallery = assertSent(send(owner, shop + "/product/views", "name=Pictures", "kind=gallery"));
        assertThat(read(owner, gallery).select(".gallery .card").text()).isEqualTo("Lamp price 3");
    }

    @Test
    void aLinkIsMadeAndRevokedOnAPage() {
        var shop = shop("name=Lamp;price=3;status=active");
        var view = assertSent(send(owner, shop + "/product/views", "name=For all", "kind=gallery"));
        assertThat(read(owner, view).select("a[href$=/links]")).hasSize(1);
        assertThat(send(owner, view + "/links", "days=900").status()).isEqualTo(422);
        var made = send(owner, view + "/links", "days=7");
        assertThat(made.status()).isEqualTo(200);
        var path = Jsoup.parse(made.body()).select(".alert.good a").attr("href");
        assertThat(square.anonymous().get(path).body()).contains("Lamp");
        var links = read(owner, view + "/links");
        assertThat(links.body().html()).doesNotContain(path);
        assertSent(send(owner, links.select("form[action$=/revoke]").attr("action")));
        assertThat(square.anonymous().get(path).status()).isEqualTo(404);
        var viewer = member(shop, "Vera", "viewer");
        assertThat(send(viewer, view + "/links", "days=7").status()).isIn(403, 404);
    }

    @Test
    void whoeverComesByLinksIsLimited() {
        var shop = shop();
        var form = assertSent(send(owner, shop + "/product/views", "name=Ask", "kind=form"));
        var path = Jsoup.parse(send(owner, form + "/links", "days=7").body())
                .select(".alert.good a")
                .attr("href");
        var anybody = square.anonymous();
        for (int i = 0; i < 20; i++) {
            assertThat(sent(path).status()).isEqualTo(422);
        }
        assertThat(sent(path).status()).isEqualTo(429);
        assertThat(Integer.parseInt(sent(path).header("Retry-After"))).isBetween(1, 60);
        assertThat(anybody.get(path).status()).as("it is still read").isEqualTo(200);
        var read = anybody.get(path);
        for (int i = 0; i < 120 && read.status() == 200; i++) {
            read = anybody.get(path);
        }
        assertThat(read.status()).isEqualTo(429);
        assertThat(read.header("Retry-After")).isNotEmpty();
        assertThat(anybody.get("/shared/views/" + "A".repeat(43)).status())
                .as("whatever the link")
                .isEqualTo(429);
        assertThat(owner.api().get(form).status()).as("members are not").isEqualTo(200);
        // All tests come from one address.
        square.server
                .database()
                .db()
                .useTransaction(
                        tx -> tx.update("DELETE FROM platform.throttles").execute());
    }

    private Reply sent(String path) {
        return square.anonymous().sendAs("application/x-www-form-urlencoded", "POST", path + "/submit", "v.name=");
    }

    @Test
    void whatAGridShowsIsWatchedSharedAndForgotten() {
        var shop = shop("name=Lamp;price=3;status=active", "name=Chair;price=40;status=draft");
        var queries = assertSent(send(owner, shop + "/product/watch?a=status&o=eq&v=active", "name=On sale"));
        var query = read(owner, queries).select(".project-cards a").attr("href");
        assertThat(read(owner, queries).select(".tag.accent").text()).isEqualTo("Watched");
        assertThat(read(owner, query).select("tbody td.text").eachText()).startsWith("Lamp");
        var viewer = member(shop, "Vera", "viewer");
        assertThat(viewer.api().get(query).status()).isEqualTo(404);
        assertSent(send(owner, query + "/share", "to=on"));
        assertSent(send(owner, query + "/notify", "to=off"));
        assertThat(read(viewer, queries).select(".project-cards .tag").eachText())
                .containsExactly("Shared");
        assertThat(read(viewer, queries).select(".project-cards form")).isEmpty();
        assertThat(send(viewer, query + "/delete").status()).isEqualTo(403);
        assertSent(send(owner, query + "/delete"));
        assertThat(read(owner, queries).select(".project-cards a")).isEmpty();
    }

    @Test
    void viewsFitAPhone() {
        var shop = shop("name=Lamp;price=3;status=active;made=2026-01-31T12:00;fragile=true");
        var page = square.visit(browser.openPhone(), owner, "/records");
        go(page, shop + "/-/queries");
        for (var kind : new String[] {"board", "calendar", "gallery", "form"}) {
            var view = assertSent(send(owner, shop + "/product/views", "name=Some " + kind, "kind=" + kind));
            for (var path : new String[] {view, view + "/edit"}) {
                go(page, path);
                var overflow =
                        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
                assertThat(((Number) overflow).intValue()).as(path).isLessThanOrEqualTo(0);
            }
        }
    }

    private static Locator lane(Page page, String label) {
        return page.locator(".lane[aria-label='" + label + "']");
    }

    private static Locator card(Page page, String title) {
        return page.locator(".board-card[aria-label='" + title + "']");
    }
}
