package io.hiroba.saga.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The pages on which admins keep the services that sagas call. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class ServicePagesTest {

    @RegisterExtension
    final Browser browser = new Browser();

    private Square square;
    private Person operator;

    @BeforeAll
    void start() {
        square = new Square();
        operator = square.person("Operator");
        square.admin.api().put("/api/v1/saga-roles/" + operator.id(), "{'role': 'operator'}");
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
        assertThat(at(operator, "/sagas/services").locator("h1")).hasText("Not allowed");
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
}
