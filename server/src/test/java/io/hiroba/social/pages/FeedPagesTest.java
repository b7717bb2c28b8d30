package io.hiroba.social.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ReducedMotion;
import io.hiroba.platform.http.Json;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Lists of posts and what can be done in them. */
class FeedPagesTest extends SocialPagesTest {

    @Test
    void aLikeIsGivenAndTakenBackInPlace() {
        var id = square.person("Author").post("Likeable");
        var page = at(square.person("Fan"), "/newest");
        var like = post(page, id).locator(".like");
        page.evaluate("window.same = true");
        like.locator("button").click();
        assertThat(like.locator("button[aria-pressed=true]")).hasText("Like1");
        like.locator("button").click();
        assertThat(like.locator("button[aria-pressed=false]")).hasText("Like0");
        assertThat(page.evaluate("window.same")).isEqualTo(true);
    }

    @Test
    void thoseWhoLikeAPostAreListed() {
        var id = square.person("Author").post("Popular");
        var fan = square.person("First fan");
        fan.api().post("/api/v1/posts/" + id + "/like", "");
        var page = at(square.person("Curious"), "/posts/" + id);
        page.getByText("Liked by …").click();
        assertThat(page.locator("h1")).hasText("Liked by");
        assertThat(page.locator("#items li")).containsText("First fan");
    }

