package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Projects, schemas and records by their forms, and what is refused. */
class RecordPagesTest extends RecordsDesk {

    @Test
    void aProjectASchemaAndARecordAreMadeByForms() {
        browser.expecting(422);
        var somebody = square.person("New");
        var page = at(somebody, "/records");
        assertThat(page.locator(".sidebar .nav a[aria-current]")).hasText("Records");
        assertThat(page.locator(".empty")).containsText("No projects yet");
        page.getByLabel("Name").fill("Library");
        press(page, "Create");
        assertThat(page.locator("h1")).hasText("Library");

        page.getByText("New schema").click();
        page.locator("#name").fill("book");
        page.locator("[name='a0.name']").fill("title");
        page.locator("[name='a0.required']").check();
        page.locator("[name='a1.name']").fill("pages");
        page.locator("[name='a1.type']").selectOption("numeric");
        page.locator("[name='a2.name']").fill("2.");
        press(page, "Add an attribute");
        page.locator("[name='a3.name']").fill("lent");
        page.locator("[name='a3.type']").selectOption("bool");
        press(page, "Create the schema");
        assertThat(page.locator(".attribute .error")).containsText("must have 1 to 100 characters");
        page.locator("[name='a2.name']").fill("since");
        page.locator("[name='a2.type']").selectOption("date");
        press(page, "Create the schema");
        assertThat(page.locator(".empty")).containsText("No records yet");

        page.locator(".empty").getByText("New record").click();
        page.getByLabel("pages").fill("many");
        page.getByLabel("since").fill("2026-01-31");
        press(page, "Create");
        assertThat(page.locator("#v-pages-error")).hasText("Must be a number.");
        assertThat(page.locator("#v-title-error")).isVisible();
        assertThat(page.getByLabel("pages")).hasValue("many");
        assertThat(page.getByLabel("since")).hasValue("2026-01-31");
        page.getByLabel("pages").fill("1200.50");
        page.getByLabel("title").fill("Heike\nmonogatari");
        page.getByLabel("lent").selectOption("false");
        press(page, "Create");
        assertThat(page.locator(".toast")).containsText("Record created.");
        assertThat(page.getByLabel("pages")).hasValue("1200.50");
        assertThat(page.getByLabel("lent")).hasValue("false");
        assertThat(page.getByLabel("title")).hasValue("Heike\nmonogatari");
    }

    @Test
    void whatOthersWroteStandsBesideWhatIsTyped() {
        var shop = shop();
        var lamp = add(shop, "name=Lamp;price=3");
        browser.expecting(412);
        var page = at(owner, lamp);
        page.getByLabel("price").fill("4");
        assertSent(send(owner, lamp, "version=1", "v.price=5"));
        press(page, "Save");
        assertThat(page.locator(".alert.bad")).containsText("Olive changed this record in the meantime");
        assertThat(page.locator(".newer")).hasText("It is now: 5");
        assertThat(page.getByLabel("price")).hasValue("4");
        press(page, "Save");
        assertThat(page.locator(".toast")).containsText("Saved.");
        assertThat(page.getByLabel("price")).hasValue("4");

        page.getByText("History").click();
        assertThat(page.locator(".change")).hasCount(3);
        assertThat(page.locator(".change").first()).containsText("5 → 4");
        page.locator(".change").last().getByText("Restore …").click();
        page.locator(".change").last().getByText("Yes, restore it").click();
        assertThat(page.getByLabel("price")).hasValue("3");
        press(page, "Delete the record");
        assertThat(page.locator(".alert.good")).containsText("Record deleted.");
        page.locator(".alert button").click();
        assertThat(page.getByLabel("price")).hasValue("3");
    }

    @Test
    void aValueThatIsOnlyWrittenOtherwiseIsNoConflict() {
        var shop = shop();
        var lamp = add(shop, "name=Lamp;price=3;made=2026-08-20T15:00");
        assertSent(send(owner, lamp, "version=1", "v.price=5"));
        var refused = send(owner, lamp, "version=1", "v.name=Lamp", "v.price=4", "v.made=2026-08-20 15:00:00");
        assertThat(refused.status()).isEqualTo(412);
        assertThat(Jsoup.parse(refused.body()).select(".newer").eachText()).containsExactly("It is now: 5");
    }

