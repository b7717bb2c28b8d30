package io.hiroba.activity.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Browsers of people to whom something happens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
abstract class ActivityPagesTest {

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

    Page at(Person person, String path) {
        return square.visit(browser.open(), person, path);
    }

    Page go(Page page, String path) {
        page.navigate(square.server.url() + path);
        return page;
    }

    /** Waits until somebody's unread cards tell of this many acts in all. */
    static void awaitActs(Person person, int acts) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> told(person) == acts);
    }

    private static int told(Person person) {
        int acts = 0;
        for (var card : person.api().get("/api/v1/notifications").json().get("items")) {
            acts += card.get(card.hasNonNull("countPosts") ? "countPosts" : "countUsers")
                    .asInt();
        }
        return acts;
    }

    static Locator cards(Page page) {
        return page.locator(".notice");
    }

    static Locator bell(Page page) {
        return page.locator(".side [data-badge]");
    }

    static void bellShows(Page page, String number) {
        assertThat(bell(page).locator(".badge")).hasText(number);
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
