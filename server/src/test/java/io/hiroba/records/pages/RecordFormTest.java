package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What forms must not change by themselves, and what they take. */
class RecordFormTest extends RecordsDesk {

    private static String api(String project) {
        return "/api/v1/projects/" + project.substring(project.lastIndexOf('/') + 1);
    }

    /** Makes a record past the pages; the answer is its address in the API. */
    private String make(String project, String schema, Map<String, Object> values) {
        var made = owner.api().post(api(project) + "/records/" + schema, Json.text(values));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return made.header("Location");
    }

    private static String page(String project, String schema, String record) {
        return project + "/" + schema + record.substring(record.lastIndexOf('/'));
    }

    private String value(String record, String attribute) {
        return owner.api().get(record).json().path("values").path(attribute).asString();
    }

    @Test
    void theTypeOfAnAttributeIsChangedAfterAPreviewAndUndone() {
        var shop = project("Types");
        assertSent(send(owner, shop + "/-/new-schema", "name=product", "a0.name=price", "a0.type=text"));
        make(shop, "product", Map.of("price", "3"));
        var free = page(shop, "product", make(shop, "product", Map.of("price", "free")));
        browser.expecting(409);
        var page = at(owner, shop + "/product/schema");
        page.getByLabel("Change price").click();
        page.getByLabel("Change the type to").selectOption("numeric");
        press(page, "Preview the change");
        assertThat(page.locator("#counts")).hasText("1 value can be converted, 1 cannot.");
        assertThat(page.locator("#failures tbody tr")).hasText(Pattern.compile("free\\s*Must be a number."));
        assertThat(page.locator("#failures a")).hasAttribute("href", free);
        press(page, "Change the type to numeric");
        assertThat(page.locator(".alert.bad")).hasText("1 value cannot be converted to numeric.");
        page.getByLabel("Leave out the value that cannot be converted").check();
        press(page, "Change the type to numeric");
        assertThat(page.locator(".toast")).containsText("Type changed.");
        assertThat(page.locator(".heading-block")).containsText("numeric, id 6.");
        assertThat(page.locator(".records-page")).not().containsText("still works");
        page.getByText("Undo the change of type").click();
        press(page, "Undo the change");
        assertThat(page.locator(".heading-block")).containsText("text, id 0.");
        go(page, free);
        assertThat(page.getByLabel("price")).hasValue("free");

        for (int i = 0; i < 2; i++) {
            var many = Collections.nCopies(1000, Map.of("price", "4"));
            assertThat(owner.api()
                            .post(api(shop) + "/records/product", Json.text(many))
                            .status())
                    .isEqualTo(201);
        }
        go(page, shop + "/product/schema/attributes/price/type?to=numeric");
        press(page, "Change the type to numeric");
        assertThat(page.locator("#progress-heading")).hasText("The type was not changed.");
        assertThat(page.locator(".error-detail")).hasText("1 value cannot be converted to numeric.");
        go(page, shop + "/product/schema/attributes/price/type?to=numeric");
        page.locator("[name=clear]").check();
        press(page, "Change the type to numeric");
        assertThat(page.locator("#progress-heading")).hasText("The type is changed.");
        page.getByText("Back to the attribute").click();
        assertThat(page.locator(".heading-block")).containsText("numeric");
        assertThat(send(square.person("Ann"), shop + "/product/schema/attributes/price/type", "to=text")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theOrderOfDaysIsChosenWhereTextsBecomeDays() {
        var shop = shop("name=8/7/2026", "name=9/10/2026");
        var page = at(owner, shop + "/product/schema/attributes/name/type?to=date");
        assertThat(page.locator("#counts")).containsText("No value can be converted, 2 cannot.");
        assertThat(page.locator("#failures tbody tr")).hasCount(2);
        page.getByLabel("Days such as 8/7/2026").selectOption("day-first");
        press(page, "Preview the change");
        assertThat(page.locator("#failures")).hasCount(0);
        assertThat(page.getByLabel("Days such as 8/7/2026")).hasValue("day-first");
        press(page, "Change the type to date");
        assertThat(page.locator(".toast")).containsText("Type changed.");
        var stored = owner.api().get(api(shop) + "/records/product").body();
        assertThat(stored).contains("2026-07-08").contains("2026-10-09");
        go(page, shop + "/product/schema/attributes/price/type?to=text");
        assertThat(page.locator("#dates")).hasCount(0);
        assertThat(owner.api()
                        .get(shop + "/product/schema/attributes/status/type?to=date&dates=year-first")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void valuesAreTypedAndShownInTheirFormats() {
        var shop = project("Formats");
        assertSent(send(
                owner,
                shop + "/-/new-schema",
                "name=job",
                "a0.name=mail",
                "a0.type=text.email",
                "a1.name=price",
                "a1.type=numeric.currency",
                "a1.currency=EUR",
                "a2.name=done",
                "a2.type=numeric.percent",
                "a3.name=stars",
                "a3.type=numeric.rating",
                "a4.name=took",
                "a4.type=numeric.duration",
                "a4.max=100:00:00",
                "a5.name=notes",
                "a5.type=text.long_text",
                "a6.name=site",
                "a6.type=text",
                "a7.name=no",
                "a7.type=numeric.autonumber",
                "a8.name=maker",
                "a8.type=text.created_by",
                "a9.name=since",
                "a9.type=datetime.created_at"));
        browser.expecting(422);
        var page = at(owner, shop + "/job/new");
        page.getByLabel("mail").fill("ann");
        page.getByLabel("price").fill("€1,200.50");
        page.getByLabel("done").fill("12.5 %");
        page.getByLabel("stars").selectOption("4");
        page.getByLabel("took").fill("1:30:00");
        page.getByLabel("notes").fill("A *fine* job <script>alert(1)</script>");
        page.getByLabel("site").fill("nowhere");
        press(page, "Create");
        assertThat(page.locator(".record-form .error")).hasText("Must be an e-mail address.");
        page.getByLabel("mail").fill("ann@square.example");
        press(page, "Create");
        assertThat(page.locator(".toast")).containsText("Record created.");
        go(page, shop + "/job");
        var row = page.locator("tbody tr").first();
        assertThat(row.getByText("ann@square.example")).hasAttribute("href", "mailto:ann@square.example");
        assertThat(row).containsText("€1,200.50");
        assertThat(row).containsText("12.5%");
        assertThat(row).containsText("★★★★☆");
        assertThat(row).containsText("1:30:00");
        assertThat(row).containsText("Olive");
        assertThat(cell(page, "ann@square.example", "no")).hasCount(0);
        go(page, shop + "/job?a=maker&o=eq&v=me");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator(".records-page")).containsText("maker is me");
        var records =
                owner.api().get(api(shop) + "/records/job").json().path("items").path(0);
        assertThat(records.at("/values/price").decimalValue()).isEqualByComparingTo("1200.5");
        assertThat(records.at("/values/done").decimalValue()).isEqualByComparingTo("12.5");
        assertThat(records.at("/values/took").intValue()).isEqualTo(5400);
        go(page, shop + "/job/" + records.path("id").asString());
        assertThat(page.getByLabel("took")).hasValue("1:30:00");
        assertThat(page.locator(".prose em")).hasText("fine");
        assertThat(page.locator(".prose script")).hasCount(0);

        browser.expecting(409);
        go(page, shop + "/job/schema/attributes/site");
        page.getByLabel("Format of the values").selectOption("url");
        page.locator("[aria-labelledby=format-heading] button").click();
        assertThat(page.locator("#format-error")).hasText("Does not fit the value of 1 record, such as “nowhere”.");
        page.getByLabel("Format of the values").selectOption("long_text");
        page.locator("[aria-labelledby=format-heading] button").click();
        assertThat(page.locator(".toast")).isVisible();
        assertThat(page.getByLabel("Format of the values")).hasValue("long_text");
    }

    @Test
    void severalOptionsAreChosenByBoxesAndFilteredBy() {
        var shop = project("Lists");
        assertSent(send(
                owner,
                shop + "/-/new-schema",
                "name=job",
                "a0.name=name",
                "a0.type=text",
                "a1.name=tags",
                "a1.type=multi_select",
                "a1.enum=red\ngreen\nblue",
                "a1.default=green"));
        var page = at(owner, shop + "/job/new");
        page.getByLabel("name").fill("One");
        assertThat(page.getByLabel("green")).isChecked();
        page.getByLabel("blue").check();
        press(page, "Create");
        var job = make(shop, "job", Map.of("name", "Two", "tags", List.of("blue", "red")));
        go(page, page(shop, "job", job));
        page.getByLabel("green").check();
        page.getByLabel("red").uncheck();
        press(page, "Save");
        assertThat(page.locator(".toast")).containsText("Saved.");
        assertThat(owner.api().get(job).json().at("/values/tags")).hasToString("[\"blue\",\"green\"]");
        go(page, shop + "/job");
        cell(page, "Two", "tags").dblclick();
        page.locator("td.editing").getByLabel("blue").uncheck();
        page.locator("td.editing").getByLabel("green").uncheck();
        press(page, "Save");
        assertThat(page.locator("td.editing")).hasCount(0);
        assertThat(owner.api().get(job).json().path("values").has("tags")).isFalse();
        assertThat(page.locator("tbody .option")).hasText(new String[] {"green", "blue"});
        assertThat(page.locator("tbody td.chips").first()).hasCSS("display", "table-cell");
        go(page, shop + "/job?a=tags&o=hasAll&v=green,blue");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator(".records-page")).containsText("tags has all of green, blue");
        go(page, shop + "/job?a=tags&o=notIn&v=blue");
        assertThat(cell(page, "Two", "tags")).isVisible();
        // The editor of the schema keeps the default.
        go(page, shop + "/job/schema");
        assertThat(page.locator("[name='a1.default']")).hasValue("green");
    }

    @Test
    void aMomentToTheMicrosecondStaysWhenSomethingElseIsSaved() {
        var shop = shop();
        var lamp = make(shop, "product", Map.of("name", "Lamp", "made", "2026-01-31T12:30:45.123456Z"));
        var local = LocalDateTime.ofInstant(Instant.parse("2026-01-31T12:30:45.123456Z"), ZoneId.systemDefault())
                .toString();
        var page = at(owner, page(shop, "product", lamp));
        assertThat(page.getByLabel("made")).hasValue(local);
        page.getByLabel("price").fill("7");
        press(page, "Save");
        assertThat(page.locator(".toast")).containsText("Saved.");
        assertThat(value(lamp, "made")).isEqualTo("2026-01-31T12:30:45.123456Z");

        go(page, shop + "/product");
        cell(page, "Lamp", "made").dblclick();
        assertThat(input(page)).hasValue(local);
        press(page, "Save");
        assertThat(page.locator("td.editing")).hasCount(0);
        assertThat(value(lamp, "made")).isEqualTo("2026-01-31T12:30:45.123456Z");
    }

    @Test
    void aNumberAmongChoicesIsStoredAsTheChoice() {
        var project = project("Ratings");
        assertSent(send(
                owner,
                project + "/-/new-schema",
                "name=rating",
                "a0.name=stars",
                "a0.type=numeric",
                "a0.enum=1\n2",
                "a1.name=note",
                "a1.type=text"));
        var rating = make(project, "rating", Map.of("stars", new BigDecimal("1.0")));
        var page = at(owner, page(project, "rating", rating));
        assertThat(page.getByLabel("stars")).hasValue("1");
        page.getByLabel("note").fill("dim");
        press(page, "Save");
        assertThat(page.locator(".toast")).containsText("Saved.");
        assertThat(value(rating, "stars")).isEqualTo("1");
    }

    @Test
    void emptyFirstLinesStay() {
        var shop = shop();
        var lamp = make(shop, "product", Map.of("name", "\n\nLamp"));
        var page = at(owner, page(shop, "product", lamp));
        page.getByLabel("price").fill("7");
        press(page, "Save");
        assertThat(page.locator(".toast")).containsText("Saved.");
        assertThat(value(lamp, "name")).isEqualTo("\n\nLamp");
    }

    @Test
    void enterThatEndsAConversionSendsNothing() {
        var shop = shop("name=Lamp;price=3");
        var page = at(owner, shop + "/product");
        cell(page, "Lamp", "price").dblclick();
        input(page).fill("4");
        input(page).dispatchEvent("keydown", Map.of("key", "Enter", "isComposing", true));
        assertThat(input(page)).isVisible();
        input(page).press("Enter");
        assertThat(page.locator("td.editing")).hasCount(0);
        assertThat(cell(page, "4", "price")).hasText("4");
    }

    @Test
    void aLongTextFitsTheForm() {
        var shop = shop();
        var lamp = add(shop, "name=Lamp");
        var text = "灯".repeat(200_000);
        var page = at(owner, lamp);
        page.getByLabel("name").fill(text);
        press(page, "Save");
        assertThat(page.locator(".toast")).containsText("Saved.");
        assertThat(page.getByLabel("name")).hasValue(text);
    }

    @Test
    void whatIsTooMuchForAFormIsSaidAboveIt() {
        var shop = shop();
        var sent = send(owner, shop + "/product/new", "v.name=" + "x".repeat(25 << 20));
        assertThat(sent.status()).isEqualTo(413);
        assertThat(sent.body()).contains("The form is too large");
    }

    @Test
    void aFormThatIsSentTwiceMakesOneOnly() {
        var shop = shop();
        var first = send(owner, shop + "/product/new", "key=k1", "v.name=Lamp");
        var second = send(owner, shop + "/product/new", "key=k1", "v.name=Lamp");
        assertThat(assertSent(second)).isEqualTo(assertSent(first));
        var other = send(owner, shop + "/product/new", "key=k1", "v.name=Chair");
        assertThat(assertSent(other)).isNotEqualTo(assertSent(first));

        var project = assertSent(send(owner, "/records", "key=k2", "name=Twice"));
        assertThat(assertSent(send(owner, "/records", "key=k2", "name=Twice"))).isEqualTo(project);
        assertThat(assertSent(send(owner, "/records", "key=k3", "name=Twice"))).isNotEqualTo(project);
    }

    @Test
    void whatIsTypedAboutAnAttributeWithoutANameStays() {
        browser.expecting(422);
        var page = at(owner, project("Nameless") + "/-/new-schema");
        page.locator("#name").fill("thing");
        page.locator("[name='a0.name']").fill("label");
        page.locator("[name='a1.type']").selectOption("numeric");
        page.locator("[name='a1.required']").check();
        press(page, "Create the schema");
        assertThat(page.locator(".attribute .error")).hasText("Name must be given.");
        assertThat(page.locator("[name='a1.required']")).isChecked();
        assertThat(page.locator("[name='a1.type']")).hasValue("numeric");
        page.locator("[name='a1.name']").fill("weight");
        press(page, "Create the schema");
        assertThat(page.locator(".empty")).containsText("No records yet");
    }

    @Test
    void theErrorOfARelationIsNotUnderItsList() {
        var shop = shop("name=Lamp;price=3");
        var made = owner.api().post(api(shop) + "/schemas", """
                {"name": "sale", "attributes": [{"name": "what", "type": "text", "references": "product"}]}
                """);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        browser.expecting(422);
        var page = at(owner, shop + "/sale/new");
        page.getByLabel("what").fill("nothing of the kind");
        page.locator(".record-form button[type=submit]").first().dispatchEvent("click");
        assertThat(page.locator(".field .error")).containsText("id of a record");
        page.getByLabel("what").click();
        assertThat(page.locator(".choices")).isVisible();
        assertThat(page.locator(".field .error").evaluate("""
                        error => {
                          const box = error.getBoundingClientRect();
                          return document.elementFromPoint(box.left + 5, box.top + box.height / 2) === error;
                        }
                        """)).isEqualTo(true);
    }

    @Test
    void outerSpacesOfDefaultsAndChoicesStayWhenAnotherPartIsChangedAndNoScriptIsNeeded() {
        var project = project("Spaces");
        var made = owner.api().post(api(project) + "/schemas", """
                {"name": "note", "attributes": [
                  {"name": "mark", "type": "text", "default": " - ", "required": true},
                  {"name": "kind", "type": "text", "enum": ["a ", " b"]}]}
                """);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        var page = square.visit(browser.openWithoutScripts(), owner, project + "/note/schema");
        page.locator("[name='a0.required']").uncheck();
        page.locator("[name='a2.name']").fill("more");
        press(page, "Preview changes");
        assertThat(page.locator("#verdict")).containsText("adds `more`");
        press(page, "Apply changes");
        var schema = owner.api().get(api(project) + "/schemas/note").json();
        assertThat(schema.path("attributes").path(0).path("default").asString()).isEqualTo(" - ");
        assertThat(schema.path("attributes").path(1).path("enum").toString()).isEqualTo("[\"a \",\" b\"]");
        assertThat(schema.path("attributes").path(2).path("name").asString()).isEqualTo("more");
    }
}
