package io.hiroba.knowledge.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The search page in a browser. */
class KnowledgeSearchPagesTest extends KnowledgeBrowser {

    private static void look(Page page, String words) {
        page.locator("#q").fill(words);
        page.locator("#q").press("Enter");
    }

    @Test
    void chunksAreFoundFilteredAndOpenedBesideThePage() {
        var ann = square.person("Ann");
        var tea = note(ann, "How to brew", TEA);
        note(ann, "Meeting", "We agreed to serve bitter tea at four.");
        var page = at(ann, "/knowledge");
        assertThat(page.locator(".sidebar .nav a[aria-current]")).hasText("Knowledge");
        look(page, "bitter");
        assertThat(page.locator(".hit")).hasCount(3);
        assertThat(page.locator(".hit mark").first()).isVisible();
        assertThat(page.locator(".hit .score svg").first())
                .hasAttribute("aria-label", Pattern.compile("Relevance [01]\\..*"));
        assertThat(page.locator("#truncated")).containsText("No more chunks");
        assertThat(page).hasURL(Pattern.compile("/knowledge\\?q=bitter&mode=hybrid&limit=10$"));

        page.locator(".modes label", new Page.LocatorOptions().setHasText("Keywords"))
                .click();
        assertThat(page).hasURL(Pattern.compile("mode=keyword"));
        assertThat(page.locator(".hit")).hasCount(2);
        page.locator(".more-filters summary").click();
        page.getByLabel("Type").selectOption("post");
        assertThat(page.locator(".empty")).containsText("No results with these filters");
        page.goBack();
        assertThat(page.locator(".hit")).hasCount(2);

        page.locator(".hit a.title", new Page.LocatorOptions().setHasText("How to brew"))
                .click();
        assertThat(page.locator("#panel .marked")).containsText("makes it bitter");
        assertThat(page.locator("#panel .neighbor")).containsText("Keep the leaves dark");
        page.keyboard().press("Escape");
        assertThat(page.locator("#panel")).not().isVisible();
        assertThat(page.locator(".hit a.title:focus")).hasText("How to brew");

        page.locator(".hit", new Page.LocatorOptions().setHasText("How to brew"))
                .getByText("Only this source")
                .click();
        assertThat(page.locator(".chip")).containsText("in How to brew");
        assertThat(page.locator(".hit")).hasCount(1);
        assertThat(page).hasURL(Pattern.compile("source=" + tea.substring(tea.lastIndexOf('/') + 1)));
    }

    @Test
    void aNewUserSeesHowToStart() {
        var page = at(square.person("Nina"), "/knowledge");
        // Others may have made something public meanwhile: then there is something to find.
        assertThat(page.locator(".welcome, .empty")).isVisible();
        look(page, "zebra");
        assertThat(page.locator(".empty")).containsText("No results");
        page.locator(".empty").getByText("Add a source").click();
        assertThat(page.locator("#add-heading")).isVisible();
    }

    @Test
    void othersPrivateChunksAreNeitherFoundNorOpened() {
        var secret = note(mio, "Diary", "The password of the teahouse is aubergine.");
        var id = secret.substring(secret.lastIndexOf('/') + 1);
        var eve = square.person("Eve");
        var chunk = mio.api()
                .get("/api/v1/knowledge/sources/" + id + "/chunks")
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString("");
        assertThat(chunk).isNotEmpty();
        var eves = eve.api().with("Accept", "text/html");
        for (var search : new String[] {"?q=aubergine", "?q=aubergine&source=" + id, "?q=aubergine&mode=vector"}) {
            var reply = eves.get("/knowledge" + search);
            assertThat(reply.status()).as(search).isEqualTo(200);
            assertThat(reply.body()).doesNotContain("teahouse").doesNotContain("Diary");
        }
        assertThat(eves.get(secret + "/around?chunk=" + chunk).status()).isEqualTo(404);
        assertThat(eves.get(secret + "?chunk=" + chunk).status()).isEqualTo(404);
        assertThat(eves.get("/knowledge/sources/progress?ids=" + id).body()).doesNotContain(id);
        assertThat(eves.get("/knowledge/sources?whose=all").body()).doesNotContain("Diary");
        assertThat(mio.api().get(secret + "/around?chunk=" + chunk).body()).contains("teahouse");
    }

