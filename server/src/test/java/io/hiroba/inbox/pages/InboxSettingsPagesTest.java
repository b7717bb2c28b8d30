package io.hiroba.inbox.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.Action;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** What people say about their inbox. */
class InboxSettingsPagesTest extends InboxDesk {

    @Test
    void whatIsNotWantedDoesNotComeAndIsWantedAgain() {
        var ann = square.person("Ann");
        ask(ann, "Before");
        var page = at(ann, "/inbox/settings");
        page.locator("#w-action").selectOption("review_requested");
        page.locator("#w-namespace").selectOption("garden");
        page.locator("#w-delivery").selectOption("off");
        press(page.locator(".preference-form"), "Save");
        assertThat(page.locator("#preferences li")).containsText("Review requested in garden");
        assertThat(page.locator("#preferences li")).containsText("Off");

        ask(ann, "Not wanted");
        give(ann, Action.REVIEW_REQUESTED, mergeRequest("kitchen", "Elsewhere", "https://gitlab.example/9"), null);
        go(page, "/inbox");
        assertThat(titles(page)).hasText(new String[] {"Elsewhere", "Before"});
        go(page, "/inbox/settings");
        press(page.locator("#preferences"), "Remove Review requested in garden");
        assertThat(page.locator("#preferences")).hasCount(0);
        ask(ann, "Wanted again");
        go(page, "/inbox");
        assertThat(titles(page)).hasText(new String[] {"Wanted again", "Elsewhere", "Before"});
    }

    @Test
    void whatIsSettledStaysForThoseWhoWantIt() {
        var ben = square.person("Ben");
        var page = at(ben, "/inbox/settings");
        assertThat(page.locator("[name=keep]")).not().isChecked();
        page.locator("[name=keep]").check();
        press(page.locator("form[action$='/moot']"), "Save");
        assertThat(page.locator("#toasts")).containsText("stay until you dismiss them");
        page.reload();
        assertThat(page.locator("[name=keep]")).isChecked();
    }

    @Test
    void aNameElsewhereIsLinkedOnceAndTakenBack() {
        var cem = square.person("Cem");
        var page = at(cem, "/inbox/settings");
        page.locator("#username").fill("@cem.yilmaz");
        press(page, "Link");
        assertThat(page.locator("#names")).containsText("@cem.yilmaz");

        browser.expecting(409, 422);
        var other = at(square.person("Rival"), "/inbox/settings");
        other.locator("#username").fill("Cem.Yilmaz");
        press(other, "Link");
        assertThat(other.locator(".alert.bad")).containsText("Another user has linked this account");
        other.locator("#username").fill("not a <b>name</b>");
        press(other, "Link");
        assertThat(other.locator("#username-error")).containsText("Must be a user name");
        assertThat(other.locator("#username")).hasValue("not a <b>name</b>");

        press(page.locator("#names"), "Remove @cem.yilmaz");
        assertThat(page.locator("#names")).hasCount(0);
    }

    @Test
    void keysAreListedAddedAndDeleted() {
        var dan = square.person("Dan");
        var page = at(dan, "/inbox/settings");
        page.locator("#key").fill(publicKey() + " dan@laptop");
        page.locator("#expiresAt").fill("2099-12-31");
        press(page, "Add key");
        assertThat(page.locator("#ssh-keys li")).containsText("dan@laptop");
        assertThat(page.locator("#ssh-keys li")).containsText("SHA256:");
        assertThat(page.locator("#ssh-keys li")).containsText("Expires 31 Dec 2099");

        browser.expecting(422);
        page.locator("#key").fill("-----BEGIN OPENSSH PRIVATE KEY-----");
        press(page, "Add key");
        assertThat(page.locator("#key-error")).containsText("private key");
        page.locator("#ssh-keys summary").click();
        press(page, "Delete key");
        assertThat(page.locator("#ssh-keys")).hasCount(0);
    }

    @Test
    void aPhoneShowsAllOfItAndOnlyOnesOwnCanBeTouched() {
        var eve = square.person("Eve");
        var page = square.visit(browser.openPhone(), eve, "/inbox/settings");
        assertThat(page.locator("#w-action")).isVisible();
        assertFits(page);
        assertThat(send(eve, "/inbox/settings/names/0123456789ABCDEF/remove")).isEqualTo(404);
        assertThat(send(eve, "/inbox/settings/keys/0123456789ABCDEF/delete")).isEqualTo(404);
        assertThat(square.anonymous()
                        .with("Accept", "text/html")
                        .get("/inbox/settings")
                        .status())
                .isEqualTo(303);
    }

    /** A key of 32 bytes that nobody has the other half of. */
    private static String publicKey() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            var kind = "ssh-ed25519".getBytes(StandardCharsets.US_ASCII);
            out.writeInt(kind.length);
            out.write(kind);
            out.writeInt(32);
            out.write(new byte[32]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return "ssh-ed25519 " + Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
