package io.hiroba.activity;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Mutes and follows of posts and people, and the notification settings. */
class MuteFollowPagesTest extends ActivityPagesTest {

    @Test
    void partsOfOnesOwnPostAreMutedBelowIt() {
        var author = square.person("Author");
        var post = author.post("Much discussed");
        var page = at(author, "/posts/" + post);
        assertThat(page.locator(".subscription")).containsText("You are notified of likes and replies.");
        press(page, "Mute likes");
        assertThat(page.locator(".subscription")).containsText("You are notified of replies only.");
        page.reload();
        press(page, "Mute all");
        assertThat(page.locator(".subscription")).containsText("You muted this post.");
        press(page, "Unmute");
        assertThat(page.locator(".subscription")).containsText("You are notified of likes and replies.");
        press(page, "Mute likes");
        assertThat(page.locator(".subscription")).containsText("You are notified of replies only.");

        var other = square.person("Other");
        other.like(post);
        other.reply(post, "An answer");
        bellShows(page, "1");
        assertThat(cards(go(page, "/notifications"))).containsText("Other replied to your post");
    }

    @Test
    void theRepliesToAnyPostAreFollowed() {
        var post = square.person("Asker").post("Who knows a good baker?");
        var curious = square.person("Curious");
        var page = at(curious, "/posts/" + post);
        press(page, "Follow replies");
        assertThat(page.locator(".subscription [aria-pressed=true]")).hasText("Following replies");
        square.person("Baker").reply(post, "I do");
        bellShows(page, "1");
        assertThat(cards(go(page, "/notifications"))).containsText("Baker replied to a post you follow: “I do”");

        go(page, "/settings/notifications");
        press(page.locator("#followed"), "Unfollow");
        assertThat(page.locator(".toast")).hasText("You no longer follow the replies.");
        assertThat(page.locator("#followed")).hasCount(0);
    }

    @Test
    void somebodyIsMutedOnTheirProfile() {
        var loud = square.person("Loud");
        var reader = square.person("Listener");
        var page = at(reader, "/users/" + loud.id());
        press(page, "Mute Loud");
        assertThat(page.locator(".mute button")).hasText("Unmute Loud");
        go(page, "/settings/notifications");
        press(page.locator("#people"), "Unmute");
        assertThat(page.locator(".toast")).hasText("You unmuted Loud.");
        assertThat(go(page, "/users/" + loud.id()).locator(".mute button")).hasText("Mute Loud");
        assertThat(go(page, "/users/" + reader.id()).locator(".mute")).hasCount(0);
    }

    @Test
    void theSettingsAreKept() {
        var reader = square.person("Chooser");
        var page = at(reader, "/settings");
        page.locator(".tabs").getByText("Notifications").click();
        assertThat(page.locator("form .hint").first()).hasText("Digests are sent to " + reader.email() + ".");
        page.getByLabel("Somebody likes my post").uncheck();
        page.getByLabel("Weekly, on Monday").check();
        press(page, "Save");
        assertThat(page.locator(".toast")).hasText("Settings saved.");
        assertThat(page.getByLabel("Somebody likes my post")).not().isChecked();
        assertThat(page.getByLabel("Somebody follows me")).isChecked();
        assertThat(page.getByLabel("Weekly, on Monday")).isChecked();
        assertThat(page.locator("form .hint").first())
                .hasText(Pattern.compile("The next digest is sent on Monday, .* at 08:00 \\(Pacific/Chatham\\) to "
                        + reader.email() + ", if there are unread notifications\\."));

        square.person("Fan").like(reader.post("Not told"));
        square.person("Follower").follow(reader);
        bellShows(page, "1");
        assertThat(cards(go(page, "/notifications"))).containsText("Follower followed you");
    }

    @Test
    void whatIsNoPartOfAPostIsRefused() {
        browser.expecting(400);
        var author = square.person("Author");
        var post = author.post("Mine");
        var page = at(author, "/posts/" + post);
        page.locator(".subscription [name=what]").first().evaluate("field => field.value = 'everything'");
        press(page, "Mute likes");
        assertThat(page.locator(".toast")).containsText("That did not work.");
        assertThat(page.locator(".subscription")).containsText("You are notified of likes and replies.");
    }
}
