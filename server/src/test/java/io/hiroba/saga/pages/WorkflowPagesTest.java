package io.hiroba.saga.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestHttpService;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What operators see of schedules, of sagas within sagas, and of conditions and timers. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class WorkflowPagesTest {

    @RegisterExtension
    final Browser browser = new Browser();

    private Square square;
    private Person operator;

    @BeforeAll
    void start() {
        square = new Square();
        operator = square.person("Operator");
        square.admin.api().put("/api/v1/saga-roles/" + operator.id(), "{'role': 'operator'}");
        square.admin.api().post("/api/v1/workflows", "{'name':'order','steps':[{'name':'ask','waitForSignal':'go'}]}");
    }

    @AfterAll
    void stop() {
        square.close();
    }

    private Page at(Person person, String path) {
        return square.visit(browser.open(), person, path);
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    @Test
    void aScheduleIsMadeWithItsRunsShownWhileTypingThenPausedAndTriggered() {
        var page = at(operator, "/schedules/new");
        page.getByLabel("Name").fill("Nightly order");
        page.getByLabel("Workflow").selectOption("order");
        page.getByLabel("Cron expression").fill("30 99 * * *");
        assertThat(page.locator("#due .error")).containsText("99");
        page.getByLabel("Cron expression").fill("30 2 * * *");
        assertThat(page.locator("#due")).containsText("Every day at 02:30");
        assertThat(page.locator("#due li")).hasCount(5);
        page.getByLabel("Payload, as JSON").fill("{\"order\": \"nightly\"}");
        page.getByLabel("Priority").fill("2");
        press(page, "Save");
        assertThat(page.locator("h1")).hasText("Nightly order");
        page.locator("summary", new Page.LocatorOptions().setHasText("Pause")).click();
        page.getByLabel("Note").fill("No one is there");
        press(page, "Pause schedule");
        assertThat(page.locator(".alert")).containsText("No one is there");
        press(page, "Resume");
        assertThat(page.locator(".due-times li")).hasCount(5);
        page.locator("summary", new Page.LocatorOptions().setHasText("Run now")).click();
        press(page, "Run now");
        assertThat(page.locator("h1")).hasText("order");
        assertThat(page.locator(".facts dt:has-text('Priority') + dd")).hasText("2");
        page.goBack();
        page.getByText("Filter or act on these").click();
        assertThat(page.locator("#items > li")).hasCount(1);
        page.getByText("Act on all of these …").click();
        assertThat(page.locator("#bulk-cancel + p")).containsText("1");
    }

    @Test
    void aSagaShowsThoseThatItStartedAndTheyShowIt() {
        var admin = square.admin.api();
        var each = "{'name':'each','workflow':'line','forEach':'$.payload.items'}";
        var next = "{'name':'next','continueAsNew':{'workflow':'line'}}";
        admin.post("/api/v1/workflows", "{'name':'line','steps':[{'name':'ask','waitForSignal':'go'}]}");
        admin.post("/api/v1/workflows", "{'name':'lines','steps':[%s,%s]}".formatted(each, next));
        var start = "{'workflowName':'lines','payload':{'items':[1,2]}}";
        var id = operator.api().post("/api/v1/sagas", start).text("id");
        var page = at(operator, "/sagas/" + id);
        var children = page.locator("#saga-children");
        assertThat(children).containsText("0 of 2 completed");
        var last = operator.api().get("/api/v1/sagas?parent=" + id).json().path("items");
        operator.api().post("/api/v1/sagas/" + last.path(0).path("id").asString() + "/signals/go", "{}");
        assertThat(children).containsText("1 of 2 completed");
        children.locator(".children a").last().click();
        assertThat(page.locator(".saga-page")).containsText("Saga 1 of 2 that a step of lines started.");
        press(page, "Go");
        assertThat(page.locator("#saga-status")).hasText("Completed");
        page.getByText("lines", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(children).containsText("It was continued by");
        page.navigate(square.server.url() + "/sagas?parent=" + id);
        assertThat(page.locator("#items > li")).hasCount(2);
    }

    @Test
    void theTotalsOfTheListAreCountedWithinTheFilterAndNarrowIt() {
        var start = "{'workflowName':'order','correlationId':'order-total','payload':{}}";
        operator.api().post("/api/v1/sagas", start);
        var completed = operator.api().post("/api/v1/sagas", start).text("id");
        operator.api().post("/api/v1/sagas/" + completed + "/signals/go", "{}");
        var page = at(operator, "/sagas?correlationId=order-total");
        assertThat(page.locator("#saga-" + completed + " .status")).hasText("Completed");
        page.reload();
        var totals = page.locator("#saga-totals").getByRole(AriaRole.LINK);
        assertThat(totals).hasText(new String[] {"All", "Waiting 1", "Running 1", "Completed 1", "order 2"});
        totals.getByText("Completed").click();
        assertThat(page).hasURL(Pattern.compile("status=COMPLETED&correlationId=order-total"));
        assertThat(page.locator("#items > li")).hasCount(1);
        assertThat(page.locator("#saga-totals [aria-current]")).hasText("Completed 1");
        assertThat(totals).hasCount(5);
        // The form asks for the list alone, with the totals of the new filter.
        page.getByLabel("Correlation id").fill("order-none");
        assertThat(totals).hasText(new String[] {"All", "Completed 0"});
        page.navigate(square.server.url() + "/sagas");
        assertThat(page.locator("#no-bulk")).containsText("filter by workflow");
        page.locator("#attribute").fill("total>=");
        page.locator("#attribute").press("Enter");
        assertThat(page.locator("#attribute-error")).isVisible();
        assertThat(page.locator("#attribute")).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("#attribute")).hasValue("total>=");
        page.locator("#attribute").fill("");
        page.locator("#attribute").press("Enter");
        assertThat(page.locator("#attribute-error")).hasCount(0);
    }

    @Test
    void conditionsTimersAndAttributesAreShown() {
        var workflow = """
                {name: branches, attributes: {order: {type: string, value: $.payload.order}}, steps: [
                  {switch: [
                    {when: payload.total > 100, steps: [{name: review, service: shop, method: label}]},
                    {otherwise: true, steps: [{name: rest, sleep: 2d}]}]},
                  {name: later, until: "=timestamp(payload.due)"}]}""";
        square.admin.api().post("/api/v1/workflows", Json.text(new YAMLMapper().readTree(workflow)));
        var drawn = at(operator, "/workflows/branches");
        assertThat(drawn.locator(".graph .wide .when")).hasText(new String[] {"if payload.total > 100", "otherwise"});
        assertThat(drawn.locator(".steps-in-words")).containsText("waits for 2 d");
        var id = operator.api()
                .post("/api/v1/sagas", "{'workflowName':'branches','payload':{'order':'B-1','total':1}}")
                .text("id");
        var page = at(operator, "/sagas/" + id);
        assertThat(page.locator("#step-0").locator(".state")).hasText("Skipped");
        assertThat(page.locator("#step-1").locator(".state")).hasText("Waiting");
        assertThat(page.locator("#saga-graph .wide .condition-false")).hasCount(1);
        page.navigate(page.url().replace(id, "?attribute=order=B-1"));
        assertThat(page.locator("#saga-" + id)).isVisible();
        assertThat(page.locator(".saga")).hasCount(1);
    }

    private ApiClient html(Person person) {
        var reply = square.anonymous()
                .post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(person.email(), person.password()));
        return square.anonymous().cookie(reply.cookie()).with("Accept", "text/html");
    }

    private static Reply submit(ApiClient caller, String path, String fields) {
        return caller.sendAs("application/x-www-form-urlencoded", "POST", path, fields);
    }

    @Test
    void aSagaIsStartedFromTheFieldsOfItsPayloadOrFromJson() {
        var workflow = """
                {name: invoice, payload: [
                  {name: amount, label: Amount, type: number, required: true},
                  {name: currency, type: choice, options: [EUR, JPY], default: JPY},
                  {name: express, type: boolean}], steps: [{name: go, waitForSignal: go}]}""";
        square.admin.api().post("/api/v1/workflows", Json.text(new YAMLMapper().readTree(workflow)));
        var caller = html(operator);
        var page = Jsoup.parse(caller.get("/workflows/invoice").body());
        Assertions.assertThat(page.select("label[for=payload-amount]").text()).isEqualTo("Amount");
        Assertions.assertThat(page.select("#payload-currency option[selected]").eachText())
                .containsExactly("JPY");
        var path = "/workflows/invoice/start";
        var refused = submit(caller, path, "payload.amount=much&payload.currency=EUR&payload.express=true");
        Assertions.assertThat(refused.status()).isEqualTo(422);
        page = Jsoup.parse(refused.body());
        Assertions.assertThat(page.select("#payload-amount-error").text()).isEqualTo("Must be a number.");
        Assertions.assertThat(page.select("#payload-amount").val()).isEqualTo("much");
        Assertions.assertThat(page.select("#payload-express").hasAttr("checked"))
                .isTrue();
        page = Jsoup.parse(submit(caller, path, "payload.amount=12&payload.currency=EUR&payload={\"x\":1}&switch=json")
                .body());
        Assertions.assertThat(
                        Json.read(page.select("#payload").val(), JsonNode.class).toString())
                .isEqualTo("{\"x\":1,\"amount\":12,\"currency\":\"EUR\",\"express\":false}");
        page = Jsoup.parse(submit(caller, path, "input=json&payload={\"amount\":7}&switch=form")
                .body());
        Assertions.assertThat(page.select("#payload-amount").val()).isEqualTo("7");
        var started = submit(caller, path, "payload.amount=12&payload={\"x\":1}");
        var id = started.response().headers().firstValue("Location").orElseThrow();
        Assertions.assertThat(operator.api()
                        .get("/api/v1" + id)
                        .json()
                        .path("payload")
                        .toString())
                .isEqualTo("{\"x\":1,\"amount\":12,\"express\":false,\"currency\":\"JPY\"}");
    }

    @Test
    void aVersionIsEditedAndOneThatSomebodySavedMeanwhileIsNotOverlooked() {
        var text = "name: edited\nsteps:\n  - {name: %s, waitForSignal: go}\n";
        var caller = html(square.admin);
        var api = square.admin.api();
        api.sendAs("application/yaml", "POST", "/api/v1/workflows", text.formatted("one"));
        var page = Jsoup.parse(caller.get("/new-workflow?from=edited").body());
        Assertions.assertThat(page.select("h1").text()).isEqualTo("Edit edited");
        Assertions.assertThat(page.select("#draft").text()).contains("the same as version 1 of edited");
        Assertions.assertThat(page.select("[name=base]").val()).isEqualTo("1");
        api.sendAs("application/yaml", "POST", "/api/v1/workflows", text.formatted("two"));
        var typed = URLEncoder.encode(text.formatted("three"), StandardCharsets.UTF_8);
        var refused = submit(caller, "/workflows", "edited=edited&base=1&definition=" + typed);
        Assertions.assertThat(refused.status()).isEqualTo(409);
        page = Jsoup.parse(refused.body());
        Assertions.assertThat(page.select("#definition").val()).contains("three");
        Assertions.assertThat(page.select("main").text()).contains("Version 2 of `edited` was saved meanwhile");
        Assertions.assertThat(page.select("[name=base]").val()).isEqualTo("2");
        Assertions.assertThat(submit(caller, "/workflows", "edited=edited&base=2&definition=" + typed)
                        .status())
                .isEqualTo(303);
        Assertions.assertThat(submit(html(operator), "/new-workflow/check", "definition=x")
                        .status())
                .isEqualTo(403);
        var reserved = submit(caller, "/workflows", "definition=name: hiroba.x%0Asteps: [{name: a, waitForSignal: b}]");
        Assertions.assertThat(Jsoup.parse(reserved.body()).select("#definition").val())
                .contains("hiroba.x");
    }

    @Test
    void filtersOfTheListAreSavedOpenedAndDeletedByTheirOwner() {
        var caller = html(operator);
        var save = "/sagas/filters?workflow=order&status=RUNNING&";
        Assertions.assertThat(submit(caller, save, "name=Running orders").status())
                .isEqualTo(303);
        var page = Jsoup.parse(caller.get("/sagas").body());
        Assertions.assertThat(page.select(".saved a").eachText()).containsExactly("Running orders");
        var query = page.select(".saved a").attr("href");
        page = Jsoup.parse(caller.get(query).body());
        Assertions.assertThat(page.select("#status option[selected]").val()).isEqualTo("RUNNING");
        Assertions.assertThat(page.select(".saved [aria-current]").text()).isEqualTo("Running orders");
        submit(caller, "/sagas/filters?stuck=true", "name=Running orders");
        page = Jsoup.parse(caller.get("/sagas").body());
        Assertions.assertThat(page.select(".saved a").attr("href")).isEqualTo("/sagas?stuck=true&");
        var refused = submit(caller, "/sagas/filters?stuck=true", "name=" + "x".repeat(101));
        Assertions.assertThat(refused.status()).isEqualTo(422);
        page = Jsoup.parse(refused.body());
        Assertions.assertThat(page.select("#name-error").text()).isEqualTo("Must have 1 to 100 characters.");
        Assertions.assertThat(page.select("#name").val()).startsWith("xxx");
        Assertions.assertThat(
                        Jsoup.parse(html(square.admin).get("/sagas").body()).select(".saved"))
                .isEmpty();
        submit(caller, "/sagas/filters/delete", "name=Running orders");
        Assertions.assertThat(Jsoup.parse(caller.get("/sagas").body()).select(".saved"))
                .isEmpty();
    }

    @Test
    void servicesShowHowTheirCallsGoAndWhatIsStuckOnThem() {
        try (var shop = TestHttpService.start((asked, exchange) -> {
            int status = asked.path().endsWith("/do") ? 200 : asked.path().endsWith("/fail") ? 400 : 500;
            exchange.sendResponseHeaders(status, -1);
        })) {
            var api = square.admin.api();
            api.put("/api/v1/saga-services/frail", "{'endpoint':'%s'}".formatted(shop.url()));
            api.put("/api/v1/saga-services/frail/limits", "{'maxConcurrent':5}");
            var call = "{'name':'%s','service':'frail','method':'%s','compensate':'undo','retry':{'maxAttempts':1}}";
            api.post(
                    "/api/v1/workflows",
                    "{'name':'frail','steps':[%s,%s]}"
                            .formatted(call.formatted("a", "do"), call.formatted("b", "fail")));
            var id = api.post("/api/v1/sagas", "{'workflowName':'frail'}").text("id");
            Awaitility.await()
                    .until(() ->
                            api.get("/api/v1/sagas/" + id).json().path("stuck").asBoolean());
            var row = Jsoup.parse(html(operator).get("/sagas/services").body())
                    .select("main li:has(> div > strong:contains(frail))");
            Assertions.assertThat(row.text())
                    .contains("Failing", "Last hour: 3 calls, 2 failed", "Last day: 3 calls", "Last error")
                    .contains("0 of 5 permits in use, no saga waits", "1 saga needs attention");
            Assertions.assertThat(row.select("details a").attr("href")).isEqualTo("/sagas/" + id);
            Assertions.assertThat(row.select("form")).isEmpty();
            var history = Jsoup.parse(
                            html(operator).get("/sagas/" + id + "/history").body())
                    .select(".history > li p:first-child")
                    .eachText();
            Assertions.assertThat(history)
                    .containsExactly(
                            "Started by admin",
                            "Step a, attempt 1: Done",
                            "Step b, attempt 1: Failed",
                            "Undoing step a, attempt 1: Failed");
        }
    }

    @Test
    void aServiceWithWorkersShowsThemAndTheirTasks() {
        var api = square.admin.api();
        api.put("/api/v1/saga-services/benches", "{'endpoint':'worker:'}");
        api.post("/api/v1/workflows", "{'name':'benches','steps':[{'name':'a','service':'benches','method':'saw'}]}");
        Supplier<String> row =
                () -> Jsoup.parse(html(operator).get("/sagas/services").body())
                        .select("main li:has(> div > strong:contains(benches))")
                        .text();
        Assertions.assertThat(row.get()).contains("No task waits", "No worker has asked for tasks");
        for (int i = 0; i < 3; i++) {
            api.post("/api/v1/sagas", "{'workflowName':'benches'}");
        }
        Awaitility.await().until(() -> row.get().contains("3 tasks wait"));
        Assertions.assertThat(row.get()).contains("No workers");
        api.post("/api/v1/workers/benches/poll", "{'worker':'bench-7','max':2,'waitSeconds':0}");
        Assertions.assertThat(row.get())
                .contains("1 task waits, 2 running", "bench-7: seen", "2 tasks")
                .doesNotContain("No workers", "No calls");
    }

    @Test
    void theVersionsOfAWorkflowAreComparedAndTheSagasOnThemCounted() {
        var text = "name: compared\nsteps:\n  - {name: one, waitForSignal: go}\n  - {name: %s, waitForSignal: end}\n";
        var api = square.admin.api();
        api.sendAs("application/yaml", "POST", "/api/v1/workflows", text.formatted("two"));
        api.post("/api/v1/sagas", "{'workflowName':'compared'}");
        api.post("/api/v1/sagas", "{'workflowName':'compared'}");
        api.sendAs("application/yaml", "POST", "/api/v1/workflows", text.formatted("second"));
        var page =
                Jsoup.parse(html(operator).get("/workflows/compared/versions").body());
        Assertions.assertThat(page.select(".counts").eachText().getFirst()).isEqualTo("No running sagas");
        Assertions.assertThat(page.select(".counts").eachText().getLast()).matches("(Started|Running) \\(2\\)");
        Assertions.assertThat(page.select(".diff .removed").text()).isEqualTo("4 − - {name: two, waitForSignal: end}");
        Assertions.assertThat(page.select(".diff .added").text()).isEqualTo("4 + - {name: second, waitForSignal: end}");
        Assertions.assertThat(page.select("main .list").text()).contains("by ");
        var same = html(operator).get("/workflows/compared/versions?from=2&to=2");
        Assertions.assertThat(Jsoup.parse(same.body()).select("main").text())
                .contains("The definitions are identical.");
        Assertions.assertThat(html(operator)
                        .get("/workflows/compared/versions?from=1&to=9")
                        .status())
                .isEqualTo(404);
        Assertions.assertThat(html(operator).get("/workflows/nothing/versions").status())
                .isEqualTo(404);
    }

    @Test
    void aBadDefinitionIsShownByItsLine() {
        browser.expecting(422);
        var page = at(square.admin, "/new-workflow");
        page.getByLabel("Definition").fill("name: bad\nsteps:\n  - name: one\n    servce: shop\n    method: m\n");
        assertThat(page.locator("#draft .error-list li").last()).containsText("Line 4");
        assertThat(page.locator(".gutter .marked").last()).hasText("4");
        page.locator("#draft [data-line]").last().click();
        Assertions.assertThat(
                        page.evaluate(
                                "() => { const f = document.activeElement; return f.value.slice(f.selectionStart, f.selectionEnd).trim(); }"))
                .isEqualTo("servce: shop");
        press(page, "Register");
        assertThat(page.locator(".error-list li").last()).containsText("Line 4");
        assertThat(page.locator(".error-list pre").last()).containsText("servce: shop");
        assertThat(page.locator(".gutter .marked").last()).hasText("4");
        assertThat(page).hasURL(Pattern.compile("/new-workflow$"));
        assertThat(page.locator("#drawing")).containsText("once the definition is valid");
        page.getByLabel("Definition").fill("name: good\nsteps:\n  - name: one\n    service: shop\n    method: m\n");
        assertThat(page.locator("#drawing .wide .name")).hasText("one");
        assertThat(page.locator("#draft")).containsText("Saving creates version 1 of good.");
        assertThat(page.locator(".gutter .marked")).hasCount(0);
        press(page, "Register");
        assertThat(page.locator("h1")).hasText("good");
    }
}
