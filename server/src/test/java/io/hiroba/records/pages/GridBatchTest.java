package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square.Person;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** Many cells of a grid changed in one request, and who may send it. */
class GridBatchTest extends RecordsDesk {

    @Test
    void allThatMatchIsChangedAndDeletedAfterItsNumberIsShownAndUndone() {
        var shop = shop("name=Lamp;price=3", "name=Cup;price=30", "name=Pot;price=40");
        var page = at(owner, shop + "/product?a=price&o=gte&v=30");
        page.locator(".more-menu summary").click();
        page.getByText("Delete or change all that match").first().click();
        assertThat(page.locator("#bulk-count")).hasText("2 records match.");
        assertThat(page.locator(".chips")).containsText("price");
        page.locator("#attribute").selectOption("name");
        page.locator("#value").fill("Thing");
        press(page, "Change 2 records");
        assertThat(page.locator("#bulk-state")).containsText("2 of 2 records changed.");
        press(page, "Undo");
        assertThat(page.locator("#bulk-state")).containsText("2 of 2 records restored.");
        go(page, shop + "/product/bulk?a=price&o=gte&v=30");
        press(page, "Delete 2 records");
        assertThat(page.locator("#bulk-state")).containsText("2 of 2 records deleted.");
        page.getByText("To the records").click();
        assertThat(page.locator("#rows tr")).hasCount(1);

        assertThat(owner.api().get(shop + "/product/bulk?a=gone&o=eq&v=1").status())
                .as("without a condition that is not there any more, more records would match")
                .isEqualTo(400);
        var all = send(owner, shop + "/product/bulk", "operation=delete", "expected=1");
        assertThat(all.status()).isEqualTo(422);
        assertThat(all.body()).contains("There is no condition.");
        var other = send(owner, shop + "/product/bulk", "operation=delete", "expected=7", "all=true");
        assertThat(other.body()).contains("1 record matches by now");
        var viewer = member(shop, "Vic", "viewer");
        assertThat(viewer.api().get(shop + "/product/bulk").status()).isEqualTo(403);
        assertThat(send(viewer, shop + "/product/bulk", "operation=delete", "all=true")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void cellsAreChangedTogetherAndTakenBackByTheAnswer() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var chair = id(add(shop, "name=Chair;price=40"));
        var changed = send(
                owner,
                shop,
                "cells",
                row(lamp, 1, Map.of("price", "1,000", "status", "ACTIVE")),
                row(chair, 1, Map.of("price", "")));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        var body = body(changed);
        assertThat(body.select("tr").eachAttr("data-version")).containsExactly("2", "2");
        assertThat(body.select("tr").first().select("td[data-attr=price]").text())
                .isEqualTo("1000");
        assertThat(body.select("tr").first().select("td[data-attr=status]").text())
                .isEqualTo("active");
        var undo = "{\"rows\":" + body.attr("data-undo") + "}";
        assertThat(undo).contains("\"price\":3").contains("\"status\":null").contains("\"price\":40");
        var undone = owner.api().post(shop + "/product/cells", undo);
        assertThat(body(undone).select("td[data-attr=price]").eachText()).containsExactly("3", "40");
        // What was taken back once is an older version.
        assertThat(owner.api().post(shop + "/product/cells", undo).status()).isEqualTo(412);
    }

    @Test
    void aPastedDayOrNumberIsReadAsPeopleWriteIt() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var changed = send(owner, shop, "cells", row(lamp, 1, Map.of("price", "１，２３４.5", "made", "2026/8/20 9:05")));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        var values =
                owner.api().get(api(shop) + "/records/product/" + lamp).json().path("values");
        assertThat(values.path("price").toString()).isEqualTo("1234.5");
        assertThat(values.path("made").asString()).startsWith("2026-08-");
    }