    @Test
    void whoFollowsNobodyIsShownWhatIsNewestAndWhomToFollow() {
        var author = square.person("Somebody Interesting");
        var id = author.post("Read me");
        var page = at(square.person("Newcomer"), "/");
        assertThat(page.getByText("You are not following anyone yet")).isVisible();
        assertThat(post(page, id)).isVisible();
        press(page, "Follow Somebody Interesting");
        assertThat(page.getByText("Following").first()).isVisible();
        var home = Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> posts(go(page, "/")).count(), count -> count == 1);
        assertThat(home).isEqualTo(1);
        assertThat(page.getByText("You are not following anyone yet")).hasCount(0);
        assertThat(post(page, id)).isVisible();
    }

    @Test
    void moreComesWhileScrollingWithoutGapsOrRepeatsThoughOthersPost() {
        var author = square.person("Prolific");
        for (int i = 0; i < 45; i++) {
            author.post("Number " + i);
        }
        var page = at(author, "/users/" + author.id());
        assertThat(posts(page)).hasCount(20);
        author.post("In between");
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
        assertThat(posts(page)).hasCount(40);
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
        assertThat(posts(page)).hasCount(45);
        var ids =
                posts(page).all().stream().map(post -> post.getAttribute("id")).toList();
        assertThat(new HashSet<>(ids)).hasSize(45);
        assertThat(page.locator("#items > .more")).hasCount(0);
        // Deleting one of them leads to the beginning of the list, not to the part that came with it.
        assertThat(posts(page).last().locator("form[action$=delete] [name=back]"))
                .hasValue("/users/" + author.id());
    }

    @Test
    void whoReachesMoreByKeyboardGoesOnAtTheFirstOfWhatCame() {
        var author = square.person("Writer of many");
        for (int i = 0; i < 25; i++) {
            author.post("Number " + i);
        }
        var page = at(author, "/users/" + author.id());
        page.locator("#items > .more a").focus();
        assertThat(posts(page)).hasCount(25);
        assertThat(posts(page).nth(20)).isFocused();
    }

    @Test
    void whoseSessionHasEndedLogsInAgainInsteadOfLosingTheFeed() {
        browser.expecting(401);
        var author = square.person("Author");
        for (int i = 0; i < 21; i++) {
            author.post("Number " + i);
        }
        for (var path : new String[] {"/", "/newest"}) {
            var page = at(square.person("Absent"), path);
            assertThat(posts(page)).hasCount(20);
            page.context().clearCookies();
            page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
            assertThat(page).hasURL(square.server.url() + "/login?next=" + path.replace("/", "%2F"));
        }
    }

    @Test
    void theAnnouncementOfNewPostsCoversNoNameOnAPhone() {
        var author = square.person("N".repeat(50));
        author.post("Shown");
        var phone = at(browser.openPhone(), square.person("Reader"), "/newest");
        phone.emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
        author.post("News");
        assertThat(phone.locator(".live a")).isVisible();
        var announced = phone.locator(".live a").boundingBox();
        var name = posts(phone).first().locator(".name").boundingBox();
        assertThat(announced.y + announced.height).isLessThanOrEqualTo(name.y);
    }

    @Test
    void newPostsAreAnnouncedAndCalledUp() {
        var author = square.person("Newsmaker");
        var reader = square.person("Reader");
        reader.follow(author);
        author.post("Yesterday");
        var home = at(reader, "/");
        var newest = at(square.person("Passer-by"), "/newest");
        var own = at(author, "/newest");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> posts(go(home, "/")).count() == 1);
        home.evaluate("window.same = true");
        var first = author.post("News");
        assertThat(home.getByText("1 new post")).isVisible();
        var second = author.post("More news");
        assertThat(home.getByText("2 new posts")).isVisible();
        assertThat(newest.getByText("2 new posts")).isVisible();
        assertThat(own.locator(".live a")).isHidden();
        assertThat(post(home, first)).hasCount(0);

        home.getByText("2 new posts").click();
        assertThat(posts(home)).hasCount(3);
        assertThat(posts(home).first()).hasAttribute("id", "post-" + second);
        assertThat(home.locator(".live a")).isHidden();
        assertThat(home.evaluate("window.same")).isEqualTo(true);

        author.post("The latest");
        assertThat(home.getByText("1 new post")).isVisible();
    }

    @Test
    void thePostsOfTheBlockedVanishAndTheirProfileSaysSo() {
        var pest = square.person("Pest");
        var id = pest.post("Spam");
        var page = at(square.person("Annoyed"), "/newest");
        assertThat(post(page, id)).isVisible();
        post(page, id).locator(".name").click();
        browser.discard();
        page.onDialog(dialog -> dialog.accept());
        page.locator(".profile summary").first().click();
        press(page, "Block");
        assertThat(page.getByText("You have blocked Pest")).isVisible();
        assertThat(page.getByText("Spam")).hasCount(0);
        assertThat(go(page, "/newest").locator("#post-" + id)).hasCount(0);

        go(page, "/users/" + pest.id());
        page.locator("main .empty button").click();
        assertThat(page.locator("#toasts")).containsText("Unblocked.");
        assertThat(post(page, id)).isVisible();
    }

    @Test
    void whoIsBlockedDoesNotReadTheIntroduction() {
        var shy = square.person("Shy");
        var introduced = shy.api()
                .put(
                        "/api/v1/users/" + shy.id(),
                        Json.text(Map.of("nickname", "Shy", "introduction", "I like quiet rooms.")));
        assertThat(introduced.outcome()).as(introduced.body()).isEqualTo("200");
        var loud = square.person("Loud");
        assertThat(html(loud, "/users/" + shy.id()).text()).contains("I like quiet rooms.");
        shy.block(loud);
        assertThat(html(loud, "/users/" + shy.id()).text())
                .contains("This profile is not available")
                .doesNotContain("I like quiet rooms.");
    }

    @Test
    void nobodyIsOfferedToBlockAnAdmin() {
        var page = html(square.person("Rebel"), "/users/" + square.admin.id());
        assertThat(page.select(".profile .follow")).hasSize(1);
        assertThat(page.select(".profile .options")).isEmpty();
    }

    @Test
    void aProfileHasItsTabs() {
        var someone = square.person("Someone");
        var other = square.person("Other");
        someone.follow(other);
        other.follow(someone);
        var root = someone.post("A root");
        var answer = someone.reply(root, "An answer");
        other.api().post("/api/v1/posts/" + root + "/like", "");
        var page = at(other, "/users/" + someone.id());
        assertThat(page.locator("h1")).hasText("Someone");
        assertThat(page.locator(".counts")).containsText("2 posts");
        assertThat(page.locator(".profile")).containsText("Follows you");
        assertThat(posts(page)).hasCount(1);
        tab(page, "Posts & replies");
        assertThat(post(page, answer)).containsText("Replying to Someone");
        tab(page, "Followers");
        assertThat(page.locator("#items li")).containsText("Other");
        tab(page, "Following");
        assertThat(page.locator("#items li")).containsText("Other");
        go(page, "/users/" + other.id() + "/likes");
        assertThat(post(page, root)).isVisible();
    }

    @Test
    void followingChangesTheShownNumbersAtOnce() {
        var star = square.person("Star");
        var fan = square.person("Fan");
        var page = at(fan, "/users/" + star.id() + "/followers");
        assertThat(page.locator(".counts")).containsText("0 followers");
        press(page, "Follow Star");
        assertThat(page.locator(".counts")).containsText("1 follower");
        go(page, "/users/" + fan.id() + "/following");
        assertThat(page.locator(".counts")).containsText("1 following");
        press(page, "Following Star");
        assertThat(page.locator(".counts")).containsText("0 following");
        assertThat(page.locator(".counts")).hasCount(1);
    }

    private static void tab(Page page, String name) {
        page.locator(".tabs")
                .getByText(name, new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(page.locator(".tabs [aria-current]")).hasText(name);
    }
}
