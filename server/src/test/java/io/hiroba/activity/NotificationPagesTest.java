package io.hiroba.activity;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import io.hiroba.accounts.UserId;
import io.hiroba.social.PostId;
import io.hiroba.testkit.Square.Person;
import io.hiroba.testkit.TestCard;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The bell and the list of cards. */
class NotificationPagesTest extends ActivityPagesTest {

    @Test
    void theBellCountsUpWhileOneReads() {
        var reader = square.person("Reader");
        var post = reader.post("Something likeable");
        var page = at(reader, "/search");
        bellShows(page, "");
        assertThat(bell(page)).hasAttribute("aria-label", "Notifications");
        assertThat(bell(page).locator(".badge")).isHidden();

        var fan = square.person("Fan");
        fan.like(post);
        bellShows(page, "1");
        assertThat(bell(page)).hasAttribute("aria-label", "Notifications 1 unread");
        assertThat(page).hasTitle("(1) Search · Hiroba");
        square.person("Second fan").like(post);
        fan.follow(reader);
        bellShows(page, "2");
        assertThat(page).hasTitle("(2) Search · Hiroba");

        bell(page).click();
        assertThat(cards(page)).hasCount(2);
        assertThat(page).hasTitle("(2) Notifications · Hiroba");
    }

    @Test
    void aCardNamesTheNewestThreeAndCountsTheOthers() {
        var author = square.person("Author");
        var post = author.post("The *first* tomato");
        for (var name : List.of("Ann", "Bob", "Cem", "Dan", "Eve")) {
            square.person(name).like(post);
        }
        awaitActs(author, 5);
        var page = at(author, "/notifications");
        assertThat(cards(page).locator(".open"))
                .hasText("Eve, Dan, Cem and 2 others liked your post “The first tomato”");
        assertThat(cards(page).locator(".avatars .avatar")).hasCount(3);
        assertThat(cards(page).locator("time")).hasText(Pattern.compile("Today, (just now|1 minute ago)"));
        assertThat(cards(page).locator(".state")).hasText("Unread");
    }

    @Test
    void cardsAndTheirCountsAreInTheLanguageOfTheReader() {
        var author = square.person("Author");
        var post = author.post("The first tomato");
        square.person("Ann").like(post);
        awaitActs(author, 1);
        var page = at(author, "/search");
        page.context()
                .addCookies(List.of(new Cookie("hiroba_language", "ja")
                        .setUrl(square.server.url().toString())));
        go(page, "/notifications");
        assertThat(cards(page).locator(".open")).hasText("Annさんがあなたの投稿「The first tomato」にいいねしました");
        assertThat(cards(page).locator(".actors")).hasText("Annさん");
        assertThat(cards(page).locator(".quoted")).hasText("「The first tomato」");
        square.person("Ben").follow(author);
        assertThat(page.locator(".live a")).hasText("新着1件");
        assertThat(bell(page)).hasAttribute("aria-label", "通知 2件未読");
    }

    @Test
    void aCardIsReadWhenItIsOpenedAndLeadsToTheOneReply() {
        var author = square.person("Asker");
        var question = author.post("Where does the bus stop?");
        var answer = square.person("Local").reply(question, "At the corner");
        awaitActs(author, 1);
        var page = at(author, "/notifications");
        page.keyboard().press("Tab");
        cards(page).locator(".open a").focus();
        page.keyboard().press("Enter");
        assertThat(page).hasURL(square.server.url() + "/posts/" + answer);
        bellShows(page, "");

        go(page, "/notifications");
        assertThat(page.locator(".caught-up")).isVisible();
        assertThat(page.locator("#read .notice .open a")).hasText("Local replied to your post: “At the corner”");
        assertThat(page.locator("#read .notice .open a")).hasAttribute("href", "/posts/" + answer);
    }

    @Test
    void aFollowLeadsToTheFollowers() {
        var reader = square.person("Followed");
        square.person("Follower").follow(reader);
        awaitActs(reader, 1);
        var page = at(reader, "/notifications");
        // Anywhere on the card.
        cards(page).locator(".icon-tile").click(new Locator.ClickOptions().setForce(true));
        assertThat(page).hasURL(square.server.url() + "/users/" + reader.id() + "/followers");

        go(page, "/notifications").locator("[name=target]").evaluate("field => field.value = 'https://evil.example/'");
        cards(page).locator(".open a").click();
        assertThat(page.locator(".caught-up")).isVisible();
        assertThat(page).hasURL(square.server.url() + "/notifications");
    }

    @Test
    void cardsAreMarkedInPlace() {
        var reader = withCards("Marker", 3);
        var page = at(reader, "/notifications");
        bellShows(page, "3");
        page.evaluate("window.same = true");
        press(cards(page).first(), "Mark as read");
        assertThat(cards(page).first().locator(".state")).hasCount(0);
        assertThat(cards(page).first().locator(".mark button")).hasText("Mark as unread");
        assertThat(cards(page).first().locator(".mark button")).isFocused();
        bellShows(page, "2");
        press(cards(page).first(), "Mark as unread");
        assertThat(cards(page).first().locator(".state")).isVisible();
        bellShows(page, "3");

        press(page, "Mark all as read");
        assertThat(page.locator(".caught-up")).isVisible();
        assertThat(page.locator("#read .notice")).hasCount(3);
        assertThat(page.locator("#cards")).isFocused();
        bellShows(page, "");
        assertThat(page).hasTitle("Notifications · Hiroba");
        assertThat(page.evaluate("window.same")).isEqualTo(true);
    }