    @Test
    void aReferenceIsChosenByName() {
        var shop = shop("name=Lamp;price=3");
        assertSent(send(
                owner,
                shop + "/-/new-schema",
                "name=order",
                "a0.name=what",
                "a0.type=to:product",
                "a1.name=note",
                "a1.type=text"));
        var page = at(owner, shop + "/order/new");
        page.getByLabel("what").fill("La");
        page.locator("[role=option]").click();
        assertThat(page.getByLabel("what")).hasValue("Lamp");
        press(page, "Create");
        assertThat(page.locator(".toast")).containsText("Record created.");
        assertThat(page.getByLabel("what")).hasValue("Lamp");
        go(page, shop + "/order");
        page.locator("#rows td.link a").click();
        assertThat(page.locator("h1")).hasText("Lamp");
    }

    @Test
    void aSchemaIsChangedAfterATrial() {
        var shop = shop("name=Lamp;price=3");
        var page = at(owner, shop + "/product/schema");
        press(page, "Add an attribute");
        page.locator("[name='a5.name']").fill("weight");
        page.locator("[name='a5.required']").check();
        press(page, "Preview changes");
        assertThat(page.locator("#verdict")).containsText("weight cannot be required");
        page.locator("[name='a5.required']").uncheck();
        page.locator("[name='a0.required']").uncheck();
        press(page, "Preview changes");
        assertThat(page.locator("#verdict")).containsText("adds `weight`");
        press(page, "Apply changes");
        assertThat(page.locator("thead")).containsText("weight");
    }

    @Test
    void aSchemaIsRenamedAndItsAttributesAreChangedRemovedAndRestored() {
        var shop = shop("name=Lamp;price=3", "name=Cup");
        browser.expecting(409);
        var page = at(owner, shop + "/product/schema");
        page.locator("#name").fill("商品");
        page.locator("#title").fill("商品一覧");
        press(page, "Save names");
        assertThat(page.locator("h1")).containsText("商品一覧");
        assertThat(page.getByText("“product” still works until")).isVisible();
        page.getByLabel("Change price").click();
        assertThat(page.locator("h1")).hasText("Attribute price");
        page.locator("#name").fill("価格");
        page.locator("#title").fill("価格（円）");
        press(page, "Save names");
        assertThat(page.locator("h1")).hasText("Attribute 価格（円）");
        page.getByLabel("Required").check();
        press(page, "Check and save");
        assertThat(page.locator("#required-error")).containsText("1 record has no value");
        page.getByText("Show them").click();
        assertThat(page.locator("#rows tr")).hasCount(1);
        assertThat(page.locator("thead")).containsText("価格（円）");
        // An address of before leads to the same.
        go(page, shop + "/product?a=price&o=gte&v=1");
        assertThat(page.locator("#rows tr")).hasCount(1);
        assertThat(page.locator(".chips")).containsText("価格（円）");
        page.locator("#rows tr").first().locator("th a").click();
        assertThat(page.locator("h1")).hasText("Lamp");
        page.getByLabel("価格（円）").fill("4");
        press(page, "Save");
        assertThat(page.getByLabel("価格（円）")).hasValue("4");

        go(page, shop + "/product/schema");
        page.getByLabel("Change 価格").click();
        assertThat(page.locator("h1")).hasText("Attribute 価格（円）");
        press(page, "Move up");
        assertThat(page.locator(".toast")).containsText("Moved.");
        page.getByText("Remove the attribute").click();
        assertThat(page.locator("details.confirm")).containsText("1 record has a value");
        page.locator("details.confirm button").click();
        assertThat(page.locator("#removed-heading")).isVisible();
        press(page, "Restore");
        assertThat(page.locator("[name='a0.name']")).hasValue("価格");

        // One that a rule compares has a page all the same, and is not removed.
        assertSent(setRules(owner, shop + "/product/rules", "matching=name", "trait=email"));
        page.getByLabel("Change name").click();
        page.getByText("Remove the attribute").click();
        page.locator("details.confirm button").click();
        assertThat(page.locator(".alert.bad")).containsText("A rule decides by `name`");
    }

    @Test
    void aSchemaIsDeletedAfterAQuestionAndRestoredUnderAnotherName() {
        var shop = shop("name=Lamp;price=3", "name=Cup");
        browser.expecting(409);
        var page = at(owner, shop + "/product/schema");
        page.getByText("Delete the schema").click();
        assertThat(page.locator("h1")).hasText("Delete product?");
        assertThat(page.locator("#removal")).containsText("2 records with their history");
        press(page, "Delete the schema with 2 records");
        assertThat(page.locator(".toast")).containsText("Schema deleted.");
        assertThat(page.locator("#removed-schemas")).containsText("product");
        go(page, shop);
        assertThat(page.locator(".empty")).isVisible();
        var project = "/api/v1/projects/" + shop.substring(shop.lastIndexOf('/') + 1);
        owner.api().post(project + "/schemas", "{'name': 'product', 'attributes': []}");
        page.getByText("Deleted schemas").click();
        press(page, "Restore");
        assertThat(page.locator(".alert.bad")).containsText("another schema called `product`");
        page.locator("#name").fill("old product");
        press(page, "Restore");
        assertThat(page.locator("h1")).containsText("old product");
        assertThat(page.locator("#rows tr")).hasCount(2);
    }