    @Test
    void pastedDaysShowWhetherTheMonthOrTheDayComesFirst() {
        var shop = shop();
        var mary = member(shop, "Mary", "editor");
        var profile = "{'nickname': 'Mary', 'introduction': '', 'timeZone': 'America/New_York'}";
        assertThat(mary.api().put("/api/v1/users/" + mary.id(), profile).outcome())
                .isEqualTo("200");
        var lamp = id(add(shop, "name=Lamp"));
        var chair = id(add(shop, "name=Chair"));
        var day = id(add(shop, "name=Day"));
        var open = send(mary, shop, "cells", row(lamp, 1, Map.of("made", "8/7/2026")));
        assertThat(open.status()).isEqualTo(422);
        assertThat(open.body()).contains("May be one of two days");
        var changed = send(
                mary,
                shop,
                "cells",
                row(lamp, 1, Map.of("made", "8/7/2026")),
                row(chair, 1, Map.of("made", "8/20/2026 3:00 PM")),
                row(day, 1, Map.of("made", "2026-08-20")));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        assertThat(made(shop, lamp)).isEqualTo("2026-08-07T04:00:00Z");
        assertThat(made(shop, chair)).isEqualTo("2026-08-20T19:00:00Z");
        assertThat(made(shop, day)).isEqualTo("2026-08-20T04:00:00Z");
    }

    @Test
    void optionsArePastedWithSemicolonsBetweenThem() {
        var project = project("Lists");
        assertSent(send(
                owner,
                project + "/-/new-schema",
                "name=product",
                "a0.name=name",
                "a0.type=text",
                "a1.name=tags",
                "a1.type=multi_select",
                "a1.enum=red\ngreen\na; b"));
        var lamp = id(assertSent(send(owner, project + "/product/new", "v.name=Lamp", "v.tags=red")));
        var changed = send(owner, project, "cells", row(lamp, 1, Map.of("tags", "green; red\na; b")));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        assertThat(owner.api()
                        .get(api(project) + "/records/product/" + lamp)
                        .json()
                        .at("/values/tags"))
                .hasToString("[\"green\",\"red\",\"a; b\"]");
    }

    private String made(String shop, String id) {
        return owner.api()
                .get(api(shop) + "/records/product/" + id)
                .json()
                .at("/values/made")
                .asString();
    }