    @Test
    void newCardsWaitUntilTheyAreCalledUp() {
        var reader = withCards("Watcher", 1);
        var page = at(reader, "/notifications");
        bellShows(page, "1");
        square.person("Comer").follow(reader);
        assertThat(page.getByText("1 new", new Page.GetByTextOptions().setExact(true)))
                .isVisible();
        assertThat(cards(page)).hasCount(1);
        page.locator(".live a").click();
        assertThat(cards(page)).hasCount(2);
        assertThat(cards(page).first()).containsText("Comer followed you");
        assertThat(page.locator(".live a")).isHidden();
        bellShows(page, "2");
    }

    @Test
    void whatACardTellsOfIsMutedOnItAndTakenBack() {
        var reader = square.person("Tired");
        var post = reader.post("Popular");
        square.person("Fan").like(post);
        awaitActs(reader, 1);
        var page = at(reader, "/notifications");
        var card = cards(page).first();
        card.locator("summary").focus();
        page.keyboard().press("Enter");
        press(card, "Mute likes of this post");
        assertThat(card.locator(".result")).containsText("You muted likes of this post.");
        assertThat(card.locator(".result button")).isFocused();
        page.keyboard().press("Enter");
        assertThat(card.locator(".result")).containsText("You unmuted likes of this post.");
        assertThat(card.locator("summary")).isFocused();

        page.keyboard().press("Enter");
        press(card, "Mute Fan");
        assertThat(card.locator(".result")).containsText("You muted Fan.");
        go(page, "/settings/notifications");
        assertThat(page.locator("#people")).containsText("Fan");
        assertThat(page.locator("#posts")).hasCount(0);
    }

    @Test
    void olderCardsFollowOnRequest() {
        var reader = withCards("Archivist", 70);
        var page = at(reader, "/notifications");
        assertThat(cards(page)).hasCount(50);
        page.getByText("Show older").click();
        assertThat(cards(page)).hasCount(70);
        assertThat(page.getByText("Show older")).hasCount(0);
        var shown =
                cards(page).all().stream().map(card -> card.getAttribute("id")).distinct();
        assertThat(shown).hasSize(70);
    }

    @Test
    void everythingWorksWithoutScripts() {
        var reader = withCards("Plain", 52);
        var page = square.visit(browser.openWithoutScripts(), reader, "/notifications");
        bellShows(page, "52");
        page.getByText("Show older").click();
        assertThat(cards(page)).hasCount(2);
        page.getByText("Back to the newest").click();
        press(cards(page).first(), "Mark as read");
        bellShows(page, "51");
        press(page, "Mark all as read");
        bellShows(page, "");
        assertThat(page.locator(".toast")).hasText("All marked as read.");
        cards(page).first().locator("summary").click();
        press(cards(page).first(), "Mute this post");
        assertThat(page.locator(".toast")).hasText("You muted this post.");
        cards(page).first().locator(".open a").click();
        assertThat(page.locator(".subscription")).containsText("You muted this post.");
    }

    @Test
    void whoHasNoCardsIsToldWhatWillBeHere() {
        var page = at(square.person("Newcomer"), "/notifications");
        assertThat(page.locator(".empty")).containsText("No notifications yet");
    }

    @Test
    void strangersLogInFirst() {
        for (var path : List.of("/notifications", "/settings/notifications")) {
            var page = go(browser.open(), path);
            assertThat(page).hasURL(Pattern.compile(".*/login\\?next=" + path.replace("/", "%2F")));
        }
        for (var path : List.of("/notifications/mark", "/notifications/mark-all", "/notifications/open")) {
            assertThat(square.anonymous().post(path, "").status()).isEqualTo(401);
        }
    }

    @Test
    void thePhoneHasTheBellBesideItsMenu() {
        var reader = withCards("Pocket", 3);
        var page = square.visit(browser.openPhone(), reader, "/settings/notifications");
        assertFits(page);
        assertThat(page.locator(".topbar-actions > [data-badge='/notifications'] .badge"))
                .hasText("3");
        page.locator(".topbar-actions > [data-badge='/notifications']").click();
        assertThat(cards(page)).hasCount(3);
        assertFits(page);
        cards(page).first().locator("summary").click();
        assertFits(page);
    }

    private static void assertFits(Page page) {
        var overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) overflow).intValue()).as(page.url()).isLessThanOrEqualTo(0);
    }

    /** Somebody with a post that was liked once a day, the last time on the second of January. */
    private Person withCards(String nickname, int count) {
        var reader = square.person(nickname);
        var fan = UserId.parse(square.person("A fan of " + nickname).id());
        var slot = Slot.of(NotificationKind.LIKE, PostId.parse(reader.post("Loved every day")));
        for (int i = 0; i < count; i++) {
            TestCard.of(UserId.parse(reader.id()), slot)
                    .by(fan)
                    .term(LocalDate.of(2026, 1, 2).minusDays(i).toString())
                    .updatedAt(TestCard.TIME.minus(i, ChronoUnit.DAYS))
                    .insert(square.server.database().db());
        }
        return reader;
    }
}
