package io.hiroba.social.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.FormData;
import com.microsoft.playwright.options.RequestOptions;
import io.hiroba.testkit.Square.Person;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Writing, with everything that helps or fails on the way. */
class ComposerTest extends SocialPagesTest {

    @Test
    void aNewPostIsOnTop() {
        var hana = square.person("Hana");
        hana.post("An old one");
        var page = at(hana, "/");
        text(page).fill("A **new** one");
        assertThat(page.locator("#content-preview strong")).hasText("new");
        assertThat(page.locator("[data-count]")).hasText("13 / 10,000");
        page.getByText("Tags, language and permissions").click();
        page.getByLabel("Tags").fill("#Java, 料理");
        press(page, "Post");

        assertThat(page.locator("#toasts")).containsText("Posted.");
        assertThat(posts(page).first().locator(".prose strong")).hasText("new");
        assertThat(posts(page).first().locator(".tags a").first()).hasText("#java");
        assertThat(text(page)).hasValue("");
        posts(page).first().locator(".tags a").last().click();
        assertThat(page.locator("h1")).hasText("#料理");
        assertThat(posts(page)).hasCount(1);
    }

    @Test
    void aRefusedPostKeepsWhatWasTypedAndSaysWhatIsWrong() {
        browser.expecting(422);
        var page = at(square.person("Blank"), "/");
        text(page).fill("   ");
        press(page, "Post");
        assertThat(page.locator("#content-error")).hasText("Must not be empty.");

        text(page).fill("Kept");
        page.getByLabel("Tags").fill("a b c d e f");
        press(page, "Post");
        assertThat(page.locator("#tags-error")).hasText("Must be at most 5.");
        assertThat(text(page)).hasValue("Kept");
        assertThat(page.getByLabel("Tags")).hasValue("a b c d e f");
    }

    @Test
    void theLanguageOfAPostIsGuessedUnlessItIsChosen() {
        var page = at(writer("Bilingual"), "/");
        text(page).fill("漢字");
        page.getByText("Tags, language and permissions").click();
        page.getByLabel("Language").selectOption("ja");
        press(page, "Post");
        assertThat(posts(page).first().locator(".prose")).hasAttribute("lang", "ja");
        assertThat(page.getByLabel("Language")).hasValue("");

        text(page).fill("Plain words");
        press(page, "Post");
        assertThat(posts(page).first().locator(".prose")).hasText("Plain words");
        assertThat(posts(page).first().locator(".prose")).hasAttribute("lang", "en");

        posts(page).first().locator("summary").click();
        posts(page).first().locator(".choices a").click();
        assertThat(page.getByLabel("Language")).hasValue("en");
    }

    @Test
    void aDraftSurvivesLeavingThePageUntilItIsPosted() {
        var page = at(writer("Drafter"), "/");
        text(page).fill("Not *yet*");
        go(page, "/newest");
        go(page, "/");
        assertThat(text(page)).hasValue("Not *yet*");
        assertThat(page.locator("#content-preview em")).hasText("yet");
        press(page, "Post");
        assertThat(posts(page)).hasCount(1);
        go(page, "/");
        assertThat(text(page)).hasValue("");
    }

    @Test
    void aDraftIsItsWritersAloneAndGoneWhenTheyLogOut() {
        var first = writer("First");
        var page = at(first, "/");
        text(page).fill("Between us");
        assertThat(text(at(page, writer("Second"), "/"))).hasValue("");
        assertThat(text(at(page, first, "/"))).hasValue("Between us");
        press(page, "Log out");
        assertThat(page.locator(".public-header")).isVisible();
        assertThat(text(at(page, first, "/"))).hasValue("");
    }

