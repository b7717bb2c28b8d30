package io.hiroba.records.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.options.FilePayload;
import io.hiroba.records.transfer.FileFormat;
import io.hiroba.testkit.Square.Person;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** Files on their way into a schema, in a browser. */
class ImportPagesTest extends RecordsDesk {

    /** Imports JSON lines into a shop's products. */
    static void imported(Person person, String shop, String lines) {
        var imports = "/api/v1/projects/" + shop.substring(shop.lastIndexOf('/') + 1) + "/imports";
        var made = person.api().post(imports, "{'schema': 'product', 'format': 'jsonl'}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        var one = imports + "/" + made.text("id");
        person.api().sendAs("application/octet-stream", "PUT", one + "/content", lines);
        person.api().post(one + "/start", "");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> person.api().get(one).text("state").equals("done"));
    }

    private static FilePayload file(String name, String text) {
        return new FilePayload(name, "text/csv", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aFileIsLookedAtBeforeItsRecordsAreWritten() {
        var shop = shop();
        var page = at(owner, shop + "/product/import");
        assertThat(page.getByLabel("Into the schema")).hasValue("product");
        page.locator("#file").setInputFiles(file("cups.csv", """
                name,price,status
                Cup,3.50,active
                Bowl,cheap,active
                <b>Vase</b>,12,draft
                """));
        press(page, "Upload and preview");
        assertThat(page.locator("#preview")).containsText("<b>Vase</b>");
        assertThat(page.locator("#preview thead")).containsText("numeric");
        assertThat(page.locator("#errors li")).hasCount(1);
        assertThat(page.locator("#errors li")).containsText("Line 3");
        assertThat(page.locator("#errors li code")).hasText("price");
        press(page, "Import the valid rows");
        assertThat(page.locator("#progress-heading")).hasText("Done");
        assertThat(page.locator("#rows-written")).hasText("2");
        page.getByText("View records").click();
        assertThat(page.locator("#rows tr[data-row]")).hasCount(2);

        go(page, shop + "/-/imports");
        assertThat(page.locator("#imports")).containsText("cups.csv");
    }

    @Test
    void aFileMakesASchemaOfItsOwnAndAnImportIsCancelled() {
        var project = project("From files");
        var page = at(owner, project + "/-/import");
        page.getByLabel("Name of the new schema").fill("cup");
        page.locator("#file")
                .setInputFiles(file("cups.csv", "label,weight,when\nBlue,12.5,2026-01-31\nRed,9,2026-02-01\n"));
        press(page, "Upload and preview");
        assertThat(page.locator("#preview thead")).containsText("new attribute");
        press(page, "Cancel import");
        assertThat(page.locator("#progress-heading")).hasText("Cancelled");

        go(page, project + "/-/import");
        page.getByLabel("Name of the new schema").fill("cup");
        page.locator("#file")
                .setInputFiles(file("cups.csv", "label,weight,when\nBlue,12.5,2026-01-31\nRed,9,2026-02-01\n"));
        press(page, "Upload and preview");
        press(page, "Start import");
        assertThat(page.locator("#progress-heading")).hasText("Done");
        go(page, project + "/cup");
        assertThat(page.locator("#rows td.number").first()).isVisible();
        assertThat(page.locator("#rows tr[data-row]")).hasCount(2);
    }

    @Test
    void durationsAreRecognisedAndTheirReadingIsChosen() {
        var project = project("Work");
        var page = at(owner, project + "/-/import");
        page.getByLabel("Name of the new schema").fill("task");
        page.getByLabel("Or paste rows").fill("what\tfrom\tlength\nPaint\t09:30\t1:30\nWait\t14:00\t12:05\n");
        press(page, "Upload and preview");
        assertThat(page.locator("#preview thead th").nth(2)).containsText("text");
        assertThat(page.locator("#preview thead th").nth(3)).containsText("Duration");
        var reading = page.getByLabel("Texts such as 1:30");
        assertThat(reading.locator("option:checked")).hasText("As recognised: 1:30 is 1 hour 30 minutes");
        reading.selectOption("text");
        press(page, "Apply mapping");
        assertThat(page.locator("#preview thead th").nth(3)).not().containsText("Duration");
        reading.selectOption("");
        press(page, "Apply mapping");
        assertThat(page.locator("#preview thead th").nth(3)).containsText("Duration");
        press(page, "Start import");
        assertThat(page.locator("#progress-heading")).hasText("Done");
        go(page, project + "/task");
        assertThat(cell(page, "Paint", "length")).hasText("1:30:00");
        assertThat(cell(page, "Paint", "from")).hasText("09:30");
        assertThat(cell(page, "Wait", "length")).hasText("12:05:00");
    }

    @Test
    void aSmallFileComesWithoutScriptsToo() {
        var shop = shop();
        var page = square.visit(browser.openWithoutScripts(), owner, shop + "/product/import");
        page.locator("#file").setInputFiles(file("cups.csv", "name,price\nCup,3\n"));
        press(page, "Upload and preview");
        assertThat(page.locator("#preview")).containsText("Cup");
    }

    @Test
    void pastedRowsGoTheWayOfAFile() {
        var shop = shop();
        var page = at(owner, shop + "/product/import");
        page.getByLabel("Or paste rows").fill("name\tprice\n\"Cup, blue\"\t3.50\nBowl\t4\n");
        press(page, "Upload and preview");
        assertThat(page.locator("#preview")).containsText("Cup, blue");
        press(page, "Start import");
        assertThat(page.locator("#progress-heading")).hasText("Done");
        assertThat(page.locator("#rows-written")).hasText("2");

        for (var rows : List.of("名前,価格\n茶,300\n", "名前;価格\n茶;300\n", "{\"名前\":\"茶\",\"価格\":300}\n", "名前\n茶, 緑\n")) {
            var sent = send(owner, shop + "/-/import", "schema=", "newSchema=お茶", "pasted=" + rows);
            var one = assertSent(sent);
            var preview = Jsoup.parse(owner.api().get(one).body());
            assertThat(preview.select("h1").text()).isEqualTo("Pasted rows");
            assertThat(preview.select("#preview thead").text()).contains("名前");
            assertThat(preview.select("#preview tbody").text()).contains("茶");
            assertSent(send(owner, one + "/cancel"));
        }
        var chosen = assertSent(send(
                owner, shop + "/-/import", "schema=product", "options=create", "pasted=name\tstatus\nJug\tsold out\n"));
        var coming = Jsoup.parse(owner.api().get(chosen).body());
        assertThat(coming.select("#preview tbody").text()).contains("sold out");
        assertThat(coming.text()).doesNotContain("must be one of");
        assertSent(send(owner, chosen + "/cancel"));
        var none = send(owner, shop + "/-/import", "schema=product", "pasted=");
        assertThat(none.status()).isEqualTo(422);
        assertThat(none.body()).contains("Must be chosen, unless rows are pasted.");
    }

    @Test
    void aWorkbookIsUploadedAndExportedByThePage() throws IOException {
        var shop = shop();
        imported(owner, shop, "{\"name\":\"Cup\",\"price\":3.5}\n");
        var page = at(owner, shop + "/product");
        page.locator(".more-menu summary").click();
        var workbook = page.waitForDownload(
                        () -> page.getByText("Export as XLSX").click())
                .path();
        var type = FileFormat.XLSX.mediaType();
        go(page, shop + "/product/import");
        page.locator("#file").setInputFiles(new FilePayload("cups.xlsx", type, Files.readAllBytes(workbook)));
        press(page, "Upload and preview");
        assertThat(page.locator("#preview")).containsText("Cup");
        press(page, "Start import");
        assertThat(page.locator("#rows-written")).hasText("1");
    }

    @Test
    void anEmptyFileIsRefusedInWords() {
        browser.expecting(422);
        var page = square.visit(browser.openWithoutScripts(), owner, shop() + "/product/import");
        page.locator("#file").setInputFiles(file("cups.csv", ""));
        press(page, "Upload and preview");
        assertThat(page.locator(".error")).hasText("Must not be empty.");
    }

    @Test
    void columnsOfOtherNamesAreSentToAttributesOrLeftOut() {
        var page = at(owner, shop() + "/product/import");
        page.locator("#file").setInputFiles(file("cups.csv", "Name,cost,colour\nCup,3.50,blue\n"));
        press(page, "Upload and preview");
        assertThat(page.getByLabel("Attribute for Name")).hasValue("name");
        assertThat(page.getByLabel("Attribute for colour")).hasValue("");
        assertThat(page.getByText("Start import")).hasCount(0);
        page.getByLabel("Attribute for cost").selectOption("price");
        press(page, "Apply mapping");
        assertThat(page.locator("#preview thead")).containsText("goes to price");
        assertThat(page.locator("#preview thead")).containsText("skipped");
        press(page, "Start import");
        assertThat(page.locator("#progress-heading")).hasText("Done");
        page.getByText("View records").click();
        assertThat(cell(page, "Cup", "price")).hasText("3.50");
    }

    @Test
    void theRowWithTheNamesIsChosenOnThePreview() {
        var page = at(owner, shop() + "/product/import");
        page.locator("#file").setInputFiles(file("cups.csv", "Cups of May\n\nname,price,\nCup,3.50,blue\n"));
        press(page, "Upload and preview");
        assertThat(page.locator("#errors")).containsText("names the column `Cups of May`, which is no attribute");
        page.getByLabel("Row with the names of the columns").fill("3");
        press(page, "Apply mapping");
        assertThat(page.getByLabel("Row with the names of the columns")).hasValue("3");
        assertThat(page.getByLabel("Attribute for column 3")).hasValue("");
        assertThat(page.getByText("Start import")).hasCount(0);
        press(page, "Apply mapping");
        press(page, "Start import");
        assertThat(page.locator("#progress-heading")).hasText("Done");
    }

    @Test
    void twoColumnsDoNotGoToOneAttributeAndOthersImportsAreLeftAlone() {
        var shop = shop();
        var made = owner.api()
                .post(
                        "/api/v1/projects/" + shop.substring(shop.lastIndexOf('/') + 1) + "/imports",
                        "{'schema': 'product', 'format': 'csv'}");
        var columns = shop + "/-/imports/" + made.text("id") + "/columns";
        var twice = new String[] {"column=a", "to=name", "column=b", "to=name"};
        assertThat(send(owner, columns, twice).status()).isEqualTo(422);
        assertThat(send(member(shop, "Ed", "editor"), columns, twice).status()).isEqualTo(404);
        assertSent(send(owner, columns, "column=a", "to=name", "column=b", "to="));
    }

    @Test
    void anUploadThatBrokeOffGoesOn() {
        var shop = shop();
        var fields =
                new String[] {"schema=product", "delimiter=,", "onError=skip", "source=a.csv", "size=9", "modified=1"};
        var begun = send(owner, shop + "/-/import", fields);
        assertThat(begun.status()).as(begun.body()).isEqualTo(200);
        var content = begun.text("content");
        owner.api().with("Upload-Offset", "0").sendAs("application/octet-stream", "PATCH", content, "name\n");
        var again = send(owner, shop + "/-/import", fields);
        assertThat(again.text("content")).isEqualTo(content);
        assertThat(again.json().path("received").asLong()).isEqualTo(5);
        fields[5] = "modified=99999";
        assertThat(send(owner, shop + "/-/import", fields).text("content")).isNotEqualTo(content);
        var editor = member(shop, "Ed", "editor");
        fields[5] = "modified=1";
        assertThat(send(editor, shop + "/-/import", fields).text("content")).isNotEqualTo(content);
    }
}