    @Test
    void oneWrongCellLeavesAllAsTheyWere() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var chair = id(add(shop, "name=Chair;price=40"));
        var refused = send(
                owner,
                shop,
                "cells",
                row(lamp, 1, Map.of("name", "Bulb")),
                row(chair, 1, Map.of("price", "-1", "name", "")));
        assertThat(refused.status()).isEqualTo(422);
        var errors = new ArrayList<String>();
        refused.json()
                .path("errors")
                .forEach(each -> errors.add(each.path("row").asString() + " "
                        + each.path("attribute").asString()));
        assertThat(errors).containsExactlyInAnyOrder(chair + " price", chair + " name");
        assertThat(names(shop)).containsExactlyInAnyOrder("Lamp", "Chair");
        var old =
                send(owner, shop, "cells", row(lamp, 1, Map.of("name", "Bulb")), row(chair, 7, Map.of("name", "Sofa")));
        assertThat(old.status()).isEqualTo(412);
        assertThat(old.json().path("errors").path(0).path("row").asString()).isEqualTo(chair);
        assertThat(names(shop)).containsExactlyInAnyOrder("Lamp", "Chair");
    }

    @Test
    void viewersReadAndNobodyWritesWhatIsHidden() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var viewer = member(shop, "Vic", "viewer");
        var editor = member(shop, "Edda", "editor");
        var stranger = square.person("Stan");
        var rules = owner.api()
                .put(api(shop) + "/schemas/product/rules", "{\"hidden\": [\"price\"], \"readOnly\": [\"status\"]}");
        assertThat(rules.status()).as(rules.body()).isEqualTo(200);
        var change = row(lamp, 1, Map.of("name", "Bulb"));
        for (var part : List.of("cells", "delete-rows", "restore-rows")) {
            assertThat(send(viewer, shop, part, change).status()).as(part).isEqualTo(403);
            assertThat(send(stranger, shop, part, change).status()).as(part).isEqualTo(404);
        }
        for (var name : List.of("price", "status", "nothing")) {
            assertThat(send(editor, shop, "cells", row(lamp, 1, Map.of(name, "1")))
                            .status())
                    .isEqualTo(422);
            assertThat(send(editor, shop, "cells", Map.of("id", lamp, "version", 1, "values", Map.of(name, "1")))
                            .status())
                    .isEqualTo(422);
        }
        var read = viewer.api().get(shop + "/product/rows?id=" + lamp);
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body()).contains("Lamp").doesNotContain("price").doesNotContain(">3<");
        assertThat(viewer.api().get(shop + "/product").body()).doesNotContain("price");
        assertThat(stranger.api().get(shop + "/product/rows?id=" + lamp).status())
                .isEqualTo(404);
        assertThat(stranger.api().get(shop + "/product/positions?after=x").status())
                .isEqualTo(404);
        assertThat(body(send(editor, shop, "cells", change)).text()).contains("Bulb");
    }

    @Test
    void rowsAreRestoredAllOrNone() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var chair = id(add(shop, "name=Chair;price=40"));
        assertThat(send(owner, shop, "delete-rows", row(lamp, 1, Map.of()), row(chair, 2, Map.of()))
                        .status())
                .isEqualTo(412);
        assertThat(names(shop)).hasSize(2);
        var deleted = send(owner, shop, "delete-rows", row(lamp, 1, Map.of()), row(chair, 1, Map.of()));
        assertThat(deleted.json().path("deleted").path(1).path("version").intValue())
                .isEqualTo(2);
        assertThat(names(shop)).isEmpty();
        assertThat(send(owner, shop, "restore-rows", row(lamp, 2, Map.of()), row(chair, 1, Map.of()))
                        .status())
                .isEqualTo(412);
        assertThat(names(shop)).isEmpty();
        var restored = send(owner, shop, "restore-rows", row(lamp, 2, Map.of()), row(chair, 2, Map.of()));
        assertThat(body(restored).select("td[data-attr=price]").eachText()).containsExactly("3", "40");
        assertThat(names(shop)).hasSize(2);
    }

    @Test
    void newRowsAreCreatedOnceWithTheChangesBesideThem() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var faulty = owner.api()
                .post(
                        shop + "/product/cells",
                        Json.text(Map.of(
                                "rows", List.of(row(lamp, 1, Map.of("price", "-1"))),
                                "created", List.of(created("new-1", Map.of("price", "x"))))));
        assertThat(faulty.status()).isEqualTo(422);
        var errors = new ArrayList<String>();
        faulty.json()
                .path("errors")
                .forEach(each -> errors.add(each.path("row").asString() + " "
                        + each.path("attribute").asString()));
        assertThat(errors).containsExactlyInAnyOrder(lamp + " price", "new-1 price", "new-1 name");
        assertThat(names(shop)).containsExactly("Lamp");

        var onlyNew = Json.text(
                Map.of("key", "k1", "created", List.of(created("new-1", Map.of("name", "Sofa", "price", "1,200")))));
        var made = body(owner.api().post(shop + "/product/cells", onlyNew)).attr("data-created");
        assertThat(body(owner.api().post(shop + "/product/cells", onlyNew)).attr("data-created"))
                .isEqualTo(made);
        assertThat(names(shop)).containsExactlyInAnyOrder("Lamp", "Sofa");

        // What takes a paste back: cells as they were, and the new records deleted.
        var taken = "{\"rows\": [{\"id\": \"%s\", \"version\": 1, \"values\": {\"price\": 4}}], \"deleted\": %s}"
                .formatted(lamp, made);
        var back = body(owner.api().post(shop + "/product/cells", taken));
        assertThat(back.select("td[data-attr=price]").eachText()).containsExactly("4");
        assertThat(names(shop)).containsExactly("Lamp");
        var again = "{\"restored\": %s}".formatted(back.attr("data-deleted"));
        assertThat(body(owner.api().post(shop + "/product/cells", again)).text())
                .contains("Sofa");
        assertThat(names(shop)).containsExactlyInAnyOrder("Lamp", "Sofa");
    }

    @Test
    void whoMayNotCreateCreatesNothing() {
        var shop = shop();
        var lamp = id(add(shop, "name=Lamp;price=3"));
        var viewer = member(shop, "Vicky", "viewer");
        var editor = member(shop, "Edgar", "editor");
        var rules = owner.api().put(api(shop) + "/schemas/product/rules", "{\"editors\": {\"create\": false}}");
        assertThat(rules.status()).as(rules.body()).isEqualTo(200);
        var paste = Json.text(Map.of(
                "rows", List.of(row(lamp, 1, Map.of("price", "4"))),
                "created", List.of(created("new-1", Map.of("name", "Sofa")))));
        assertThat(viewer.api().post(shop + "/product/cells", paste).status()).isEqualTo(403);
        assertThat(square.person("Stu")
                        .api()
                        .post(shop + "/product/cells", paste)
                        .status())
                .isEqualTo(404);
        assertThat(editor.api().post(shop + "/product/cells", paste).outcome()).isEqualTo("403 records.create-denied");
        assertThat(names(shop)).containsExactly("Lamp");
        assertThat(owner.api()
                        .get(api(shop) + "/records/product/" + lamp)
                        .json()
                        .at("/values/price")
                        .intValue())
                .isEqualTo(3);
    }

    @Test
    void aReferenceIsPastedByItsTitle() {
        var shop = shop("name=Lamp;price=3", "name=Chair;price=1", "name=Chair;price=2");
        var schema = owner.api().post(api(shop) + "/schemas", """
                        {"name": "order", "attributes": [
                          {"name": "what", "type": "text", "references": "product"}, {"name": "note", "type": "text"}]}
                        """);
        assertThat(schema.status()).as(schema.body()).isEqualTo(201);
        var made = owner.api().post(api(shop) + "/records/order", "{\"note\": \"first\"}");
        var order = made.text("id");
        var changed = owner.api().post(shop + "/order/cells", body(row(order, 1, Map.of("what", "Lamp"))));
        assertThat(body(changed).select("td.link").text()).isEqualTo("Lamp");
        assertThat(body(changed).select("td.link").attr("data-text")).isEqualTo("Lamp");
        assertThat(owner.api()
                        .post(shop + "/order/cells", body(row(order, 2, Map.of("what", "Chair"))))
                        .body())
                .contains("several have the title");
        assertThat(owner.api()
                        .post(shop + "/order/cells", body(row(order, 2, Map.of("what", "Sofa"))))
                        .body())
                .contains("none has the title");
    }

    @Test
    void badRequestsAreRefused() {
        var shop = shop();
        assertThat(owner.api().post(shop + "/product/cells", "{\"rows\": []}").status())
                .isEqualTo(400);
        assertThat(owner.api().post(shop + "/product/cells", "{}").status()).isEqualTo(400);
        assertThat(owner.api()
                        .post(shop + "/product/cells", "{\"rows\": [{\"id\": \"x\"}]}")
                        .status())
                .isEqualTo(404);
        assertThat(owner.api().get(shop + "/product/rows?id=x").status()).isEqualTo(404);
        assertThat(owner.api().get(shop + "/product/positions?after=x").status())
                .isEqualTo(400);
    }

    private Reply send(Person person, String shop, String part, Map<?, ?>... rows) {
        return person.api().post(shop + "/product/" + part, body(rows));
    }

    private static String body(Map<?, ?>... rows) {
        return Json.text(Map.of("rows", List.of(rows)));
    }

    private static Map<String, ?> created(String id, Map<String, String> typed) {
        return Map.of("id", id, "typed", typed);
    }

    private static Map<String, ?> row(String id, int version, Map<String, String> typed) {
        return Map.of("id", id, "version", version, "typed", typed);
    }

    private static Element body(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return Jsoup.parse(reply.body(), Parser.htmlParser()).select("tbody").first();
    }

    private List<String> names(String shop) {
        var names = new ArrayList<String>();
        owner.api()
                .get(api(shop) + "/records/product")
                .json()
                .path("items")
                .forEach(each -> names.add(each.at("/values/name").asString()));
        return names;
    }

    private static String api(String shop) {
        return shop.replace("/records/", "/api/v1/projects/");
    }

    private static String id(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