    @Test
    void whoActsAsAnotherLeavesTheirOwnDraftBehind() {
        var page = at(square.admin, "/");
        text(page).fill("The draft of an admin");
        assertThat(page.locator("[data-count]")).hasText("21 / 65,535");
        go(page, "/users/" + square.person("Acted").id());
        page.locator(".profile summary").first().click();
        press(page, "Act as them");
        assertThat(page.locator(".banner")).containsText("Acted");
        assertThat(text(go(page, "/"))).hasValue("");
        assertThat(page.locator("[data-count]")).hasText("0 / 10,000");
        press(page, "Back to yourself");
        assertThat(page.locator(".banner")).hasCount(0);
        assertThat(text(go(page, "/"))).hasValue("The draft of an admin");
    }

    @Test
    void aFormThatIsSentTwiceIsOnePost() {
        var page = at(writer("Twice"), "/");
        var key = page.locator(".composer [name=key]").inputValue();
        send(page, key, "Only once");
        send(page, key, "Only once");
        assertThat(posts(go(page, "/"))).hasCount(1);
        send(page, key, "Another");
        assertThat(posts(go(page, "/"))).hasCount(2);
    }

    private void send(Page page, String key, String content) {
        var form = FormData.create().set("key", key).set("content", content).set("allowLikes", "true");
        var answer = page.request()
                .post(square.server.url() + "/posts", RequestOptions.create().setForm(form));
        assertThat(answer.status()).isEqualTo(200);
    }

    /** Somebody whose home shows their own posts alone, since the one they follow is silent. */
    private Person writer(String nickname) {
        var writer = square.person(nickname);
        writer.follow(square.person("Silent"));
        return writer;
    }