    @Test
    void anInvalidQueryIsExplained() {
        var reply = mio.api().with("Accept", "text/html").get("/knowledge?q=tea&from=yesterday");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.body()).contains("must be a day such as");
        assertThat(mio.api().get("/knowledge?q=tea&mode=magic").status()).isEqualTo(422);
        var markup = mio.api().get("/knowledge?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E");
        assertThat(markup.body()).doesNotContain("<script>alert");
    }

    @Test
    void pagesAreInTheLanguageOfTheReaderAndPassagesInTheirOwn() {
        var reader = square.person("Reader");
        var source = note(reader, "Matcha", "抹茶は茶筅でよく泡立てます。");
        say(reader, "thread:tea", "user", "Which tea is the best?");
        var chinese = reader.api().with("Accept", "text/html").with("Accept-Language", "zh-CN");
        assertThat(chinese.get("/knowledge?q=%E6%8A%B9%E8%8C%B6").body())
                .contains("<html lang=\"zh-CN\"", "仅此来源", "第 1 段", "<p class=\"passage\" lang=\"ja\">");
        assertThat(chinese.get(source).body()).contains("搜索此来源", "MIME 类型", "<div class=\"chunk-text\" lang=\"ja\">");
        assertThat(chinese.get("/knowledge?q=tea&from=yesterday").body()).contains("必须是形如 2026-01-31 的日期");
        var japanese = reader.api().with("Accept", "text/html").with("Accept-Language", "ja");
        assertThat(japanese.get("/knowledge/sources").body()).contains("ソースを追加", "準備完了", "1チャンク");
        assertThat(japanese.get("/knowledge/sessions").body()).contains("1件のメッセージ", "スレッド");
        assertThat(japanese.get("/knowledge/sessions/thread:tea").body()).contains("今すぐアーカイブ", "ユーザー");
        assertThat(japanese.get("/knowledge/post-rules").body()).contains("ルールはまだありません");
        assertThat(japanese.get("/knowledge/dead-letters").body()).contains("失敗したチャンクはありません");
    }

    @Test
    void searchingWorksWithoutScriptsAndOnAPhone() {
        note(mio, "Kettle", "A kettle with a thermometer is worth its price.");
        var page = square.visit(browser.openWithoutScripts(), mio, "/knowledge");
        look(page, "kettle");
        assertThat(page.locator(".hit a.title")).hasText("Kettle");
        page.locator(".hit a.title").click();
        assertThat(page.locator(".passages .marked")).containsText("thermometer");

        page.goBack();
        look(page, "kettel");
        assertThat(page.locator("#searched-for")).containsText("Searched for “kettle”.");
        assertThat(page.locator(".hit a.title")).hasText("Kettle");

        var phone = square.visit(browser.openPhone(), mio, "/knowledge?q=kettel");
        assertThat(phone.locator(".hit")).hasCount(1);
        assertFits(phone);
        phone.locator(".hit a.title").click();
        assertThat(phone.locator("#panel .marked")).isVisible();
        assertFits(phone);
    }

    @Test
    void aCollectionIsMadeFilledSharedSearchedAndDeleted() {
        browser.expecting(422);
        var ann = square.person("Curatrix");
        var ben = square.person("Benvolio");
        var page = at(ann, "/knowledge/collections");
        assertThat(page.locator("#collections")).containsText("No collections yet");
        page.getByLabel("Name").fill("Tea handbook");
        page.getByLabel("Description").fill("All that we know of tea.");
        press(page, "Create");
        assertThat(page.locator("h1")).hasText("Tea handbook");
        var path = page.url().substring(square.server.url().length());
        var id = path.substring(path.lastIndexOf('/') + 1);
        var source = note(ann, "Oolong", "Oolong is steeped several times.", "collection=" + id);
        go(page, path);
        assertThat(page.locator("#sources")).containsText("Oolong");
        page.getByLabel("Nickname or user ID").fill("Benvolio");
        page.locator("#role").selectOption("editor");
        press(page, "Share");
        assertThat(page.locator("#members")).containsText("Benvolio");
        assertThat(page.locator("h1 + p + p .tag").first()).hasText("Shared");
        page.getByLabel("Nickname or user ID").fill("Nobody at all");
        press(page, "Share");
        assertThat(page.locator("#who-error")).isVisible();

        page.getByLabel("URL").fill("http://127.0.0.1:1/handbook");
        press(page, "Watch");
        assertThat(page.locator("#places")).containsText("http://127.0.0.1:1/handbook");
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            go(page, path);
            assertThat(page.locator("#places").textContent()).contains("private network");
        });
        press(page, "Stop watching http://127.0.0.1:1/handbook");
        assertThat(page.locator("#places li")).hasCount(0);

        var phone = at(ben, "/knowledge?q=oolong&mode=keyword&collection=" + id);
        phone.setViewportSize(390, 844);
        assertThat(phone.locator(".hit")).hasCount(1);
        assertThat(phone.getByLabel("Collection")).hasValue(id);
        assertFits(phone);
        for (var each : new String[] {
            "/knowledge/collections", path, "/knowledge/sources?collection=" + id, source, "/knowledge/chat"
        }) {
            go(phone, each);
            assertFits(phone);
        }
        go(phone, source);
        press(phone, "Take out of the collection");
        assertThat(phone.locator("h1")).hasText("Tea handbook");
        assertThat(phone.locator("#sources")).containsText("No sources yet");

        go(page, source);
        page.getByText("Move to collection").first().click();
        page.getByLabel("Collection").selectOption(id);
        press(page, "Move to collection");
        assertThat(page.locator(".facts")).containsText("Tea handbook");
        go(page, path);
        press(page, "Remove Benvolio");
        assertThat(page.locator("#members")).containsText("No members yet");
        assertThat(ben.api().with("Accept", "text/html").get(path).status()).isEqualTo(404);
        page.locator("summary", new Page.LocatorOptions().setHasText("Delete collection"))
                .click();
        page.getByLabel("Delete all of them").check();
        press(page, "Delete collection");
        assertThat(page.locator("#collections")).containsText("No collections yet");
        assertThat(ann.api().get("/api/v1" + source).status()).isEqualTo(404);
    }
}
