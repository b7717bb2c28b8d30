package io.hiroba.social.pages;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Browsers of people on a square. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
abstract class SocialPagesTest {

    @RegisterExtension
    final Browser browser = new Browser();

    Square square;

    @BeforeAll
    void start() {
        square = new Square(
                "--social.posts-per-hour=0", "--social.likes-per-hour=0", "--accounts.limits.log-ins-per-minute=10000");
    }

    @AfterAll
    void stop() {
        square.close();
    }

    /** The browser of somebody who is signed in, at {@code path}. */
    Page at(Person person, String path) {
        return at(browser.open(), person, path);
    }

    Page at(Page page, Person person, String path) {
        return square.visit(page, person, path);
    }

    Page go(Page page, String path) {
        page.navigate(square.server.url() + path);
        return page;
    }

    static Locator posts(Page page) {
        return page.locator("#items > li:not(.more) > article");
    }

    static Locator post(Page page, String id) {
        return page.locator("#post-" + id);
    }

    static Locator text(Page page) {
        return page.locator(".composer textarea");
    }

    static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    static void press(Locator within, String button) {
        within.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button))
                .click();
    }
}
