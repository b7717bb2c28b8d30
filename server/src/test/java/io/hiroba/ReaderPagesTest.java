package io.hiroba;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ReducedMotion;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Messages;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Measures;
import io.hiroba.testkit.ShownSquare;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The main pages in each language and in the time zones of their readers. With {@code -Dhiroba.write-docs=true}, pictures of
 * them are in {@code target/screenshots/languages}.
 */
@Tag("browser")
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class ReaderPagesTest {

    private static final Path PICTURES = Path.of("target", "screenshots", "languages");
    private static final List<String> FEATURES =
            List.of("accounts", "social", "activity", "inbox", "saga", "records", "knowledge", "shell");

    /** Makes every text 40 % longer, as a language with long words would. */
    private static final String LENGTHEN = """
            () => {
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                const text = walker.currentNode;
                if (text.parentElement.closest("script, style, time, svg, textarea, option, .avatar, code, pre") || !text.data.trim()) continue;
                const words = text.data.trim().length;
                text.data = text.data.trimEnd() + "ßwörter".repeat(words).slice(0, Math.ceil(words * 0.4));
              }
            }""";

    @RegisterExtension
    final Browser browser = new Browser();

    private ShownSquare shown;

    @BeforeAll
    void open() {
        shown = new ShownSquare();
        shown.pages.remove("style");
    }

    @AfterAll
    void close() {
        shown.close();
    }

    /** {@link Browser} sees to that; here are the pages, each swapped for the one before as links do it. */
    @Test
    void onNoMainPageTheBrowserComplainsOnItsConsole() {
        var page = browser.open();
        shown.square.visit(page, shown.reader, "/");
        shown.pages.forEach((name, path) -> {
            page.evaluate("""
                    path => {
                      // As somebody does who drags its corner.
                      document.querySelectorAll("textarea").forEach((field) => { field.style.height = "200px"; });
                      const link = document.createElement("a");
                      link.href = path;
                      document.querySelector("main").append(link);
                      htmx.process(link);
                      const settled = new Promise((done) => document.addEventListener("htmx:afterSettle", done, { once: true }));
                      link.click();
                      return settled.then(() => null);
                    }""", path);
            page.waitForURL(shown.square.server.url() + path);
        });
        page.navigate(shown.square.server.url() + "/docs");
        assertThat(page.locator(".swagger-ui .info")).isVisible();
    }

    @ParameterizedTest
    @EnumSource(
            value = Language.class,
            names = {"JAPANESE", "CHINESE"})
    void theMainPagesSpeakTheLanguageOfTheBrowser(Language language) {
        var softly = new SoftAssertions();
        var page = browser.open(options ->
                options.setLocale(language.tag()).setViewportSize(1200, 800).setReducedMotion(ReducedMotion.REDUCE));
        var english = sentences(language);
        page.navigate(shown.square.server.url() + "/signup");
        look(page, "sign-up", language, english, softly);
        shown.square.visit(page, shown.reader, "/");
        shown.pages.forEach((name, path) -> {
            page.navigate(shown.square.server.url() + path);
            look(page, name, language, english, softly);
        });
        softly.assertAll();
    }

    private static void look(Page page, String name, Language language, Set<String> english, SoftAssertions softly) {
        var where = name + " in " + language;
        softly.assertThat(page.locator("html").getAttribute("lang")).as(where).isEqualTo(language.tag());
        var words = page.locator("body").innerText();
        softly.assertThat(english.stream().filter(words::contains))
                .as("English on " + where)
                .isEmpty();
        for (var width : List.of(1200, 360)) {
            page.setViewportSize(width, 800);
            requireFit(page, where + " at " + width, softly);
            if (Boolean.getBoolean("hiroba.write-docs")) {
                page.screenshot(new Page.ScreenshotOptions()
                        .setPath(PICTURES.resolve(name + "-" + language.code() + "-" + width + ".png")));
            }
        }
        page.setViewportSize(1200, 800);
    }

    private static void requireFit(Page page, String where, SoftAssertions softly) {
        var measures = Measures.of(page);
        softly.assertThat(measures.overlaps()).as("texts over others: " + where).isEmpty();
        softly.assertThat(measures.outside())
                .as("outside of the window: " + where)
                .isEmpty();
    }

    /** English messages that read otherwise in {@code language}; short ones may be user content. */
    private static Set<String> sentences(Language language) {
        Predicate<String> isSentence = text -> text.contains(" ") && text.length() > 12 && !text.contains("{");
        return FEATURES.stream()
                .flatMap(feature -> {
                    var translated = Messages.in(language).patterns(feature + ".");
                    return Messages.in(Language.ENGLISH).patterns(feature + ".").entrySet().stream()
                            .filter(message -> !message.getValue().equals(translated.get(message.getKey())));
                })
                .map(message -> message.getValue())
                .filter(isSentence)
                .collect(Collectors.toSet());
    }

    @Test
    void longTextsFitTheLayout() {
        var softly = new SoftAssertions();
        var page = browser.open(options -> options.setReducedMotion(ReducedMotion.REDUCE));
        shown.square.visit(page, shown.reader, "/");
        shown.pages.forEach((name, path) -> {
            page.navigate(shown.square.server.url() + path);
            page.evaluate(LENGTHEN);
            for (var width : List.of(1200, 360)) {
                page.setViewportSize(width, 800);
                requireFit(page, name + " at 140 % and " + width, softly);
            }
        });
        softly.assertAll();
    }

    @Test
    void aLanguageThatIsChosenStaysInThisBrowserAndWithTheAccount() {
        var person = shown.square.person("Mei");
        var page = browser.open();
        page.navigate(shown.square.server.url() + "/login");
        choose(page, Language.CHINESE);
        assertThat(page.locator("h1")).hasText("欢迎回来");

        shown.square.visit(page, person, "/settings");
        choose(page, Language.JAPANESE);
        assertThat(page.locator("html")).hasAttribute("lang", "ja");
        var other = shown.square.visit(browser.open(), person, "/settings");
        assertThat(other.locator("html")).hasAttribute("lang", "ja");
    }

    @Test
    void afterLoggingInPageAndScriptsAreInTheLanguageOfTheAccount() {
        var person = shown.square.person("Yuki");
        choose(shown.square.visit(browser.open(), person, "/settings"), Language.JAPANESE);
        var page = browser.open();
        page.navigate(shown.square.server.url() + "/login");
        page.locator("#email").fill(person.email());
        page.locator("#password").fill(person.password());
        page.locator("main button[type=submit]").click();
        assertThat(page.locator("main h1")).hasText("ホーム");
        assertThat(page.locator("html")).hasAttribute("lang", "ja");
        page.waitForFunction("hirobaText('shell.script.theme-dark') === 'ダーク'");
    }

    @Test
    void anAdminWhoActsAsSomebodyDoesNotChangeTheirLanguage() {
        var person = shown.square.person("Ken");
        var admin = shown.square.visit(browser.open(), shown.square.admin, "/admin/users?prefix=Ken");
        admin.getByLabel("Act as Ken", new Page.GetByLabelOptions().setExact(true))
                .click();
        assertThat(admin.locator(".banner")).isVisible();
        admin.navigate(shown.square.server.url() + "/settings");
        choose(admin, Language.JAPANESE);
        assertThat(shown.square.visit(browser.open(), person, "/settings").locator("html"))
                .hasAttribute("lang", "en");
    }

    private static void choose(Page page, Language language) {
        page.locator(".language:visible > summary").click();
        page.locator(".language:visible button[value=" + language.code() + "]").click();
    }

    /** The same saga, record and notification, seen from three places. */
    @ParameterizedTest
    @CsvSource({"Asia/Tokyo, ja", "America/Los_Angeles, en", "Asia/Kathmandu, zh-CN"})
    void timesAreThoseOfTheReadersZone(String zone, String language) {
        var page = browser.open(options -> options.setTimezoneId(zone).setLocale(language));
        shown.square.visit(page, shown.reader, "/");
        for (var name : List.of("saga", "records-grid", "notifications", "home")) {
            page.navigate(shown.square.server.url() + Objects.requireNonNull(shown.pages.get(name)));
            var titles = page.locator("main time[title]").evaluateAll("all => all.map((time) => time.title)");
            assertThat(((List<?>) titles).stream().map(String::valueOf))
                    .as(name)
                    .allMatch(title -> title.contains(shortName(page, zone)));
        }
    }

    /** An item is snoozed by the clock of each of three places, and its end is seen from all of them. */
    @Test
    void aSnoozeEndsInTheMorningOfTheReadersZone() {
        var api = shown.reader.api();
        var item = api.get("/api/v1/inbox?limit=1").json().at("/items/0/id").asString();
        var places = Map.of(
                "Asia/Tokyo", at("Asia/Tokyo", "ja"),
                "America/Los_Angeles", at("America/Los_Angeles", "en"),
                "Asia/Kathmandu", at("Asia/Kathmandu", "zh-CN"));
        places.forEach((zone, page) -> {
            page.navigate(shown.square.server.url() + "/inbox/snooze?id=" + item);
            assertThat(page.locator("[value=tomorrow] .muted")).containsText("08:00");
            assertThat(page.locator("#until")).hasValue(Pattern.compile(".*T08:00"));
            page.locator("[value=tomorrow]").click();
            assertThat(page.locator("#toasts .toast")).isVisible();

            var snoozed = api.get("/api/v1/inbox?state=snoozed").json();
            var until = Instant.parse(snoozed.at("/items/0/snoozedUntil").asString());
            assertThat(LocalTime.ofInstant(until, ZoneId.of(zone))).as(zone).isEqualTo(LocalTime.of(8, 0));
            assertThat(Duration.between(Instant.now(), until)).isPositive().isLessThan(Duration.ofHours(34));
            places.forEach((seenFrom, other) -> {
                other.navigate(shown.square.server.url() + "/inbox?state=snoozed");
                assertThat(other.locator(".item .note"))
                        .containsText(
                                LocalTime.ofInstant(until, ZoneId.of(seenFrom)).toString());
            });
            assertThat(api.post("/api/v1/inbox/" + item + "/unsnooze", "{}").status())
                    .isEqualTo(200);
        });
    }

    /** The reader in a browser of this zone, which the server knows. */
    private Page at(String zone, String language) {
        var page = browser.open(options -> options.setTimezoneId(zone).setLocale(language));
        shown.square.visit(page, shown.reader, "/inbox");
        page.waitForFunction("document.cookie.includes('hiroba_zone')");
        return page;
    }

    /** Projects, sources and tags are named in any script, and found by the links of their lists. */
    @ParameterizedTest
    @ValueSource(strings = {"売上表", "知识库", "قاعدة", "Überblick-Ñ", "🎉👩\u200D💻", "ฐานข้อมูล"})
    void whateverItsScriptANameHasAnAddress(String name) {
        var api = shown.reader.api();
        assertThat(api.post("/api/v1/projects", "{'name':'%s'}".formatted(name)).status())
                .isEqualTo(201);
        assertThat(api.post(
                                "/api/v1/knowledge/sources",
                                "{'text':'About %1$s.','title':'%1$s','visibility':'private'}".formatted(name))
                        .status())
                .isEqualTo(201);
        var tag = name.toLowerCase(Locale.ROOT);
        assertThat(api.post("/api/v1/posts", "{'content':'Tagged','tags':['%s']}".formatted(tag))
                        .status())
                .isEqualTo(201);
        follow("/records", name);
        follow("/knowledge/sources", name);
        follow("/newest", "#" + tag);
    }

    /** The page behind the link with this text is there, and has it in its heading. */
    private void follow(String list, String text) {
        var reader = shown.reader.api().with("Accept", "text/html");
        var link = Jsoup.parse(reader.get(list).body()).select("main a").stream()
                .filter(each -> each.text().contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no link to " + text + " on " + list));
        var page = reader.get(link.attr("href"));
        assertThat(page.status()).as(link.attr("href")).isEqualTo(200);
        assertThat(Jsoup.parse(page.body()).select("h1").text()).contains(text);
    }

    /** The name of the zone in the language of the page. */
    private static String shortName(Page page, String zone) {
        var tag = page.locator("html").getAttribute("lang");
        var language = Language.of(tag.substring(0, 2)).orElseThrow();
        return DateTimeFormatter.ofPattern("z", language.locale()).format(ZonedDateTime.now(ZoneId.of(zone)));
    }

    @Test
    void theEnterThatEndsACompositionSendsNothing() {
        var page = shown.square.visit(browser.open(), shown.reader, "/inbox");
        var sent = new ArrayList<String>();
        browser.discard();
        page.onRequest(request -> sent.add(request.method() + " " + request.url()));
        page.evaluate("""
                () => {
                  for (const key of ["e", "s", "?", "Enter", "Escape"]) {
                    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, isComposing: true }));
                  }
                }""");
        assertThat(sent).noneMatch(request -> request.startsWith("POST"));
        assertThat(page.locator("dialog[open]")).hasCount(0);

        page.navigate(shown.square.server.url() + "/");
        var text = page.locator("textarea#content");
        text.focus();
        var devTools = page.context().newCDPSession(page);
        var composition = new JsonObject();
        composition.addProperty("text", "こんにちは");
        composition.addProperty("selectionStart", 5);
        composition.addProperty("selectionEnd", 5);
        devTools.send("Input.imeSetComposition", composition);
        sent.clear();
        text.dispatchEvent("keydown", Map.of("key", "Enter", "ctrlKey", true, "isComposing", true, "bubbles", true));
        // The preview may come while it is composed.
        assertThat(sent).noneMatch(request -> request.startsWith("POST") && !request.endsWith("/preview"));
        var committed = new JsonObject();
        committed.addProperty("text", "こんにちは");
        devTools.send("Input.insertText", committed);
        assertThat(text).hasValue("こんにちは");
    }
}
