package io.hiroba.agents;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A second Hiroba as a server of tools, which is connected by OAuth in the browser. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the servers before any test
class ToolServerConnectionPagesTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @RegisterExtension
    final Browser browser = new Browser();

    private Square square;
    private Square other;

    /** The other one under another name, since cookies know no ports. */
    private String otherUrl;

    @BeforeAll
    void start() {
        square = new Square("--agents.tool-servers.private-addresses=true");
        other = new Square();
        otherUrl = other.server.url().contains("localhost")
                ? other.server.url().replace("localhost", "127.0.0.1")
                : other.server.url().replace("127.0.0.1", "localhost");
    }

    @AfterAll
    void stop() {
        square.close();
        other.close();
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .first()
                .click();
    }

    private static Pattern starting(String url) {
        return Pattern.compile("^" + url.replace(".", "\\.") + ".*");
    }

    @Test
    void anotherHirobaIsConnectedItsToolsAreListedAndARevocationIsShown() {
        var olga = other.person("Olga");
        var page = browser.open();
        var session = other.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", olga.email(), "password", olga.password())));
        page.context().addCookies(List.of(new Cookie("hiroba_session", session.cookie()).setUrl(otherUrl)));
        square.visit(page, square.admin, "/admin/tool-servers");
        page.getByLabel("Name").fill("other");
        page.locator("input[name=url]").fill(otherUrl + "/mcp");
        press(page, "Add server");
        assertThat(page.locator("h1")).hasText("other");

        press(page, "Connect");
        assertThat(page.locator("h1")).hasText("Connect other");
        assertThat(page.locator(".facts")).containsText(otherUrl);
        page.locator("#continue").click();
        assertThat(page).hasURL(starting(otherUrl + "/oauth/authorize"));
        assertThat(page.locator("h1")).containsText("Let Hiroba (");
        if (page.getByLabel("Password").isVisible()) {
            page.getByLabel("Password").fill(olga.password());
        }
        press(page, "Allow");
        assertThat(page).hasURL(starting(square.server.url() + "/admin/tool-servers/"));
        assertThat(page.locator("section .status.completed").first()).hasText("Connected");
        assertThat(page.locator("section[aria-labelledby=connection-heading]")).containsText(otherUrl);
        press(page, "List tools");
        assertThat(page.locator("article[aria-label=other__posts_list], article[aria-label^=other__posts]")
                        .first())
                .isVisible();
        assertThat(square.audited("action=tool-server-connected")).hasSize(1);

        var apps = olga.api().get("/api/v1/apps").json().path("items");
        assertThat(apps.size()).isEqualTo(1);
        olga.api().delete("/api/v1/apps/" + apps.path(0).path("id").asString());
        browser.expecting(422);
        press(page, "List tools");
        assertThat(page.locator(".status.failed").first()).hasText("Connect again");
        var id = page.url().replaceAll(".*/tool-servers/([0-9A-F]+).*", "$1");
        var shown = square.admin.api().get("/api/v1/admin/tool-servers/" + id).json();
        assertThat(shown.at("/connection/expired").asBoolean()).isTrue();
        assertThat(shown.at("/failure").asString()).isEqualTo("disconnected");
        var ended = square.admin.api().delete("/api/v1/admin/tool-servers/" + id + "/connection");
        assertThat(ended.status()).as(ended.body()).isEqualTo(200);
        assertThat(ended.json().path("connection").isNull()).isTrue();
        assertThat(square.audited("action=tool-server-disconnected")).hasSize(1);
    }

    @Test
    void membersConnectNothing() {
        var ann = square.person("Ann");
        var added = square.admin
                .api()
                .post("/api/v1/admin/tool-servers", Json.text(Map.of("name", "mine", "url", otherUrl + "/mcp")));
        var id = added.text("id");
        assertThat(ann.api()
                        .delete("/api/v1/admin/tool-servers/" + id + "/connection")
                        .status())
                .isEqualTo(403);
        assertThat(ann.api()
                        .sendAs(FORM, "POST", "/admin/tool-servers/" + id + "/connect", "")
                        .status())
                .isIn(401, 403);
        assertThat(ann.api()
                        .sendAs(FORM, "POST", "/admin/tool-servers/" + id + "/disconnect", "")
                        .status())
                .isIn(401, 403);
        assertThat(ann.api()
                        .get("/admin/tool-servers/oauth/callback?state=x&code=y")
                        .status())
                .isIn(401, 403);
        assertThat(square.anonymous()
                        .get("/admin/tool-servers/oauth/callback?state=x&code=y")
                        .status())
                .isIn(303, 401, 403);
    }
}
