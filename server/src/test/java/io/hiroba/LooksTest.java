package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Look;
import io.hiroba.testkit.Measures;
import io.hiroba.testkit.ShownSquare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The main pages in light, in dark and on a phone, compared with how they looked when somebody last looked at them. Run with
 * {@code -Dhiroba.write-docs=true} after a wanted change, and look at the pictures in {@code target/screenshots/looks}.
 */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class LooksTest {

    private static final Path GOLDEN = Path.of("src", "test", "resources", "golden", "looks");
    private static final Path PICTURES = Path.of("target", "screenshots", "looks");
    private static final boolean WRITES = Boolean.getBoolean("hiroba.write-docs");

    /** What differs from run to run, made the same: moments, and the colours that people have by their ids. */
    private static final String STEADY = """
            () => {
              scrollTo(0, 0);
              document.querySelectorAll("time").forEach((time) => { time.textContent = "2 June, 09:00"; });
              document.querySelectorAll(".avatar").forEach((avatar) => { avatar.className = avatar.className.replace(/hue-\\d/, "hue-0"); });
            }""";

    @RegisterExtension
    final Browser browser = new Browser();

    private ShownSquare shown;

    /** A manner of looking at a page. */
    private enum View {
        LIGHT(1200, 800, ColorScheme.LIGHT),
        DARK(1200, 800, ColorScheme.DARK),
        PHONE(360, 740, ColorScheme.LIGHT);

        private final int width;
        private final int height;
        private final ColorScheme scheme;

        View(int width, int height, ColorScheme scheme) {
            this.width = width;
            this.height = height;
            this.scheme = scheme;
        }
    }

    @BeforeAll
    void open() {
        shown = new ShownSquare("--http.style-guide=true");
        shown.addWebhooks();
    }

    @AfterAll
    void close() {
        shown.close();
    }

    @Test
    void theMainPagesLookAsTheyDid() {
        var softly = new SoftAssertions();
        var page = newPage();
        look(page, "log-in", shown.square.server.url() + "/login", softly);
        shown.square.visit(page, shown.reader, "/");
        shown.pages.forEach((name, path) -> look(page, name, shown.square.server.url() + path, softly));
        softly.assertAll();
    }

    @Test
    void aBrokenPageIsNoticed() {
        var page = at("records-grid");
        var whole = lookAt(page);
        assertThat(lookAt(page).differencesFrom(whole)).isEmpty();

        page.evaluate(
                "document.querySelectorAll('#grid tr > :nth-child(4)').forEach((cell) => cell.style.display = 'none')");
        assertThat(lookAt(page).differencesFrom(whole)).anyMatch(line -> line.startsWith("column"));
        page.reload();
        page.evaluate("document.querySelector('link[href*=\"/records.css\"]').disabled = true");
        assertThat(lookAt(page).differencesFrom(whole)).isNotEmpty();
        page.reload();
        page.evaluate("document.querySelector('link[href*=\"/app.css\"]').disabled = true");
        assertThat(lookAt(page).differencesFrom(whole)).isNotEmpty();
        page.reload();
        page.evaluate("document.body.style.background = 'rebeccapurple'");
        assertThat(lookAt(page).differencesFrom(whole)).anyMatch(line -> line.contains("cells have other colours"));
        page.reload();

        page.evaluate("document.querySelector('main h1').style.color = 'light-dark(#bbb, #555)'");
        page.evaluate("document.querySelector('main .crumbs').style.marginBottom = '-2.5rem'");
        page.evaluate("document.querySelector('.view-bar').style.width = '120vw'");
        var measures = Measures.of(page);
        assertThat(measures.pale()).singleElement().asString().startsWith("h1 “product”");
        assertThat(measures.overlaps()).isNotEmpty();
        assertThat(measures.outside()).anyMatch(line -> line.startsWith("div.view-bar"));
    }

    @Test
    void theRowActionsOfAGridAreATableColumn() {
        var page = at("records-grid");
        assertThat(styles(page, "#grid .row-action", "display")).containsOnly("table-cell");
        assertThat(styles(page, "#grid .row-action", "borderTopLeftRadius")).containsOnly("0px");
    }

    @Test
    void theSidebarStaysWhereItIsOnWidePages() {
        var page = at("home");
        page.setViewportSize(1920, 900);
        var left = page.locator(".sidebar").boundingBox().x;
        for (var name : List.of("records-grid", "settings")) {
            page.navigate(shown.square.server.url() + shown.pages.get(name));
            page.evaluate("scrollTo(1000, 1000)");
            assertThat(page.locator(".sidebar").boundingBox().x).as(name).isEqualTo(left);
            assertThat(page.locator(".sidebar").boundingBox().y).as(name).isBetween(-1.0, 0.0);
        }
    }

    @Test
    void theNavigationShowsOnEveryPageWhereOneIs() {
        var paths = new ArrayList<>(shown.pages.values());
        paths.remove("/style");
        paths.addAll(List.of("/newest", "/search", "/tags/garden", "/users", "/workflows", "/settings/profile"));
        paths.addAll(List.of(shown.pages.get("post") + "/likers", shown.pages.get("post") + "/edit"));
        for (var path : paths) {
            var page = Jsoup.parse(shown.reader.api().get(path).body());
            assertThat(page.select(".sidebar .nav a[aria-current=page]"))
                    .as(path)
                    .hasSize(1);
        }
    }

    @Test
    void theButtonsOfTheKnowledgeSearchAreOnOneLine() {
        var page = at("knowledge-search");
        assertThat(styles(page, ".search-buttons", "display")).containsExactly("flex");
        var search = page.locator("#search").boundingBox();
        var ask = page.locator("#ask").boundingBox();
        assertThat(ask.y).isEqualTo(search.y);
        assertThat(ask.x).isGreaterThan(search.x + search.width);
    }

    @Test
    void aPageLoadsTheStylesOfItsFeatureOnlyAndBringsThemWithoutAReload() {
        var page = at("home");
        assertThat(stylesheets(page)).containsExactly("app.css", "social.css");
        page.evaluate("window.kept = true");
        page.locator(".sidebar .nav a[href='/records']").click();
        page.waitForURL("**/records");
        assertThat(page.locator("main.feature-records").count()).isEqualTo(1);
        page.locator("html:not(.loading-styles)").waitFor();
        assertThat(page.evaluate("window.kept")).isEqualTo(true);
        assertThat(stylesheets(page)).containsExactly("app.css", "social.css", "records.css");
        assertThat(styles(page, ".project-cards", "display")).containsExactly("grid");

        // A fragment of another feature brings its own stylesheet, scoped to itself.
        page.navigate(shown.square.server.url() + shown.pages.get("post"));
        assertThat(stylesheets(page)).containsExactly("app.css", "activity.css", "agents.css", "social.css");
        assertThat(styles(page, ".feature-activity > .subscription", "display")).containsExactly("flex");
    }

    private Page newPage() {
        return browser.open(options -> options.setReducedMotion(ReducedMotion.REDUCE));
    }

    /** A page of the reader's in light, on a wide screen. */
    private Page at(String name) {
        var page = newPage();
        page.setViewportSize(View.LIGHT.width, View.LIGHT.height);
        return shown.square.visit(page, shown.reader, Objects.requireNonNull(shown.pages.get(name)));
    }

    private static Look lookAt(Page page) {
        page.evaluate(STEADY);
        return Look.of(page.screenshot(), Measures.of(page).landmarks());
    }

    private static List<String> styles(Page page, String selector, String property) {
        return texts(page.evaluate(
                "([selector, property]) => [...document.querySelectorAll(selector)].map((each) => getComputedStyle(each)[property])",
                List.of(selector, property)));
    }

    private static List<String> stylesheets(Page page) {
        return texts(page.evaluate(
                "[...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.href.split('/').pop())"));
    }

    private void look(Page page, String name, String url, SoftAssertions softly) {
        page.navigate(url);
        page.evaluate(STEADY);
        for (var view : View.values()) {
            page.setViewportSize(view.width, view.height);
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(view.scheme));
            var where = name + " in " + view;
            var measures = Measures.of(page);
            softly.assertThat(measures.barriers()).as("barriers: " + where).isEmpty();
            softly.assertThat(measures.pale())
                    .as("texts of too little contrast: " + where)
                    .isEmpty();
            softly.assertThat(measures.overlaps())
                    .as("texts over others: " + where)
                    .isEmpty();
            softly.assertThat(measures.outside())
                    .as("outside of the window: " + where)
                    .isEmpty();
            compare(name + "-" + view.name().toLowerCase(Locale.ROOT), picture(page, name, view), measures, softly);
        }
    }

    private static byte[] picture(Page page, String name, View view) {
        var options = new Page.ScreenshotOptions();
        if (WRITES) {
            options.setPath(PICTURES.resolve(name + "-" + view + ".png"));
        }
        return page.screenshot(options);
    }

    private static void compare(String name, byte[] picture, Measures measures, SoftAssertions softly) {
        var look = Look.of(picture, measures.landmarks());
        var golden = GOLDEN.resolve(name + ".txt");
        try {
            if (WRITES) {
                Files.createDirectories(GOLDEN);
                Files.writeString(golden, look.text());
            }
            softly.assertThat(look.differencesFrom(Look.parse(Files.readString(golden))))
                    .as("differences from " + golden)
                    .isEmpty();
        } catch (IOException e) {
            softly.fail("no look to compare with: " + golden, e);
        }
    }

    private static List<String> texts(Object list) {
        var texts = new ArrayList<String>();
        ((List<?>) list).forEach(text -> texts.add(String.valueOf(text)));
        return texts;
    }
}
