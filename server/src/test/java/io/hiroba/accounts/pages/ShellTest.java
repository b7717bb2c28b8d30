package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The shell of every page: navigation, themes, errors, headers. */
class ShellTest extends PagesTest {

    private static final String WHITE_PAPER = "rgb(247, 246, 242)";
    private static final String DARK_PAPER = "rgb(20, 22, 27)";

    @Test
    void noPageScrollsSidewaysOnAPhone() {
        var phone = new Visitor(browser.openPhone(), server);
        for (var path : List.of("/", "/login", "/signup", "/password-reset")) {
            assertFits(phone.go(path));
        }
        phone.logIn(server.admin("An administrator with a nickname as long as it get"));
        assertThat(phone.heading("Home")).isVisible();
        PagesServer.SIGNED_IN_PAGES.forEach(path -> assertFits(phone.go(path)));
        assertFits(phone.go("/me"));
    }

    private static void assertFits(Visitor phone) {
        var overflow =
                phone.page().evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) overflow).intValue()).as(phone.page().url()).isLessThanOrEqualTo(0);
    }

    @Test
    void theMenuOfAPhoneOpensAndLeadsOn() {
        var phone = new Visitor(browser.openPhone(), server).logIn(server.user("Pocket"));
        assertThat(phone.self()).hasText("Pocket");
        assertThat(phone.link("People")).not().isVisible();
        phone.press("Menu");
        assertThat(phone.link("People")).isVisible();
        phone.page().keyboard().press("Escape");
        assertThat(phone.link("People")).not().isVisible();
        phone.press("Menu");
        phone.follow("People");
        assertThat(phone.heading("People")).isVisible();
        assertThat(phone.link("People")).not().isVisible();
        // The sidebar of wide screens is the same element.
        assertThat(phone.page().locator("nav.nav")).hasCount(1);
    }

    @Test
    void theSystemChoosesBetweenDarkAndLight() {
        var light = browser.open(options -> options.setColorScheme(ColorScheme.LIGHT));
        light.navigate(server.url("/login"));
        assertThat(light.locator("body")).hasCSS("background-color", WHITE_PAPER);
        var dark = browser.open(options -> options.setColorScheme(ColorScheme.DARK));
        dark.navigate(server.url("/login"));
        assertThat(dark.locator("body")).hasCSS("background-color", DARK_PAPER);
    }

    @Test
    void theChosenThemeIsRemembered() {
        chooseDark(visitor());
    }

    @Test
    void choosingAThemeTakesNoScripts() {
        chooseDark(new Visitor(browser.openWithoutScripts(), server));
    }

    private static void chooseDark(Visitor visitor) {
        visitor.go("/signup").press("Theme: Auto");
        assertThat(visitor.page().locator("body")).hasCSS("background-color", WHITE_PAPER);
        visitor.press("Theme: Light");
        assertThat(visitor.page().locator("body")).hasCSS("background-color", DARK_PAPER);
        assertThat(visitor.button("Theme: Dark")).isVisible();
        visitor.page().waitForLoadState();
        visitor.go("/login");
        assertThat(visitor.page().locator("body")).hasCSS("background-color", DARK_PAPER);
    }

    @Test
    void anUnknownAddressShowsAPageWithTheRequestId() {
        browser.expecting(404);
        var visitor = visitor().go("/no/such/page");

        assertThat(visitor.heading("Not found")).isVisible();
        assertThat(visitor.page().locator("main code")).hasText(Pattern.compile("[0-9a-f]{24}"));
        visitor.follow("Go home");
        assertThat(visitor.page()).hasURL(server.url("/"));
    }

    @Test
    void anUnknownUserShowsTheErrorPageInsideTheShell() {
        browser.expecting(404);
        var member = member("Seeker").go("/users/0000000000000001");

        assertThat(member.heading("Not found")).isVisible();
        assertThat(member.link("People").first()).isVisible();
    }

    @Test
    void everyPageForbidsInlineScriptAndStyle() throws Exception {
        for (var path : List.of("/", "/login", "/no/such/page")) {
            var answer = get(path, "text/html");
            var policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
            assertThat(policy).contains("default-src 'self'").doesNotContain("unsafe");
            assertThat(answer.body()).doesNotContain("<script>", "<style", " style=", " onclick=", "javascript:");
        }
    }

    @Test
    void aPieceOfAPageSendsStrangersToLogInAndBackToAPageOfOursOnly() throws Exception {
        var nexts = Map.of(
                server.url("/users?prefix=a"),
                "%2Fusers%3Fprefix%3Da",
                "https://evil.example//evil.example",
                "%2F",
                "mailto:somebody",
                "%2F",
                "no address",
                "%2F");
        for (var next : nexts.entrySet()) {
            var answer = send(request("/users?after=x", "text/html")
                    .header("HX-Request", "true")
                    .header("HX-Current-URL", next.getKey()));
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("HX-Redirect")).hasValue("/login?next=" + next.getValue());
        }
        var boosted =
                send(request("/users", "text/html").header("HX-Request", "true").header("HX-Boosted", "true"));
        assertThat(boosted.statusCode()).isEqualTo(303);
    }

    @Test
    void aFormPostedByAnotherSiteIsRefused() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(server.url("/login")))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .header("Accept", "text/html")
                    .header("Sec-Fetch-Site", "cross-site")
                    .POST(HttpRequest.BodyPublishers.ofString("email=a@b.c&password=12345678"))
                    .build();
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void everyPageHasATitleAndOneHeading() {
        var admin = visitor().logIn(server.admin("Reader"));
        assertThat(admin.self()).hasText("Reader");
        for (var path : PagesServer.SIGNED_IN_PAGES) {
            Page page = admin.go(path).page();
            assertThat(page.locator("h1")).hasCount(1);
            assertThat(page).hasTitle(Pattern.compile(".+ · Hiroba"));
            assertThat(page.locator("nav a[aria-current=page]:visible").first()).isVisible();
        }
    }

    private HttpResponse<String> get(String path, String accept) throws Exception {
        return send(request(path, accept));
    }

    private HttpRequest.Builder request(String path, String accept) {
        return HttpRequest.newBuilder(URI.create(server.url(path))).header("Accept", accept);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }
}
