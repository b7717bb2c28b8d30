package io.hiroba.saga.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestHttpService;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What auditors, operators and admins see of sagas and workflows, and do with them. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class SagaPagesTest {

    private static final String ORDER = """
            name: order
            steps:
              - name: reserve
                service: shop
                method: reserve
                compensate: release
                retry: {maxAttempts: 2, backoff: fixed, initialInterval: 50ms}
              - name: approval
                waitForSignal: approve
              - parallel:
                  - {name: charge, service: shop, method: charge, compensate: refund, retry: {maxAttempts: 1}}
                  - {name: label, service: shop, method: label, retry: {maxAttempts: 1}}
            """;

    @RegisterExtension
    final Browser browser = new Browser();

    private Square square;
    private TestHttpService shop;
    private Person operator;

    /** Methods that fail the next time they are called for an order, and those that always do. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    @BeforeAll
    void start() {
        square = new Square();
        shop = TestHttpService.start((asked, exchange) -> {
            var order = Json.mapper().readTree(asked.body()).path("order").asString();
            var fails = failing.remove(asked.path() + " " + order) || failing.contains("always " + asked.path());
            TestHttpService.reply(exchange, fails ? 503 : 200, "{\"by\": \"%s\"}".formatted(asked.path()));
        });
        var admin = square.admin.api();
        assertThat(admin.put("/api/v1/saga-services/shop", Json.text(Map.of("endpoint", shop.url())))
                        .status())
                .isLessThan(300);
        operator = square.person("Operator");
        assertThat(admin.put("/api/v1/saga-roles/" + operator.id(), "{'role': 'operator'}")
                        .status())
                .isLessThan(300);
        assertThat(admin.post("/api/v1/workflows", Json.text(yamlAsJson())).status())
                .isLessThan(300);
    }

    private static Object yamlAsJson() {
        return new YAMLMapper().readTree(ORDER);
    }

    @AfterAll
    void stop() {
        square.close();
        shop.close();
    }

    private String startOrder(String order) {
        var reply = operator.api()
                .post(
                        "/api/v1/sagas",
                        Json.text(Map.of(
                                "workflowName", "order", "correlationId", order, "payload", Map.of("order", order))));
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply.text("id");
    }

    private Page at(Person person, String path) {
        return square.visit(browser.open(), person, path);
    }

    private static Locator lane(Page page, String id) {
        return page.locator("#" + id);
    }

    @Test
    void theListGoesLiveAndIsFiltered() {
        var id = startOrder("order-list");
        var page = at(operator, "/sagas");
        assertThat(page.locator(".sidebar .nav a[aria-current]")).hasText("Sagas");
        var row = page.locator("#saga-" + id);
        assertThat(row.locator(".status")).hasText("Waiting");

        operator.api().post("/api/v1/sagas/" + id + "/signals/approve", "{}");
        assertThat(row.locator(".status")).hasText("Completed");
        var other = startOrder("order-new");
        assertThat(page.locator("#saga-" + other)).isVisible();

        page.getByLabel("Correlation id").fill("order-list");
        assertThat(page.locator("#items > li")).hasCount(1);
        assertThat(page).hasURL(Pattern.compile("correlationId=order-list"));
        page.getByLabel("Status").selectOption("FAILED");
        assertThat(page.locator(".empty")).containsText("No sagas match");
    }

    @Test
    void theTimelineShowsAttemptsWaitingAndASignalThatIsSentThere() {
        failing.add("/reserve order-signal");
        var id = startOrder("order-signal");
        var page = at(operator, "/sagas/" + id);
        assertThat(lane(page, "step-0").locator(".state")).hasText("Done");
        assertThat(lane(page, "step-1").locator(".state")).hasText("Waiting for signal");
        assertThat(lane(page, "step-0").locator(".bar.failed")).hasCount(1);
        assertThat(lane(page, "step-0").locator(".bar.waiting")).hasCount(1);
        assertThat(page.locator(".alert")).containsText("is waiting for the signal approve");

        lane(page, "step-0").locator("summary").focus();
        page.keyboard().press("Enter");
        assertThat(lane(page, "step-0").locator(".attempt")).hasCount(2);
        assertThat(lane(page, "step-0").locator(".attempt.done pre")).containsText("\"by\" : \"/reserve\"");

        browser.expecting(422);
        page.getByText("Data to send along").click();
        page.getByLabel("Payload of approve, as JSON").fill("{not json");
        press(page, "Approve");
        assertThat(page.locator(".signal .error")).hasText("Must be JSON: look at line 1, column 2.");
        assertThat(page).hasURL(Pattern.compile("/sagas/" + id + "$"));
        page.getByLabel("Payload of approve, as JSON").fill("{\"by\": \"<b>Ann</b>\"}");
        press(page, "Approve");
        assertThat(page.locator("#saga-state .status")).hasText("Completed");
        assertThat(lane(page, "step-3").locator(".state")).hasText("Done");
        assertThat(page.locator("#saga-actions summary")).hasText("Run again with the same input");
        lane(page, "step-1").locator("summary").click();
        assertThat(lane(page, "step-1").locator("pre").last()).containsText("<b>Ann</b>");
    }

    @Test
    void whatWasRefusedDoesNotEndTheLiveViewAndOnlyWhatChangedIsReadOut() {
        var id = startOrder("order-refused");
        var page = at(operator, "/sagas/" + id);
        assertThat(lane(page, "step-1").locator(".state")).hasText("Waiting for signal");
        browser.expecting(422);
        page.getByText("Data to send along").click();
        page.getByLabel("Payload of approve, as JSON").fill("{not json");
        press(page, "Approve");
        assertThat(page.locator(".signal .error")).isVisible();
        assertThat(page.locator(".signal .error")).isInViewport();
        assertThat(page.getByLabel("Payload of approve, as JSON")).isFocused();
        page.evaluate("document.querySelector('#saga-status').marked = true");

        operator.api().post("/api/v1/sagas/" + id + "/signals/approve", "{}");
        assertThat(page.locator("#saga-status")).hasText("Completed");
        assertThat(page.locator("#saga-alerts > *")).hasCount(0);
        assertThat(page.evaluate("document.querySelector('#saga-status').marked"))
                .isEqualTo(true);
    }

    @Test
    void aFilterMeansWhatItSays() {
        var id = startOrder("order-filter");
        browser.expecting(400);
        var page = at(operator, "/sagas?stuck=false&correlationId=order-filter");
        assertThat(page.locator("#saga-" + id)).isVisible();
        page.getByText("Act on all of these …").click();
        page.getByText("Cancel all …").click();
        press(page, "Cancel these sagas");
        assertThat(page.locator("#bulk-job")).containsText("1 of 1 done, 0 left alone.");
        page.navigate(square.server.url() + "/sagas?status=NONSENSE");
        assertThat(page.locator("#items")).hasCount(0);
    }

    @Test
    void everyNameOfAWorkflowHasAPage() {
        var page = at(square.admin, "/workflows/order");
        page.locator(".button", new Page.LocatorOptions().setHasText("Edit")).click();
        assertThat(page).hasURL(Pattern.compile("/new-workflow\\?from=order$"));
        browser.expecting(404);
        page.navigate(square.server.url() + "/workflows/new");
        assertThat(page.getByLabel("Definition")).hasCount(0);
    }

    @Test
    void cancellingAsksOnceMoreAndWhatWasDoneIsShownBeneathAsUndone() {
        var id = startOrder("order-cancel");
        var page = at(operator, "/sagas/" + id);
        assertThat(lane(page, "step-1").locator(".state")).hasText("Waiting for signal");
        page.getByText("Cancel …").click();
        press(page, "Cancel saga");
        assertThat(page.locator(".toast")).containsText("The saga is being cancelled.");
        assertThat(page.locator("#saga-state .status")).hasText("Cancelled");
        assertThat(page.locator(".undoing #undo-0 .state")).hasText("Undone");
        assertThat(page.locator(".undoing .bar.done").first()).isVisible();
    }

    @Test
    void whatIsStuckSaysSoLoudlyAndIsTriedAgain() {
        failing.add("always /release");
        failing.add("always /charge");
        var id = startOrder("order-stuck");
        operator.api().post("/api/v1/sagas/" + id + "/signals/approve", "{}");
        var page = at(operator, "/sagas/" + id);
        assertThat(page.locator(".alert.bad strong")).hasText("This saga needs attention.");
        assertThat(page.locator("#undo-0 .state")).hasText("Needs attention");
        failing.clear();
        page.getByText("Retry …").click();
        press(page, "Retry saga");
        assertThat(page.locator("#saga-state .status")).hasText("Failed");
        assertThat(page.locator("#undo-0 .state")).hasText("Undone");
    }

    @Test
    void whatIsStuckIsResolvedByHand() {
        failing.add("always /release");
        failing.add("always /charge");
        var start =
                "{'workflowName':'order','correlationId':'order-hand','payload':{'order':'order-hand'},'priority':7}";
        var id = operator.api().post("/api/v1/sagas", start).text("id");
        operator.api().post("/api/v1/sagas/" + id + "/signals/approve", "{}");
        var page = at(operator, "/sagas/" + id);
        assertThat(page.locator(".alert.bad strong")).hasText("This saga needs attention.");
        page.getByText("Resolve by hand").click();
        page.locator("#resolve-reason").fill("Paid back in cash");
        press(page, "Skip step");
        assertThat(page.locator("#saga-status")).hasText("Failed");
        assertThat(page.locator(".decisions")).containsText("Step reserve skipped");
        assertThat(page.locator("#undo-0 .state")).hasText("Skipped by hand, not undone");
        assertThat(page.locator(".decisions")).containsText("Paid back in cash");
        failing.clear();
        page.getByText("Run again with the same input").click();
        assertThat(page.getByLabel("Priority")).hasValue("7");
        page.getByLabel("Priority").fill("8");
        press(page, "Run again");
        assertThat(page).not().hasURL(Pattern.compile(id));
        assertThat(page.locator(".facts")).containsText("order-hand");
        assertThat(page.locator(".facts dt:has-text('Priority') + dd")).hasText("8");
    }

    @Test
    void aWorkflowIsDrawnStartedAndSwitchedOff() {
        var page = at(square.admin, "/workflows/order");
        assertThat(page.locator(".graph .wide .box")).hasCount(4);
        assertThat(page.locator(".graph .wide .box.signal .name")).hasText("approval");
        assertThat(page.locator(".graph .wide .undo").first()).hasText("↩ release");
        page.getByLabel("Payload, as JSON").fill("{\"order\": \"order-page\"}");
        press(page, "Start");
        assertThat(page.locator("#saga-state h1")).hasText("order");

        page.navigate(square.server.url() + "/workflows/order");
        page.getByText("Disable …").click();
        press(page, "Disable workflow");
        assertThat(page.locator(".tag")).hasText("Disabled");
        assertThat(page.getByText("Start a saga")).hasCount(0);
        press(page, "Enable");
        assertThat(page.getByText("Start a saga")).isVisible();
    }

    @Test
    void servicesAreKeptByAdmins() {
        browser.expecting(422, 403);
        var page = at(square.admin, "/sagas/services");
        page.getByLabel("Name").fill("stock");
        page.getByLabel("Endpoint").fill("ftp://stock");
        press(page, "Save");
        assertThat(page.locator(".error")).containsText("Must begin with http://");
        page.getByLabel("Endpoint").fill("grpc://stock:9000");
        press(page, "Save");
        var row = page.locator(".list > li", new Page.LocatorOptions().setHasText("grpc://stock:9000"));
        row.locator("summary").click();
        row.getByText("Delete service").click();
        assertThat(row).hasCount(0);
        assertThat(at(operator, "/sagas/services").locator("main form")).hasCount(0);
    }

    @Test
    void theSecretsOfAServiceAreSetOnItsPage() {
        browser.expecting(422, 403);
        square.admin.api().put("/api/v1/saga-services/bank", "{'endpoint':'https://bank.example/api'}");
        var page = at(square.admin, "/sagas/services");
        page.getByLabel("Settings of bank").click();
        assertThat(page.locator("h1")).hasText("bank");
        assertThat(page.locator("main")).containsText("https://bank.example:443 only");
        page.getByLabel("Bearer token").fill("with a space");
        press(page, "Set token");
        assertThat(page.locator(".error")).containsText("visible ASCII");
        page.getByLabel("Bearer token").fill("hush");
        press(page, "Set token");
        assertThat(page.locator("main")).containsText("A bearer token is set");
        page.getByLabel("User name").fill("ann");
        page.getByLabel("Password").fill("hush");
        press(page, "Set user name and password");
        assertThat(page.locator("main")).containsText("A user name and a password are set");
        press(page, "Create signing key");
        assertThat(page.getByLabel("Signing key", new Page.GetByLabelOptions().setExact(true)))
                .hasValue(Pattern.compile("[\\w-]{43}"));
        press(page, "Create signing key");
        assertThat(page.locator(".list > li")).hasCount(2);
        assertThat(page.getByText("Create signing key")).hasCount(0);
        page.locator(".list > li").first().locator("summary").click();
        press(page, "Revoke key");
        assertThat(page.locator(".list > li")).hasCount(1);
        page.locator("summary").getByText("Remove credentials").click();
        page.locator("details form").getByText("Remove credentials").click();
        assertThat(page.locator("main")).containsText("Calls are sent without credentials.");
        assertThat(at(operator, "/sagas/services/bank").locator("h1")).hasText("Not allowed");
    }

    @Test
    void aMemberSeesNothingAndAnAuditorHasNoButtons() {
        browser.expecting(403);
        var id = startOrder("order-secret");
        var member = square.person("Member");
        var page = at(member, "/");
        assertThat(page.locator(".sidebar .nav")).not().containsText("Sagas");
        for (var path : new String[] {"/sagas", "/sagas/" + id, "/workflows", "/workflows/order", "/new-workflow"}) {
            page.navigate(square.server.url() + path);
            assertThat(page.locator("h1")).hasText("Not allowed");
        }

        square.admin.api().put("/api/v1/saga-roles/" + member.id(), "{'role': 'auditor'}");
        page.navigate(square.server.url() + "/sagas/" + id);
        assertThat(lane(page, "step-1").locator(".state")).hasText("Waiting for signal");
        assertThat(page.locator(".sidebar .nav")).containsText("Sagas");
        assertThat(page.locator("#saga-actions")).isHidden();
        page.navigate(square.server.url() + "/workflows/order");
        assertThat(page.locator("main form")).hasCount(0);
    }

    @Test
    void everythingIsInTheLanguageOfTheReader() {
        browser.expecting(422);
        var id = startOrder("order-japanese");
        var japanese = browser.open(options -> options.setViewportSize(360, 740).setLocale("ja-JP"));
        var page = square.visit(japanese, square.admin, "/sagas/" + id);
        assertThat(lane(page, "step-1").locator(".state")).hasText("シグナル待ち");
        assertThat(page.locator("#saga-alerts")).containsText("ステップ approval はシグナル approve を待っています。");
        page.getByText("一緒に送るデータ").click();
        page.getByLabel("approve のペイロード（JSON）").fill("{not json");
        press(page, "Approve");
        assertThat(page.locator(".signal .error")).hasText("JSONで入力してください（1行目、2文字目を確認してください）。");

        page.navigate(square.server.url() + "/workflows/order");
        assertThat(page.locator(".steps-in-words li").first()).containsText("1回あたり30秒、試行は2回まで、50ミリ秒間隔 · 補償は release");
        assertThat(page.locator(".graph .wide .box.signal title")).hasText("approval：シグナル approve を待つ");

        page.navigate(square.server.url() + "/new-workflow");
        page.getByLabel("定義").fill("{\"name\": 7, \"steps\": []}");
        press(page, "登録");
        assertThat(page.locator(".error-list li").first()).containsText("1行目、2文字目");
        assertThat(page.locator(".error-list li").first()).containsText("文字列にしてください。引用符で囲んでください");
        for (var path :
                new String[] {"/sagas", "/sagas/" + id, "/workflows", "/workflows/order", "/sagas/services/shop"}) {
            page.navigate(square.server.url() + path);
            var overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assertThat(((Number) overflow).intValue()).as(path).isLessThanOrEqualTo(0);
        }
    }

    @Test
    void everythingFitsAPhone() {
        var id = startOrder("order-phone");
        var page = square.visit(browser.openPhone(), operator, "/sagas");
        for (var path : new String[] {"/sagas", "/sagas/" + id, "/workflows", "/workflows/order", "/schedules/new"}) {
            page.navigate(square.server.url() + path);
            var overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assertThat(((Number) overflow).intValue()).as(path).isLessThanOrEqualTo(0);
        }
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }
}
