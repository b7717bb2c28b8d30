package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.hiroba.platform.http.Json;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** People, lists of records and computed attributes on pages. */
class RecordPeoplePagesTest extends RecordsDesk {

    private String office(String name) {
        var office = project(name);
        assertSent(send(owner, office + "/-/new-schema", "name=product", "a0.name=name", "a0.type=text"));
        assertSent(send(
                owner,
                office + "/-/new-schema",
                "name=job",
                "a0.name=title",
                "a0.type=text",
                "a1.name=lead",
                "a1.type=text.person",
                "a2.name=team",
                "a2.type=many.text.person",
                "a3.name=uses",
                "a3.type=many.to:product"));
        return office;
    }

    private static String api(String project) {
        return "/api/v1/projects/" + project.substring(project.lastIndexOf('/') + 1);
    }

    private String make(String project, String schema, Map<String, Object> values) {
        var made = owner.api().post(api(project) + "/records/" + schema, Json.text(values));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return made.text("id");
    }

    private static void pick(Page page, String label, String typed, String option) {
        page.getByLabel(label).fill(typed);
        page.locator(".picker .choices:not([hidden]) [role=option]")
                .getByText(option)
                .click();
    }

    @Test
    void peopleAndRecordsAreSearchedForAndShown() {
        var office = office("Office");
        var ann = member(office, "Annika", "editor");
        make(office, "product", Map.of("name", "Lamp"));
        make(office, "product", Map.of("name", "Lantern"));
        var page = at(owner, office + "/job/new");
        page.getByLabel("title").fill("Paint");
        pick(page, "lead", "anni", "Annika");
        pick(page, "team", "oli", "Olive");
        pick(page, "team", "anni", "Annika");
        pick(page, "uses", "Lan", "Lantern");
        pick(page, "uses", "Lam", "Lamp");
        press(page, "Create");
        assertThat(page.locator(".toast")).containsText("Record created.");
        var job = owner.api()
                .get(api(office) + "/records/job")
                .json()
                .path("items")
                .path(0);
        assertThat(job.path("values").path("lead").asString()).isEqualTo(ann.id());
        assertThat(job.path("values")
                        .path("team")
                        .valueStream()
                        .map(each -> each.asString())
                        .toList())
                .containsExactly(owner.id(), ann.id());
        go(page, office + "/job");
        var row = page.locator("tbody tr").first();
        assertThat(row.locator("td.people").first().locator(".avatar")).hasCount(1);
        assertThat(row.locator("td.people").nth(1).locator(".item > span:not(.avatar)"))
                .hasText(new String[] {"Olive", "Annika"});
        assertThat(row.locator("td.links a")).hasText(new String[] {"Lantern", "Lamp"});
        // One is taken out of the list.
        go(page, office + "/job/" + job.path("id").asString());
        assertThat(page.getByLabel("lead")).hasValue("Annika");
        page.getByLabel("Olive").uncheck();
        page.getByLabel("Lamp").uncheck();
        press(page, "Save");
        assertThat(page.locator(".toast")).isVisible();
        go(page, office + "/job?a=team&o=in&v=" + ann.id());
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("td.links a")).hasText(new String[] {"Lantern"});
        go(page, office + "/job?a=team&o=in&v=me");
        assertThat(page.locator("tbody tr .people")).hasCount(0);
    }

    @Test
    void aRecordShowsWhatLinksToItAndABoardHasALaneForEachMember() {
        var office = office("Board");
        var ann = member(office, "Annika", "editor");
        var lamp = make(office, "product", Map.of("name", "Lamp"));
        make(office, "job", Map.of("title", "Paint", "lead", owner.id(), "uses", List.of(lamp)));
        var page = at(ann, office + "/product/" + lamp);
        page.getByText("Linked from").click();
        assertThat(page.locator(".records-page section")).containsText("job: uses");
        page.locator(".records-page section a").getByText("Paint").click();
        assertThat(page.locator("h1")).hasText("Paint");

        var board = assertSent(send(owner, office + "/job/views", "name=By lead", "kind=board", "visibility=project"));
        go(page, board);
        assertThat(page.locator(".lane h2 .option")).hasText(new String[] {"No value", "Olive", "Annika"});
    }

    @Test
    void filesAreUploadedInTheFormShownAndTakenOut() throws IOException {
        var office = project("Files");
        assertSent(send(
                owner,
                office + "/-/new-schema",
                "name=plan",
                "a0.name=title",
                "a0.type=text",
                "a0.required=true",
                "a1.name=files",
                "a1.type=jsonb.attachments"));
        browser.expecting(422);
        var picture = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(600, 300, BufferedImage.TYPE_INT_RGB), "png", picture);
        var page = at(owner, office + "/plan/new");
        page.getByLabel("files").setInputFiles(new FilePayload[] {
            new FilePayload("roof.png", "image/png", picture.toByteArray()),
            new FilePayload("notes.txt", "text/plain", "words".getBytes(StandardCharsets.UTF_8))
        });
        // A form with a fault keeps what was uploaded.
        press(page, "Create");
        assertThat(page.locator(".record-form .error")).hasText("Is required.");
        assertThat(page.getByLabel("roof.png")).isChecked();
        page.getByLabel("title").fill("House");
        press(page, "Create");
        assertThat(page.locator(".toast")).containsText("Record created.");
        go(page, office + "/plan");
        var cell = page.locator("tbody td.files");
        assertThat(cell.locator("a")).hasText(new String[] {"roof.png", "notes.txt"});
        assertThat(cell.locator("img")).hasCount(1);
        assertThat(cell.locator("img")).hasJSProperty("naturalWidth", 512);
        // A gallery shows the first picture.
        var gallery = assertSent(send(owner, office + "/plan/views", "name=Houses", "kind=gallery"));
        var edit = Jsoup.parse(owner.api().get(gallery + "/edit").body());
        var version = edit.select("[name=version]").val();
        var cover = edit.select("#cover option").stream()
                .filter(each -> each.text().equals("files"))
                .findFirst()
                .orElseThrow()
                .val();
        assertSent(
                send(owner, gallery + "/edit", "version=" + version, "name=Houses", "kind=gallery", "cover=" + cover));
        go(page, gallery);
        assertThat(page.locator(".gallery .card > img")).hasJSProperty("naturalWidth", 512);
        // So does one behind a link, as long as that is there.
        var links = api(office) + "/schemas/plan/views" + gallery.substring(gallery.lastIndexOf('/')) + "/links";
        var link = owner.api().post(links, "{}");
        var anybody = square.anonymous();
        var shared = Jsoup.parse(anybody.get(link.text("path")).body()).select(".gallery .card > img");
        var sent = anybody.get(shared.attr("src"));
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.header("Content-Type")).startsWith("image/");
        assertThat(owner.api().delete(links + "/" + link.text("id")).status()).isEqualTo(204);
        assertThat(anybody.get(shared.attr("src")).status()).isEqualTo(404);
        var id = owner.api()
                .get(api(office) + "/records/plan")
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString();
        go(page, office + "/plan/" + id);
        page.getByLabel("roof.png").uncheck();
        press(page, "Save");
        assertThat(page.locator(".toast")).isVisible();
        go(page, office + "/plan?a=files&o=exists");
        assertThat(page.locator("tbody td.files a")).hasText(new String[] {"notes.txt"});
    }

    @Test
    void whoeverDeletedTheirAccountIsShownAsSuch() {
        var office = office("Gone");
        var ben = member(office, "Benno", "editor");
        make(office, "job", Map.of("title", "Paint", "lead", ben.id(), "team", List.of(ben.id(), owner.id())));
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update("DELETE FROM accounts.users WHERE id = :id")
                        .bind("id", Long.parseUnsignedLong(ben.id(), 16))
                        .execute());
        var page = at(owner, office + "/job");
        assertThat(page.locator("td.people").first()).hasText("a deleted user");
        var id = owner.api()
                .get(api(office) + "/records/job")
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString();
        assertThat(owner.api()
                        .send("PATCH", api(office) + "/records/job/" + id, "{'title': 'Draw'}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void attributesAreComputedByFormulasLookupsAndRollups() {
        var shop = project("Sales");
        assertSent(send(
                owner,
                shop + "/-/new-schema",
                "name=customer",
                "a0.name=name",
                "a0.type=text",
                "a1.name=greeting",
                "a1.type=computed.formula",
                "a1.formula='Dear ' + name"));
        assertSent(send(
                owner,
                shop + "/-/new-schema",
                "name=order",
                "a0.name=price",
                "a0.type=numeric",
                "a1.name=quantity",
                "a1.type=numeric",
                "a2.name=by",
                "a2.type=to:customer"));
        var customer = make(shop, "customer", Map.of("name", "Annika"));
        make(shop, "order", Map.of("price", 3, "quantity", 4, "by", customer));
        browser.expecting(422);
        var page = at(owner, shop + "/order/schema");
        page.locator("[name='a3.name']").fill("total");
        assertThat(page.locator("[name='a3.formula']")).isHidden();
        page.locator("[name='a3.type']").selectOption("computed.formula");
        assertThat(page.locator("[name='a3.required']")).isHidden();
        page.locator("[data-insert-into='a3.formula'] [data-insert=price]").click();
        assertThat(page.locator("[name='a3.formula']")).hasValue("price");
        page.locator("[name='a3.formula']").fill("price * amount");
        press(page, "Preview changes");
        assertThat(page.locator("[id='a3.computed-error']")).containsText("there is no attribute `amount`");
        page.locator("[name='a3.formula']").fill("price * quantity");
        press(page, "Add an attribute");
        page.locator("[name='a5.name']").fill("customer name");
        page.locator("[name='a5.type']").selectOption("computed.lookup");
        press(page, "Preview changes");
        assertThat(page.locator("[id='a4.computed-error']")).isVisible();
        page.locator("[name='a4.lookup']").selectOption("by.greeting");
        press(page, "Preview changes");
        assertThat(page.locator("#verdict")).containsText("adds `total`");
        press(page, "Apply changes");
        assertThat(page.locator("#rows tr")).containsText("Dear Annika");
        var total = page.locator("#rows td.number", new Page.LocatorOptions().setHasText("12"));
        total.click();
        page.keyboard().press("5");
        assertThat(page.locator("#grid-status")).containsText("total is computed");
        assertThat(total).hasText("12");

        // Its page changes the expression, and nothing that only written values have.
        go(page, shop + "/order/schema");
        assertThat(page.locator(".computed-words.mono")).hasText("price * quantity");
        assertThat(page.locator("[name='a3.required']")).hasCount(0);
        page.getByLabel("Change total").click();
        assertThat(page.locator(".heading-block")).containsText("Formula · Number");
        assertThat(page.locator("#type-heading, #constraints-heading")).hasCount(0);
        page.getByLabel("Expression").fill("price *");
        press(page, "Save and compute");
        assertThat(page.locator("#computed-error")).containsText("ends too early");
        page.getByLabel("Expression").fill("price + total");
        press(page, "Save and compute");
        assertThat(page.locator("#computed-error")).containsText("Comes from itself");
        page.getByLabel("Expression").fill("price * quantity + 1");
        press(page, "Save and compute");
        assertThat(page.locator(".toast")).containsText("Attribute changed.");
        var path = page.url().substring(page.url().indexOf("/records/"));
        make(shop, "order", Map.of("quantity", 4));
        page.reload();
        assertThat(page.getByText("there is no value of price")).isVisible();

        go(page, shop + "/customer/schema");
        page.locator("[name='a2.name']").fill("spent");
        page.locator("[name='a2.type']").selectOption("computed.rollup");
        page.locator("[name='a2.rollup']").selectOption("order.by.total");
        press(page, "Preview changes");
        press(page, "Apply changes");
        assertThat(page.locator("#rows td.number")).hasText("13");

        // A format stays when the schema is changed.
        go(page, shop + "/customer/schema");
        assertThat(page.getByText("Sum of total of order, linked by by")).isVisible();
        page.getByLabel("Change spent").click();
        assertThat(page.locator(".heading-block")).containsText("Rollup");
        var spent = page.url().substring(page.url().indexOf("/records/"));
        assertSent(send(owner, spent + "/format", "format=currency", "currency=EUR"));
        assertSent(send(owner, spent + "/computed", "rollup=order.by.total", "function=max"));
        go(page, shop + "/customer/schema");
        press(page, "Preview changes");
        assertThat(page.locator("#verdict")).containsText("Nothing");
        assertThat(page.getByText("Maximum of total of order")).isVisible();

        var needed = send(owner, path + "/remove");
        assertThat(needed.body()).contains("customer.spent");
        assertSent(send(owner, spent + "/remove"));
        assertSent(send(owner, spent + "/restore"));
        var editor = member(shop, "Ed", "editor");
        assertThat(send(editor, path + "/computed", "formula=price").status()).isEqualTo(403);
        assertThat(read(editor, shop + "/order/schema").text()).contains("Formula · Number price * quantity + 1");
        assertThat(read(owner, path).select("[name=formula]").text()).contains("price * quantity + 1");
    }
}
