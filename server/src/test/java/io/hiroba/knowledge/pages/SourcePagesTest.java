package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import io.hiroba.platform.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.junit.jupiter.api.Test;

/** The pages of sources in a browser. */
class SourcePagesTest extends KnowledgeBrowser {

    private static final FilePayload PROGRAM =
            new FilePayload("tool.exe", "application/octet-stream", new byte[] {'M', 'Z', 0, 3, 0, 0, 4, 0});

    /** Vectors come two at a time. */
    @Override
    String[] flags() {
        return new String[] {"--knowledge.embedding.batch=2", "--knowledge.embedding.concurrency=1"};
    }

    @Test
    void theProgressOfEmbeddingMovesOnEveryPageThatShowsIt() {
        models.slow = true;
        try {
            var source = noteAtOnce(mio, "Six parts", """
                    # A\n\nAsh.\n\n# B\n\nBeech.\n\n# C\n\nCedar.\n\n# D\n\nDate.\n\n# E\n\nElm.\n\n# F\n\nFir.
                    """);
            var alone = at(mio, source);
            var listed = at(mio, "/knowledge/sources");
            var row = listed.locator("#sources > li", new Page.LocatorOptions().setHasText("Six parts"));
            assertThat(alone.locator(".source-status")).containsText("0 of 6 chunks");
            assertThat(row).containsText("0 of 6 chunks");
            for (int embedded : new int[] {2, 4}) {
                models.allowed.set(1);
                assertThat(alone.locator(".source-status")).containsText(embedded + " of 6 chunks");
                assertThat(row).containsText(embedded + " of 6 chunks");
                assertThat(row.locator("progress")).hasAttribute("value", "" + embedded);
            }
            models.slow = false;
            assertThat(alone.locator(".source-status .status")).hasText("Ready");
            assertThat(row.locator(".status")).hasText("Ready");
        } finally {
            models.slow = false;
        }
    }

    @Test
    void theProgressOfOlderSourcesMovesOnceTheyAreShown() {
        var olga = square.person("Olga");
        models.slow = true;
        try {
            for (int i = 1; i <= 31; i++) {
                noteAtOnce(olga, "Note " + i, "Of leaf " + i);
            }
            var page = at(olga, "/knowledge/sources");
            page.locator("#sources > .more a").click();
            var oldest = page.locator("#sources > li").last();
            assertThat(oldest).containsText("Note 1");
            assertThat(oldest.locator("progress")).isVisible();
            models.slow = false;
            assertThat(oldest.locator(".status")).hasText("Ready");
        } finally {
            models.slow = false;
        }
    }

    @Test
    void filesAreUploadedOneByOneAndTheirProgressIsShown() {
        models.slow = true;
        try {
            browser.expecting(415, 422, 400);
            var page = at(mio, "/knowledge/sources");
            page.locator("#files").setInputFiles(new FilePayload[] {file("tea.md", TEA), PROGRAM});
            press(page, "Upload");
            assertThat(page.locator("#uploads .good")).containsText("added");
            assertThat(page.locator("#uploads .bad")).containsText("tool.exe");
            assertThat(page.locator("#uploads .bad .upload-status")).not().hasText("");
            var row = page.locator("#sources > li", new Page.LocatorOptions().setHasText("Green tea"));
            assertThat(row.locator(".status")).hasText(Pattern.compile("Waiting|Embedding"));
            assertThat(row.locator("progress")).isVisible();
            models.slow = false;
            assertThat(row.locator(".status")).hasText("Ready");
            assertThat(row.locator("progress")).hasCount(0);
            assertThat(row).containsText("Private");
        } finally {
            models.slow = false;
        }
    }

