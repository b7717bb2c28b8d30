package io.hiroba.activity;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.SquarePages;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Browsers of people to whom something happens. */
abstract class ActivityPagesTest extends SquarePages {

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
        return page.locator(".sidebar [data-badge='/notifications']");
    }

    static void bellShows(Page page, String number) {
        assertThat(bell(page).locator(".badge")).hasText(number);
    }
}