    @Test
    void anEditIsShownAsOne() {
        var editor = square.person("Editor");
        var id = editor.post("Frist");
        var page = at(editor, "/posts/" + id);
        assertThat(post(page, id).locator(".edited")).hasCount(0);
        post(page, id).locator("summary").click();
        page.getByText("Edit", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(text(page)).hasValue("Frist");
        text(page).fill("First");
        press(page, "Save");

        assertThat(post(page, id).locator(".prose")).hasText("First");
        assertThat(post(page, id).locator(".edited")).hasText("edited");
    }

    @Test
    void anEditOfAnOlderTextIsRefusedWithBothTexts() {
        browser.expecting(412);
        var editor = square.person("Two tabs");
        var id = editor.post("First");
        var page = at(editor, "/posts/" + id + "/edit");
        text(page).fill("From the old form");
        editor.api()
                .put(
                        "/api/v1/posts/" + id,
                        "{'content':'Newer text','tags':['newer'],'allowLikes':true,'allowReplies':true}");
        press(page, "Save");
        assertThat(page.locator(".alert")).containsText("edited elsewhere");
        assertThat(text(page)).hasValue("From the old form");
        assertThat(page.locator(".newer pre")).hasText("Newer text");
        assertThat(page.locator(".newer")).containsText("Tags: newer");
        assertThat(editor.api().get("/api/v1/posts/" + id).text("content")).isEqualTo("Newer text");

        press(page, "Save");
        assertThat(post(page, id).locator(".prose")).hasText("From the old form");
    }

    @Test
    void aDeletedPostIsGone() {
        var page = deleting(square.person("Deleter"), "Mistake", true);
        assertThat(page.locator("#toasts")).containsText("Post deleted.");
        assertThat(page.getByText("Mistake")).hasCount(0);
    }

    @Test
    void aDeletionThatIsNotConfirmedDoesNothing() {
        var page = deleting(square.person("Ditherer"), "Kept after all", false);
        page.reload();
        assertThat(page.getByText("Kept after all")).isVisible();
    }

    private Page deleting(Person person, String content, boolean sure) {
        var id = person.post(content);
        var page = at(person, "/");
        browser.discard();
        page.onDialog(dialog -> {
            if (sure) {
                dialog.accept();
            } else {
                dialog.dismiss();
            }
        });
        post(page, id).locator("summary").click();
        press(post(page, id), "Delete");
        return page;
    }

    @Test
    void nobodyChangesWhatIsAnothers() {
        browser.expecting(403);
        var owner = square.person("Owner");
        var id = owner.post("Mine");
        var page = at(square.person("Stranger"), "/posts/" + id);
        assertThat(post(page, id)).isVisible();
        assertThat(post(page, id).locator("summary")).hasCount(0);
        assertThat(go(page, "/posts/" + id + "/edit").locator("h1")).hasText("Not allowed");
    }

    @Test
    void anImageIsUploadedIntoTheText() throws IOException {
        var page = at(writer("Painter"), "/");
        var picture = new FilePayload("picture.png", "image/png", png());
        page.locator("[data-upload] input").setInputFiles(picture);
        assertThat(text(page)).hasValue(Pattern.compile("!\\[]\\(/media/.+\\)\\n"));
        assertThat(page.locator("#toasts")).containsText("Describe it");
        page.keyboard().type("A black square");
        press(page, "Post");
        var shown = posts(page).first().locator(".prose img");
        assertThat(shown).isVisible();
        assertThat(shown).hasAttribute("alt", "A black square");
        Awaitility.await().until(() -> (Integer) shown.evaluate("image => image.naturalWidth") == 40);
    }

    @Test
    void aPostWaitsForItsImage() throws IOException {
        var page = at(writer("Hasty"), "/");
        var held = new CompletableFuture<Route>();
        page.route("**/api/v1/images", held::complete);
        text(page).fill("With a picture");
        page.locator("[data-upload] input").setInputFiles(new FilePayload("picture.png", "image/png", png()));
        assertThat(page.locator("[data-upload]")).containsText("Uploading");
        press(page, "Post");
        assertThat(page.locator("#toasts")).containsText("still being uploaded");
        assertThat(posts(page)).hasCount(0);

        held.join().resume();
        assertThat(posts(page).first().locator(".prose img")).isVisible();
        assertThat(text(page)).hasValue("");
    }

    private static byte[] png() throws IOException {
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", bytes);
        return bytes.toByteArray();
    }

    @Test
    void namesAreCompletedWhileTheyAreTyped() {
        var tamara = square.person("Tamara");
        square.person("Tam Lin");
        var writer = square.person("Writer");
        writer.follow(tamara);
        var page = at(writer, "/");
        var names = page.locator(".suggestions li");
        text(page).pressSequentially("Hello @ta");
        assertThat(names).hasCount(2);
        assertThat(names.first()).containsText("Tamara");
        assertThat(text(page)).hasAttribute("aria-activedescendant", "content-suggestions-0");
        page.keyboard().press("Enter");
        assertThat(text(page)).hasValue("Hello @Tamara ");
        text(page).pressSequentially("and @tam");
        assertThat(names).hasCount(2);
        page.keyboard().press("ArrowDown");
        page.keyboard().press("Enter");
        Awaitility.await()
                .untilAsserted(() -> assertThat(text(page).inputValue()).matches("Hello @Tamara and @[0-9A-F]{16} "));
        text(page).pressSequentially("@ta");
        assertThat(names).hasCount(2);
        page.keyboard().press("Escape");
        assertThat(names).hasCount(0);
        page.keyboard().press("Control+Enter");
        assertThat(posts(page).first().locator(".prose a")).hasCount(2);
    }

    @Test
    void namesOfAnyScriptAreCompletedWithinWordsWithoutSpaces() {
        square.person("カナ子");
        square.person("Zoë🎈");
        square.person("山田 花子");
        var page = at(writer("Translator"), "/");
        var names = page.locator(".suggestions li");
        text(page).pressSequentially("昨日@かな");
        assertThat(names).hasText("カナ子");
        page.keyboard().press("Enter");
        assertThat(text(page)).hasValue("昨日@カナ子 ");
        text(page).pressSequentially("@zoe");
        assertThat(names).hasText("Zoë🎈");
        page.keyboard().press("Enter");
        text(page).pressSequentially("@山");
        assertThat(names).hasText("山田 花子");
        page.keyboard().press("Enter");
        page.keyboard().press("Control+Enter");
        assertThat(posts(page).first().locator(".prose a")).hasText(new String[] {"@カナ子", "@Zoë🎈", "@山田 花子"});
    }
}