    @Test
    void filesThatWaitAreUploadedAlsoWhenSomebodyGoesOn() {
        var page = at(mio, "/knowledge/sources");
        var held = new ArrayList<Route>();
        page.route("**/knowledge/sources/files", held::add);
        page.locator("#files").setInputFiles(new FilePayload[] {
            file("ash.txt", "Ash"), file("beech.txt", "Beech"), file("cedar.txt", "Cedar"), file("date.txt", "Date")
        });
        press(page, "Upload");
        assertThat(page.locator("#uploads li")).hasCount(4);
        page.waitForCondition(() -> !held.isEmpty());
        page.locator(".sidebar a[href='/inbox']").click();
        assertThat(page.locator("#inbox")).isVisible();
        assertThat(page.locator("#toasts")).containsText("4 files are still being uploaded.");

        // What would end them asks first.
        var asked = new ArrayList<String>();
        browser.discard();
        page.onDialog(dialog -> {
            asked.add(dialog.type());
            dialog.dismiss();
        });
        page.evaluate("setTimeout(() => location.reload())");
        page.waitForCondition(() -> !asked.isEmpty());
        assertThat(asked).containsExactly("beforeunload");
        page.locator(".sidebar a[href='/knowledge']").click();
        page.locator(".tabs a[href='/knowledge/sources']").click();
        assertThat(page.locator("#uploads li")).hasCount(4);
        page.unroute("**/knowledge/sources/files");
        held.forEach(Route::resume);
        assertThat(page.locator("#uploads .good")).hasCount(4);
        for (var name : List.of("ash", "beech", "cedar", "date")) {
            assertThat(page.locator("#sources")).containsText(name);
        }
    }

    @Test
    void aFileIsDropped() {
        var page = at(mio, "/knowledge/sources");
        var transfer = page.evaluateHandle("""
                () => {
                  const files = new DataTransfer();
                  files.items.add(new File(["Oolong is half oxidised."], "oolong.txt", { type: "text/plain" }));
                  return files;
                }
                """);
        page.locator(".drop-zone").dispatchEvent("drop", Map.of("dataTransfer", transfer));
        assertThat(page.locator("#uploads .good")).containsText("oolong.txt");
        assertThat(page.locator("#sources")).containsText("oolong");
    }

    @Test
    void aTextIsAddedRenamedMadePublicAndDeleted() {
        var page = at(mio, "/knowledge/sources");
        page.locator("#add-text summary").click();
        page.getByLabel("Title").fill("On matcha");
        page.locator("#content").fill("# Matcha\n\nWhisk it until it foams.\n\n<b>Not bold</b>");
        press(page, "Add text");
        assertThat(page.locator("h1")).hasText("On matcha");
        assertThat(page.locator("#passages")).containsText("<b>Not bold</b>");
        assertThat(page.locator(".source-status .status")).hasText("Ready");
        var address = page.url();

        page.getByText("Rename").first().click();
        page.getByLabel("Title").fill("About matcha");
        page.locator(".inline-form button").click();
        assertThat(page.locator("h1")).hasText("About matcha");
        press(page, "Make public");
        assertThat(page.locator(".facts")).containsText("Public");

        var reader = at(square.person("Rie"), "/knowledge/sources?whose=all");
        reader.locator("#sources").getByText("About matcha").click();
        assertThat(reader.locator("h1")).hasText("About matcha");
        assertThat(reader.getByText("Make private")).hasCount(0);
        assertThat(reader.getByText("Delete")).hasCount(0);

        press(page, "Make private");
        assertThat(page.locator(".facts")).containsText("Private");
        page.locator(".confirm summary").click();
        press(page, "Delete source");
        assertThat(page.locator("h1")).hasText("Sources");
        assertThat(page.locator("#sources")).not().containsText("About matcha");
        browser.expecting(404);
        page.navigate(address);
        assertThat(page.locator("h1")).not().hasText("About matcha");
    }

    @Test
    void aChunkNamedByTheUrlIsScrolledIntoView() {
        var paragraphs = new StringBuilder();
        for (int i = 1; i <= 120; i++) {
            paragraphs
                    .append("# Part ")
                    .append(i)
                    .append("\n\nThis is what part ")
                    .append(i)
                    .append(" says.\n\n");
        }
        var source = note(mio, "Many parts", paragraphs.toString());
        var chunks =
                mio.api().get("/api/v1" + source + "/chunks?limit=100").json().path("items");
        assertThat(chunks.size()).isGreaterThan(60);
        var marked = chunks.path(60).path("id").asString("");
        var page = at(mio, source + "?chunk=" + marked);
        assertThat(page.locator("#chunk-" + marked)).hasClass("marked");
        assertThat(page.locator("#chunk-" + marked)).isInViewport();
        page.getByText("Show previous").click();
        assertThat(page.locator("#passages > li .small a").first()).not().hasText("56");
        page.locator("#passages > .more a").click();
        assertThat(page.locator("#passages > li:not(.more)")).hasCount(80);
    }

