package io.hiroba.testkit;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.testkit.Square.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests in the browsers of people on a square without limits. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
public abstract class SquarePages {

    @RegisterExtension
    protected final Browser browser = new Browser();

    protected Square square;

    @BeforeAll
    void start() {
        square = new Square("--social.posts-per-hour=0", "--social.likes-per-hour=0");
    }

    @AfterAll
    void stop() {
        square.close();
    }

    /** The browser of somebody who is signed in, at {@code path}. */
    protected Page at(Person person, String path) {
        return square.visit(browser.open(), person, path);
    }

    protected Page go(Page page, String path) {
        page.navigate(square.server.url() + path);
        return page;
    }

    protected static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    protected static void press(Locator within, String button) {
        within.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button))
                .click();
    }
}
