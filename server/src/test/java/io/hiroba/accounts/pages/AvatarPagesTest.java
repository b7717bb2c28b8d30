package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import io.hiroba.social.media.picture.TestPictures;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A face for those who want one. */
class AvatarPagesTest extends PagesTest {

    private static final FilePayload PICTURE = new FilePayload("me.jpg", "image/jpeg", TestPictures.jpeg(300, 200));

    @Test
    void aPictureIsUploadedShownEverywhereAndRemoved() {
        var member = member("Hana").go("/settings/profile");
        assertThat(pictures(member)).hasCount(0);
        member.field("New picture").setInputFiles(PICTURE);
        member.press("Use this picture");
        assertThat(member.toast()).containsText("Picture saved.");
        assertLoaded(pictures(member).first());

        member.go("/me");
        assertLoaded(pictures(member).last());
        var other = member("Ren").go("/users");
        assertLoaded(pictures(other).first());

        member.go("/settings/profile").press("Remove the picture");
        assertThat(member.toast()).containsText("Picture removed.");
        assertThat(pictures(member)).hasCount(0);
    }

    /** There are two in the frame of each page, one of them for phones. */
    private static Locator pictures(Visitor visitor) {
        return visitor.page().locator("img.avatar:visible");
    }

    private static void assertLoaded(Locator picture) {
        assertThat(picture).isVisible();
        assertThat(picture.getAttribute("src")).matches("/media/[0-9A-F]{16}/[0-9A-F]{16}\\.128\\.(jpg|png)");
        assertThat(picture.evaluate("image => image.decode().then(() => image.naturalWidth)"))
                .isEqualTo(128);
    }

    @Test
    void aPictureTakesNoScripts() {
        var visitor = new Visitor(browser.openWithoutScripts(), server)
                .logIn(server.user("Plain"))
                .go("/settings/profile");
        visitor.field("New picture").setInputFiles(PICTURE);
        visitor.press("Use this picture");
        assertThat(visitor.toast()).containsText("Picture saved.");
        assertThat(pictures(visitor).first()).isVisible();
        visitor.press("Remove the picture");
        assertThat(visitor.toast()).containsText("Picture removed.");
    }

    @Test
    void whatIsNoPictureIsRefusedWithTheFormBeforeOnesEyes() {
        browser.expecting(422);
        var member = member("Mallory").go("/settings/profile");
        member.field("New picture")
                .setInputFiles(new FilePayload(
                        "me.png", "image/png", "<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8)));
        member.press("Use this picture");
        assertThat(member.alert()).containsText("not a valid JPEG, PNG or WebP");
        member.field("New picture").setInputFiles(PICTURE);
        member.press("Use this picture");
        assertThat(member.toast()).containsText("Picture saved.");
    }

    @Test
    void aProfileIsSavedWithoutLosingItsPicture() {
        var member = member("Keeper").go("/settings/profile");
        member.field("New picture").setInputFiles(PICTURE);
        member.press("Use this picture");
        assertThat(member.toast()).containsText("Picture saved.");
        member.fill("Introduction", "Here I am.").press("Save");
        assertThat(member.toast()).containsText("Profile saved.");
        assertLoaded(pictures(member).first());
    }
}