    @Test
    void onlyTheOwnerChangesASource() {
        var open = note(mio, "Open notes", "Anybody may read this.", "public=true");
        var closed = note(mio, "Closed notes", "Nobody else may read this.");
        var eve = square.person("Eve");
        for (var action : new String[] {"visibility", "rename", "refresh", "delete"}) {
            assertThat(send(eve, open + "/" + action, "title=Mine", "public=").status())
                    .as(action)
                    .isEqualTo(403);
            assertThat(send(eve, closed + "/" + action, "title=Mine", "public=true")
                            .status())
                    .as(action)
                    .isEqualTo(404);
        }
        assertThat(eve.api().get(open).body()).contains("Open notes");
        assertThat(mio.api().get(closed).body()).contains("Closed notes");
        var session = square.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", mio.email(), "password", mio.password())));
        var signedIn = square.anonymous().cookie(session.cookie());
        var elsewhere = signedIn.with("Sec-Fetch-Site", "cross-site");
        assertThat(elsewhere
                        .sendAs("application/x-www-form-urlencoded", "POST", closed + "/delete", "")
                        .status())
                .isEqualTo(403);
        assertThat(signedIn.get(closed).status()).as("it is still there").isEqualTo(200);
        assertThat(square.anonymous().with("Accept", "text/html").get(open).status())
                .isEqualTo(303);
    }

    @Test
    void aRefusedSourceIsExplainedInItsForm() {
        var empty = send(mio, "/knowledge/sources/text", "title=Nothing", "content= ");
        assertThat(empty.status()).isEqualTo(422);
        assertThat(empty.body()).contains("Nothing");
        var inside = send(mio, "/knowledge/sources/url", "url=http://127.0.0.1:1/");
        assertThat(inside.status()).isGreaterThanOrEqualTo(400).isLessThan(500);
        assertThat(inside.body()).contains("http://127.0.0.1:1/");

        browser.expecting(422);
        var page = square.visit(browser.openWithoutScripts(), mio, "/knowledge/sources");
        page.locator("#files")
                .setInputFiles(new FilePayload[] {file("sencha.md", "# Sencha\n\nA green tea."), PROGRAM});
        press(page, "Upload");
        assertThat(page.locator(".alert.bad")).containsText("tool.exe");
        assertThat(page.locator("#sources")).containsText("Sencha");
    }

    @Test
    void aFileInAChosenEncodingIsReadAndOpenedAgain() {
        var page = square.visit(browser.openWithoutScripts(), mio, "/knowledge/sources");
        var bytes = "日本".getBytes(Charset.forName("EUC-JP"));
        page.locator("#files").setInputFiles(new FilePayload("kanji.txt", "text/plain", bytes));
        page.locator("#charset").selectOption("EUC-JP");
        press(page, "Upload");
        assertThat(page.locator(".chunk-text")).hasText("日本");
        var link = page.getByText("Open the original");
        assertThat(mio.api().get(link.getAttribute("href")).header("Content-Disposition"))
                .isEqualTo("attachment; filename*=UTF-8''kanji.txt");
    }

    @Test
    void thePageOfAPdfIsOpenedWhereAPassageStands() throws IOException {
        var out = new ByteArrayOutputStream();
        try (var document = new PDDocument()) {
            document.addPage(new PDPage());
            var second = new PDPage();
            document.addPage(second);
            try (var content = new PDPageContentStream(document, second)) {
                content.beginText();
                content.setFont(new PDType1Font(FontName.HELVETICA), 12);
                content.showText("On the second page");
                content.endText();
            }
            document.save(out);
        }
        var page = square.visit(browser.openWithoutScripts(), mio, "/knowledge/sources");
        page.locator("#files").setInputFiles(new FilePayload("a.pdf", "application/pdf", out.toByteArray()));
        press(page, "Upload");
        var link = page.locator("#passages").getByText("Open the original").getAttribute("href");
        assertThat(link).endsWith("/original?inline=true#page=2");
        assertThat(mio.api().get(link.replaceFirst("#.*", "")).header("Content-Disposition"))
                .startsWith("inline");
    }