    @Test
    void recordsAreSummedUpInAChart() {
        var shop = shop(
                "name=Lamp;price=3;status=active;made=2026-01-31T12:00",
                "name=Chair;price=40.50;status=draft;made=2026-03-01T12:00",
                "name=Bench;price=90;status=active;made=2026-03-02T12:00");
        var page = at(owner, shop + "/product");
        page.getByText("Chart").click();
        page.locator("#measure").selectOption("sum.price");
        page.locator("#by").selectOption("status");
        press(page, "Show chart");
        assertThat(page.locator(".bars-chart .bar-mark")).hasCount(2);
        assertThat(page.locator("#numbers tbody tr").first()).hasText(Pattern.compile("active\\s*93"));
        page.locator("#numbers a").first().click();
        assertThat(page.locator("#rows tr")).hasCount(2);

        go(page, shop + "/product/chart");
        assertThat(page.locator("#by")).hasValue("status");
        go(page, shop + "/product/chart?by=price.bins");
        assertThat(page.locator("#numbers tbody tr")).hasText(new Pattern[] {
            Pattern.compile("0 to under 10\\s*1"),
            Pattern.compile("40 to under 50\\s*1"),
            Pattern.compile("90 to under 100\\s*1")
        });
        assertThat(page.locator("#numbers tbody a").first())
                .hasAttribute("href", Pattern.compile(".*a=price&o=gte&v=0&a=price&o=lt&v=10$"));
        owner.api().post("/api/v1/projects/" + shop.substring("/records/".length()) + "/schemas", """
                {"name": "note", "attributes": [{"name": "title", "type": "text"}]}
                """);
        go(page, shop + "/note/chart");
        assertThat(page.locator(".empty")).hasText("Choose what to group by.");
        go(page, shop + "/product/chart?measure=count&by=made.month");
        assertThat(page.locator(".line-chart .dot-mark")).hasCount(2);
        assertThat(page.locator("#numbers tbody tr"))
                .hasText(new Pattern[] {Pattern.compile("Jan 2026\\s*1"), Pattern.compile("Mar 2026\\s*2")});
    }

    @ParameterizedTest
    @CsvSource({"ja, 1件のレコード, 2026年1月", "zh, 1 条记录, 2026年1月"})
    void pagesAreInTheReadersLanguage(String language, String count, String month) {
        var shop = shop();
        var lamp = add(shop, "name=Lamp;price=3;status=active;made=2026-01-31T12:00;fragile=true");
        var reader = owner.api().with("Accept-Language", language);
        for (var path : new String[] {
            "/records",
            shop,
            shop + "/product/new",
            shop + "/product/schema",
            shop + "/product/rules",
            shop + "/product/import",
            shop + "/-/new-schema",
            shop + "/-/members",
            shop + "/-/imports",
            shop + "/-/indexes",
            shop + "/-/settings",
            lamp,
            lamp + "/history"
        }) {
            var shown = reader.get(path);
            assertThat(shown.status()).as(path).isEqualTo(200);
            assertThat(shown.body()).as(path).contains("<html lang=\"" + language);
        }
        assertThat(reader.get(shop + "/product?a=price&o=gte&v=1").body()).contains(count);
        assertThat(reader.get(shop + "/product/chart?by=made.month").body()).contains(month);
    }

    @Test
    void whatPeopleWroteIsShownAsText() {
        var evil = "<script>document.title='gone'</script><b>bold</b>";
        var shop = shop();
        var record = add(shop, "name=" + evil + ";price=3");
        var page = at(owner, shop + "/product");
        assertThat(page.locator("#rows td.text").first()).hasText(evil);
        for (var path : new String[] {record, record + "/history", shop + "/product/chart?by=name"}) {
            go(page, path);
            assertThat(page.locator("main b")).hasCount(0);
            assertThat(page.locator("main")).containsText("<script>");
            assertThat(page).not().hasTitle("gone");
        }
    }

