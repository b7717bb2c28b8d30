package io.hiroba.saga.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import io.hiroba.saga.TestSagaServer;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Approvals as their assignees meet them: in the inbox, on pages, by mail and in the API. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class ApprovalPagesTest {

    @RegisterExtension
    final Browser browser = new Browser();

    private Square square;
    private Person operator;
    private Person ann;
    private Person ben;

    @BeforeAll
    void start() {
        square = new Square();
        operator = square.person("Olga");
        ann = square.person("Ann");
        ben = square.person("Ben");
        square.admin.api().put("/api/v1/saga-roles/" + operator.id(), "{'role': 'operator'}");
        var form = List.of(
                Map.of("name", "amount", "label", "Amount", "type", "number", "required", true),
                Map.of("name", "centre", "label", "Cost centre", "type", "choice", "options", List.of("IT", "Sales")));
        var approval = Map.of(
                "assignees",
                "$.payload.assignees",
                "title",
                "Order {{$.payload.order}}",
                "text",
                "Somebody wants **{{$.payload.order}}**.",
                "form",
                form,
                "deadline",
                "2d",
                "quorum",
                1);
        var workflow = Map.of("name", "order", "steps", List.of(Map.of("name", "decide", "approval", approval)));
        var registered = square.admin.api().post("/api/v1/workflows", Json.text(workflow));
        assertThat(registered.status()).as(registered.body()).isLessThan(300);
    }

    @AfterAll
    void stop() {
        square.close();
    }

    @Test
    void anAssigneeWithoutARoleDecidesInTheInboxAndTheItemOfTheOtherIsDone() {
        var saga = order("a chair", ann, ben);
        awaitItem(ben, "a chair", "todo");
        var page = square.visit(browser.open(), ann, "/inbox");
        var item = page.locator("#items li", new Page.LocatorOptions().setHasText("Order a chair"));
        assertThat(item).containsText("Your approval is needed");
        assertThat(page.locator("a[href^='/sagas']")).hasCount(0);
        item.getByRole(AriaRole.LINK, named("Approve or reject")).click();
        assertThat(page.locator(".approval .prose")).hasText("Somebody wants a chair.");
        assertThat(page.locator(".approval .facts")).containsText(saga);
        assertThat(page.locator(".approval .facts")).containsText("Olga");
        assertThat(page.locator("a[href^='/sagas']")).hasCount(0);

        browser.expecting(422);
        page.getByLabel("Amount").fill("many");
        page.getByLabel("Cost centre").selectOption("Sales");
        press(page, "Approve");
        assertThat(page.locator(".approval .error")).hasText("Must be a number.");
        page.getByLabel("Amount").fill("12.5");
        page.getByLabel("Comment").fill("Fine");
        press(page, "Approve");
        assertThat(page).hasURL(Pattern.compile("/inbox$"));
        awaitItem(ann, "a chair", "done");
        awaitItem(ben, "a chair", "done");
        var answer = awaitStatus(saga, "COMPLETED")
                .path("steps")
                .path(0)
                .path("attempts")
                .path(0)
                .path("answer");
        assertThat(answer.path("answers").toString()).isEqualTo("{\"amount\":12.5,\"centre\":\"Sales\"}");
        assertThat(square.audited("action=approval-approved")).hasSize(1);
    }

    @Test
    void theRowAndTheApiTellTheWorkflowAndTheDeadlineWhichStandsOutWhenItIsNear() {
        order("a rug", ann);
        var item = awaitItem(ann, "a rug", "todo");
        assertThat(item.at("/approval/workflowName").asString()).isEqualTo("order");
        var deadline = Instant.parse(item.at("/approval/deadline").asString());
        assertThat(deadline)
                .isBetween(
                        Instant.now().plus(Duration.ofHours(47)), Instant.now().plus(Duration.ofHours(49)));
        var page = square.visit(browser.open(), ann, "/inbox");
        var row = page.locator("#items li", new Page.LocatorOptions().setHasText("Order a rug"));
        assertThat(row).containsText("Workflow order");
        assertThat(row.locator("time.deadline.later")).containsText("Decide by ");
        assertThat(Instant.parse(row.locator("time.deadline").getAttribute("datetime"))
                        .truncatedTo(ChronoUnit.MILLIS))
                .isEqualTo(deadline);
        expire(item, "1 hour");
        page.reload();
        assertThat(row.locator("time.deadline.soon")).containsText("Decide by ");
        // The answer to a button is the row anew.
        row.locator("[name=do][value^=save]").click();
        assertThat(row.locator("[aria-pressed=true]")).hasCount(1);
        assertThat(row.locator("time.deadline.soon")).hasCount(1);
        expire(item, "-1 minute");
        page.reload();
        assertThat(row.locator("time.deadline.overdue")).containsText("Overdue since ");
    }

    @Test
    void aSuspendedAssigneeIsMarkedAndTheStepFailsOnceTooFewAreLeft() {
        var eve = square.person("Eve");
        var both = order("a vase", eve, ben);
        var alone = order("a lamp", eve);
        awaitItem(eve, "a vase", "todo");
        awaitItem(eve, "a lamp", "todo");
        square.admin.api().post("/api/v1/users/" + eve.id() + "/suspend", "{'reason': 'Left'}");
        assertThat(awaitStatus(alone, "FAILED").path("errorMessage").asString(""))
                .contains("too few of those who were asked are left to approve");
        var page = square.visit(browser.open(), operator, "/sagas/" + both);
        assertThat(page.locator(".approval")).containsText("Eve (suspended)");
        assertThat(operator.api().get("/api/v1/sagas/" + both).text("status")).isNotEqualTo("FAILED");
    }

    /** Moves the deadline of the approval of an item, of which its saga hears nothing. */
    private void expire(JsonNode item, String in) {
        try (var db = Db.open(square.server.database().config())) {
            db.useTransaction(
                    tx -> tx.update("UPDATE saga.approvals SET deadline = now() + CAST(:in AS interval) WHERE id = :id")
                            .bind("in", in)
                            .bind("id", Ids.parse(item.at("/approval/id").asString()))
                            .execute());
        }
    }

    @Test
    void theSagasPageShowsWhoWasAskedAndLetsAnAssigneeRejectThere() {
        var saga = order("a table", operator, ben);
        awaitItem(operator, "a table", "todo");
        var page = square.visit(browser.open(), operator, "/sagas?status=WAITING");
        page.locator("#saga-" + saga + " a").click();
        assertThat(page.locator(".approval")).containsText("Olga");
        assertThat(page.locator("#step-0 .state")).hasText("Waiting for approval");
        page.getByLabel("Comment").fill("Too <b>dear</b>");
        press(page, "Reject");
        assertThat(page.locator("#saga-status")).hasText("Failed");
        assertThat(page.locator(".approval .decisions")).containsText("Too <b>dear</b>");
        assertThat(page.locator("#saga-alerts")).containsText("rejected by Olga: Too <b>dear</b>");
        awaitItem(ben, "a table", "done");
    }

    @Test
    void theLinkOfAMailAsksAndDecidesOnceWithoutSigningIn() {
        var saga = order("a lamp", ann);
        var item = awaitItem(ann, "a lamp", "todo");
        var link = link(item.path("resource").path("url").asString(""), ann);
        var page = browser.openWithoutScripts();
        page.navigate(square.server.url() + link);
        assertThat(page.locator("h1")).hasText("Order a lamp");
        assertThat(operator.api().get("/api/v1/sagas/" + saga).text("status")).isNotEqualTo("FAILED");
        page.getByLabel("Comment").fill("No");
        press(page, "Reject");
        assertThat(page.locator(".approval")).containsText("You rejected this.");
        assertThat(page.locator(".approval form")).hasCount(0);
        assertThat(page.locator("main"))
                .not()
                .containsText("a lamp", new LocatorAssertions.ContainsTextOptions().setIgnoreCase(true));
        awaitStatus(saga, "FAILED");
        var again = square.anonymous().sendAs("application/x-www-form-urlencoded", "POST", link, "decision=approve");
        assertThat(again.status()).isEqualTo(409);
        assertThat(square.anonymous()
                        .get(link.substring(0, link.length() - 3) + "AAA")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theApiDecidesTheCallersItemsAndRefusesTheRest() {
        var saga = order("a door", ann, ben);
        var item = awaitItem(ann, "a door", "todo");
        assertThat(item.path("action").asString("")).isEqualTo("approval_required");
        assertThat(item.path("resourceType").asString("")).isEqualTo("saga");
        var path = "/api/v1/inbox/" + item.path("id").asString("");
        var request = ann.api().get(path + "/approval").json();
        assertThat(request.path("form").path(0).path("name").asString("")).isEqualTo("amount");
        assertThat(request.path("state").asString("")).isEqualTo("open");
        assertThat(request.path("sagaId").asString()).isEqualTo(saga);
        assertThat(request.path("workflowName").asString()).isEqualTo("order");
        assertThat(request.path("requestedBy").asString()).isEqualTo("Olga");
        var open = operator.api().get("/api/v1/sagas/" + saga).json().at("/approvals/0");
        assertThat(open.path("title").asString()).isEqualTo("Order a door");
        assertThat(open.at("/assignees/0/nickname").asString()).isEqualTo("Ann");
        assertThat(open.path("deadline").asString())
                .isEqualTo(request.path("deadline").asString());
        assertThat(open.path("decisions")).isEmpty();

        var other = awaitItem(ben, "a door", "todo");
        assertThat(ben.api().post("/api/v1/inbox/done-all", "{}").status()).isEqualTo(200);
        assertThat(awaitItem(ben, "a door", "todo").path("id")).isEqualTo(other.path("id"));

        assertThat(ben.api().post(path + "/approve", "{}").outcome()).isEqualTo("404 inbox.item-not-found");
        assertThat(reading(ann).post(path + "/approve", "{}").status()).isEqualTo(403);
        assertThat(ann.api().get(item.path("resource").path("url").asString("")).status())
                .isLessThan(500);
        assertThat(ann.api().post(path + "/approve", "{}").outcome()).isEqualTo("400 saga.invalid");
        var approved = ann.api().post(path + "/approve", "{'comment': 'yes', 'answers': {'amount': 3}}");
        assertThat(approved.outcome()).as(approved.body()).isEqualTo("200");
        assertThat(approved.text("state")).isEqualTo("done");
        assertThat(ann.api().post(path + "/reject", "{}").outcome()).isEqualTo("409 saga.decided-already");
        awaitItem(ben, "a door", "done");
        assertThat(ben.api()
                        .post(
                                "/api/v1/inbox/%s/approve"
                                        .formatted(other.path("id").asString("")),
                                "{}")
                        .outcome())
                .isEqualTo("409 saga.approval-closed");
        var post = ann.post("Words");
        var marked = ann.api().post("/api/v1/inbox/mark", "{'resourceType': 'post', 'resource': '%s'}".formatted(post));
        assertThat(ann.api()
                        .post("/api/v1/inbox/%s/approve".formatted(marked.text("id")), "")
                        .outcome())
                .isEqualTo("409 inbox.not-an-approval");
    }

    private String order(String what, Person... assignees) {
        var payload = Map.of(
                "order",
                what,
                "assignees",
                List.of(assignees).stream().map(Person::email).toList());
        var reply =
                operator.api().post("/api/v1/sagas", Json.text(Map.of("workflowName", "order", "payload", payload)));
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply.text("id");
    }

    private static JsonNode awaitItem(Person person, String order, String state) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .until(
                        () -> person.api()
                                .get("/api/v1/inbox?state=" + state)
                                .json()
                                .path("items")
                                .valueStream()
                                .filter(item -> item.path("resource")
                                        .path("title")
                                        .asString("")
                                        .equals("Order " + order))
                                .toList(),
                        found -> found.size() == 1)
                .getFirst();
    }

    private JsonNode awaitStatus(String saga, String status) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .until(
                        () -> operator.api().get("/api/v1/sagas/" + saga).json(),
                        found -> found.path("status").asString("").equals(status));
    }

    /** The path of the link in a mail about the approval at {@code url}. */
    private String link(String url, Person person) {
        try (var db = Db.open(square.server.database().config())) {
            long approval = Ids.parse(url.substring(url.lastIndexOf('/') + 1));
            return TestSagaServer.mailPath(db, approval, UserId.parse(person.id()));
        }
    }

    private ApiClient reading(Person person) {
        var token = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        Json.text(Map.of(
                                "email",
                                person.email(),
                                "password",
                                person.password(),
                                "name",
                                "reads",
                                "scopes",
                                List.of("inbox:read"))));
        assertThat(token.outcome()).as(token.body()).isEqualTo("201");
        return square.anonymous().token(token.text("token"));
    }

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }
}