    @Test
    void deadLettersAreListedAndRetried() {
        models.refused = "unspeakable";
        try {
            var source = noteAtOnce(mio, "Half of it", "# One\n\nThis is fine.\n\n# Two\n\nThis is unspeakable.");
            var page = at(mio, source);
            assertThat(page.locator(".source-status .status")).hasText(Pattern.compile("Partly ready|Failed"));
            page.getByText("View failed passages").click();
            assertThat(page.locator("nav.tabs .badge")).hasText("1");
            var letter = page.locator("#dead-letters > li", new Page.LocatorOptions().setHasText("unspeakable"));
            assertThat(letter.locator("a.title")).hasText("Half of it");
            assertThat(letter.locator(".error-detail")).not().hasText("");

            var eve = square.person("Eve");
            var id = letter.getAttribute("id").substring("letter-".length());
            assertThat(eve.api().get("/knowledge/dead-letters").body()).doesNotContain("unspeakable");
            assertThat(eve.api().get("/knowledge").body()).doesNotContain("/knowledge/dead-letters");
            assertThat(send(eve, "/knowledge/dead-letters/" + id + "/retry").status())
                    .isEqualTo(404);
            assertThat(send(eve, "/knowledge/dead-letters/" + id + "/delete").status())
                    .isEqualTo(404);

            // Admins see everybody's, without the text.
            assertThat(square.admin.api().get("/admin/dead-letters").body())
                    .contains("Half of it", "Mio")
                    .doesNotContain("unspeakable");
            assertThat(eve.api().get("/admin/dead-letters").status()).isEqualTo(403);
            assertThat(send(eve, "/admin/dead-letters/" + id + "/delete").status())
                    .isEqualTo(403);

            models.refused = null;
            press(page, "Retry all");
            assertThat(page.locator("#dead-letters .empty")).isVisible();
            go(page, source);
            assertThat(page.locator(".source-status .status")).hasText("Ready");
        } finally {
            models.refused = null;
        }
    }

    @Test
    void postsBecomeSourcesByTheirAuthorsRules() {
        var ann = square.person("Ann");
        ann.post("Gyokuro wants water of fifty degrees.");
        var page = at(ann, "/knowledge/post-rules");
        press(page, "Add my posts");
        assertThat(page.locator("#rules")).containsText("My public posts");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ann.api()
                        .get("/knowledge?q=gyokuro&mode=keyword")
                        .body()
                        .contains("class=\"hit\""));
        page.getByLabel("Tag").fill("two words");
        browser.expecting(422);
        press(page, "Add tag");
        assertThat(page.locator(".error")).containsText("without spaces");
        page.getByLabel("Tag").fill("howto");
        press(page, "Add tag");
        assertThat(page.locator("#rules")).containsText("#howto");

        var rule = page.locator("#rules form").first().getAttribute("action");
        assertThat(send(square.person("Eve"), rule).status()).isEqualTo(404);
        assertThat(send(ann, "/knowledge/post-rules", "tag=howto", "everyone=true")
                        .status())
                .isEqualTo(403);
        page.locator("#rules button").first().click();
        assertThat(page.locator("#rules > li")).hasCount(1);
    }

    @Test
    void noPageOfKnowledgeScrollsSidewaysOnAPhone() {
        var source = note(
                mio, "A title that is as long as titles of documents sometimes are, and then a little longer", TEA);
        say(mio, "thread:99", "user", "Hello there");
        var phone = square.visit(browser.openPhone(), mio, "/knowledge/sources");
        for (var path : new String[] {
            "/knowledge",
            "/knowledge/sources",
            source,
            "/knowledge/sessions",
            "/knowledge/sessions/thread:99",
            "/knowledge/post-rules",
            "/knowledge/dead-letters"
        }) {
            go(phone, path);
            assertFits(phone);
        }
    }
}