    @Test
    void aViewerHasNoControlsAndForgedFormsAreRefused() {
        var shop = shop();
        var lamp = add(shop, "name=Lamp;price=3");
        var viewer = member(shop, "Vera", "viewer");
        var editor = member(shop, "Ed", "editor");
        var page = at(viewer, shop + "/product");
        assertThat(page.locator("#rows tr")).hasCount(1);
        assertThat(page.locator("td[data-attr]")).hasCount(0);
        // Views and watches of their own change no record.
        assertThat(page.locator("main form[method=post]:not(.view-actions form)"))
                .hasCount(0);
        assertThat(page.getByText("New record")).hasCount(0);
        go(page, lamp);
        assertThat(page.locator("main form, main input")).hasCount(0);
        assertThat(page.locator(".record-facts")).containsText("Lamp");

        for (var path :
                new String[] {lamp, lamp + "/cell/price", lamp + "/delete", lamp + "/restore", shop + "/product/new"}) {
            assertThat(send(viewer, path, "v.price=9", "v.name=x").status())
                    .as(path)
                    .isEqualTo(403);
        }
        for (var path : new String[] {
            shop + "/-/settings",
            shop + "/-/delete",
            shop + "/-/members",
            shop + "/-/new-schema",
            shop + "/product/schema",
            shop + "/product/rules",
            shop + "/-/indexes",
            shop + "/product/schema/delete"
        }) {
            assertThat(send(editor, path, "name=x", "who=Vera", "role=owner", "confirmation=Shop")
                            .status())
                    .as(path)
                    .isEqualTo(403);
        }
        var stranger = square.person("Stranger");
        for (var path : new String[] {
            shop, shop + "/product", lamp, lamp + "/history", shop + "/product/chart", shop + "/-/members"
        }) {
            assertThat(stranger.api().get(path).status()).as(path).isEqualTo(404);
            assertThat(send(stranger, path, "v.price=9").status()).as(path).isIn(404, 405);
        }
        assertThat(square.anonymous().with("Accept", "text/html").get(shop).status())
                .isIn(302, 303, 401);
    }

    @Test
    void rulesHoldOnPagesToo() {
        var shop = shop("name=Lamp;price=3;status=active");
        var editor = member(shop, "Ed", "editor");
        var page = at(owner, shop + "/product/rules");
        page.locator("[name='see.price']").selectOption("hide");
        page.locator("[name='see.status']").selectOption("read");
        press(page, "Save rules");
        assertThat(page.locator("thead")).containsText("price");

        var other = at(editor, shop + "/product");
        assertThat(other.locator("thead")).not().containsText("price");
        assertThat(other.locator("td[data-attr=name]")).hasCount(1);
        assertThat(other.locator("td[data-attr=status]")).hasCount(0);
        other.locator(".open a").last().click();
        assertThat(other.getByLabel("status")).isDisabled();
        var record = other.url().substring(square.server.url().length());
        assertThat(send(editor, record + "/cell/price", "v.price=1").status()).isEqualTo(404);
        go(other, shop + "/product/chart?measure=sum.price&by=price");
        assertThat(other.locator("main")).not().containsText("price");
        go(other, shop + "/product?a=price&o=gt&v=1&sort=price");
        assertThat(other.locator("#rows tr")).hasCount(1);
    }

    @Test
    void membersComeByNicknameAndAProjectGoesByItsName() {
        browser.expecting(422);
        var shop = shop();
        square.person("Twin");
        var twin = square.person("Twin");
        square.person("Single");
        var page = at(owner, shop + "/-/members");
        page.getByLabel("Nickname or id").fill("nobody of that name");
        press(page, "Add");
        assertThat(page.locator(".error")).containsText("Is the nickname or id of nobody here.");
        page.getByLabel("Nickname or id").fill("single");
        press(page, "Add");
        assertThat(page.locator("#members")).containsText("Single");
        page.getByLabel("Nickname or id").fill("Twin");
        press(page, "Add");
        page.locator("li", new Page.LocatorOptions().setHasText(twin.id()))
                .getByText("Add")
                .click();
        assertThat(page.locator("#member-" + twin.id())).isVisible();

        go(page, shop + "/-/settings");
        page.getByLabel("Type the project's name to go on").fill("shop");
        press(page, "Delete project");
        assertThat(page.locator(".error")).isVisible();
        page.getByLabel("Type the project's name to go on").fill("Shop");
        press(page, "Delete project");
        assertThat(page.locator("h1")).hasText("Records");
        assertThat(owner.api().get(shop).status()).isEqualTo(404);
    }
}
