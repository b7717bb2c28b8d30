package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The forms in which operators type payloads, times and signals, and where they are told what is wrong. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class SagaFormsTest {

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

    private ApiClient html(Person person) {
        var reply = square.anonymous()
                .post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(person.email(), person.password()));
        return square.anonymous().cookie(reply.cookie()).with("Accept", "text/html");
    }

    private static Reply submit(ApiClient caller, String path, String fields) {
        return caller.sendAs("application/x-www-form-urlencoded", "POST", path, fields);
    }

    @Test
    void jsonOfAStartIsToldWhatItsFieldsLack() {
        square.admin
                .api()
                .post(
                        "/api/v1/workflows",
                        "{'name':'invoice','payload':[{'name':'amount','type':'number','required':true},"
                                + "{'name':'currency','type':'choice','options':['EUR','JPY']}],"
                                + "'steps':[{'name':'go','waitForSignal':'go'}]}");
        var caller = html(operator);
        var path = "/workflows/invoice/start";
        var misfit = submit(caller, path, "input=json&payload={\"currency\":\"USD\"}");
        assertThat(misfit.status()).isEqualTo(422);
        assertThat(Jsoup.parse(misfit.body()).select("#payload-error").text())
                .contains("`payload.amount` is required", "`payload.currency` must be");
        var list = submit(caller, path, "input=json&payload=[1,2]&switch=form");
        assertThat(list.status()).isEqualTo(422);
        var page = Jsoup.parse(list.body());
        assertThat(page.select("#payload").val()).isEqualTo("[1,2]");
        assertThat(page.select("#payload-error").text()).startsWith("Must be an object");
    }

    @Test
    void aPayloadThatDoesNotFitIsToldAtItsField() {
        square.admin
                .api()
                .post(
                        "/api/v1/workflows",
                        "{'name':'fitting','payload':[{'name':'who','type':'text','required':true},{'name':'size','type':'number'}],"
                                + "'steps':[{'name':'go','waitForSignal':'go'}]}");
        var saga = operator.api()
                .post("/api/v1/sagas", "{'workflowName':'fitting','payload':{'who':'Ann'}}")
                .text("id");
        var caller = html(operator);
        var change = "/sagas/" + saga + "/payload";
        var misfit = Jsoup.parse(submit(caller, change, "newPayload={\"size\":\"XL\"}&payloadReason=Wrong")
                .body());
        assertThat(misfit.select("#newPayload-error").text())
                .isEqualTo("`payload.who` is required and `payload.size` must be a number.");
        assertThat(misfit.select(".alert[data-focus]")).isEmpty();
        var silent = Jsoup.parse(submit(caller, change, "newPayload={\"who\":\"Ben\"}&payloadReason=")
                .body());
        assertThat(silent.select("#payloadReason-error").text()).isEqualTo("Must say why.");
        assertThat(silent.select(".alert[data-focus]")).isEmpty();

        var times = "name=fits&workflow=fitting&cron=0 9 * * *&timeZone=UTC&overlap=skip&catchUp=none&payload=";
        var schedule = Jsoup.parse(submit(caller, "/schedules", times + "{}").body());
        assertThat(schedule.select("#payload-error").text()).isEqualTo("`payload.who` is required.");
        var limits = "{\"who\":\"Ann\"}&startAt=2030-05-02T09:00&endAt=2030-05-01T09:00";
        schedule = Jsoup.parse(submit(caller, "/schedules", times + limits).body());
        assertThat(schedule.select("#endAt-error").text()).isEqualTo("Must not be before “Not before”.");
    }

    @Test
    void theTimesOfAScheduleAreInItsZone() {
        var caller = html(operator);
        var times = "name=zoned&workflow=order&timeZone=Asia/Tokyo&overlap=skip&catchUp=none&payload={}";
        var path = submit(
                        caller, "/schedules", times + "&cron=0 9 * * *&startAt=2030-05-01T08:30&endAt=2031-05-01T18:00")
                .header("Location");
        var stored = operator.api().get("/api/v1" + path).json();
        assertThat(stored.path("startAt").asString()).startsWith("2030-04-30T23:30:00");
        var page = Jsoup.parse(caller.get(path).body());
        assertThat(page.select("h2#next").text()).isEqualTo("Next runs (Asia/Tokyo)");
        assertThat(page.select(".due-times time").first().text()).contains("2030", "9:00");
        assertThat(page.select(".facts dt:contains(Not before) + dd").text()).contains("2030", "8:30");
        assertThat(page.select(".facts dt:contains(Not after) + dd").text()).contains("2031");
        var form = Jsoup.parse(caller.get(path + "/edit").body());
        assertThat(form.select("#startAt").val()).startsWith("2030-05-01T08:30");
        assertThat(Jsoup.parse(caller.get("/schedules/preview?cron=0+9+*+*+*&timeZone=Asia/Tokyo")
                                .body())
                        .text())
                .contains("Next runs (Asia/Tokyo)", "9:00");
    }

    @Test
    void aSignalThatALaterStepWaitsForSaysSo() {
        square.admin
                .api()
                .post(
                        "/api/v1/workflows",
                        "{'name':'twice','steps':[{'name':'a','waitForSignal':'ok'},{'name':'b','waitForSignal':'go'}]}");
        var id =
                operator.api().post("/api/v1/sagas", "{'workflowName':'twice'}").text("id");
        var page = Jsoup.parse(html(operator).get("/sagas/" + id).body());
        assertThat(page.select("form.signal > p").eachText())
                .containsExactly(
                        "A step waits for the signal ok. Sending it lets the saga go on.",
                        "A later step will wait for the signal go. Sent early, it is kept until then.");
    }

    @Test
    void switchingToJsonStaysAtTheForm() {
        square.admin
                .api()
                .post(
                        "/api/v1/workflows",
                        Json.text(Map.of(
                                "name",
                                "long",
                                "payload",
                                List.of(Map.of("name", "who", "type", "text")),
                                "steps",
                                IntStream.range(0, 30)
                                        .mapToObj(i -> Map.of("name", "s" + i, "waitForSignal", "go" + i))
                                        .toList())));
        var page = square.visit(browser.open(), operator, "/workflows/long");
        page.getByText("Enter JSON instead").click();
        PlaywrightAssertions.assertThat(
                        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Use the form instead")))
                .isInViewport();
    }
}
