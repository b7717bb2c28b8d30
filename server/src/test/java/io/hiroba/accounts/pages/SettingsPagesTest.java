package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings pages. */
class SettingsPagesTest extends PagesTest {

    @Test
    void aProfileIsChangedWithALivePreview() {
        var member = member("Hana").go("/settings/profile");
        member.fill("Nickname", "Hana K.");
        member.field("Introduction").pressSequentially("I grow **tea**.");
        assertThat(member.page().locator("#introduction-preview strong")).hasText("tea");
        member.field("Time zone").selectOption("Asia/Tokyo");
        member.press("Save");

        assertThat(member.toast()).containsText("Profile saved.");
        assertThat(member.field("Time zone")).hasValue("Asia/Tokyo");
        member.follow("View profile");
        assertThat(member.heading("Hana K.")).isVisible();
        assertThat(member.page().locator(".prose strong")).hasText("tea");
    }

    @Test
    void aPreviewTakesNoScripts() {
        var visitor = new Visitor(browser.openWithoutScripts(), server)
                .logIn(server.user("Plain"))
                .go("/settings/profile")
                .fill("Introduction", "*soon*")
                .press("Preview");

        assertThat(visitor.page().locator("#introduction-preview em")).hasText("soon");
        assertThat(visitor.field("Introduction")).hasValue("*soon*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "${7*7} {{7*7}} 'a'"})
    void hostileTextIsShownAsText(String hostile) {
        var member = member("Mallory").go("/settings/profile");
        member.page().onDialog(dialog -> {
            throw new AssertionError("a script of a user ran: " + dialog.message());
        });
        member.fill("Nickname", hostile).fill("Introduction", hostile).press("Save");
        assertThat(member.toast()).containsText("Profile saved.");
        assertThat(member.field("Nickname")).hasValue(hostile);

        member.go("/me");
        assertThat(member.heading(hostile)).isVisible();
        assertThat(member.page().locator("main script, main img")).hasCount(0);
        assertThat(member.go("/users")
                        .page()
                        .locator("main .person strong")
                        .getByText(hostile)
                        .first())
                .isVisible();
        assertThat(member.page().locator("main script, main img")).hasCount(0);
    }

    @Test
    void aNicknameOfBlanksIsRefusedBesideItsField() {
        browser.expecting(422);
        var member =
                member("Blank").go("/settings/profile").fill("Nickname", "   ").press("Save");

        assertThat(member.page().locator("#nickname-error")).containsText("Must be one line of 1 to 50 characters");
    }

    @Test
    void aFieldThatSomebodyMadeLargerBreaksNoRuleOfTheContentSecurityPolicy() {
        var member = member("Resizer").go("/settings/profile");
        // As dragging its corner does; the browser complains of nothing when the page is swapped for the next.
        member.page().locator("main textarea").first().evaluate("field => { field.style.height = '300px'; }");
        member.press("Save");
        assertThat(member.toast()).isVisible();
    }

    @Test
    void aTokenIsShownOnceAndOpensTheApiUntilItIsRevoked() {
        var member = member("Maker").go("/settings/tokens");
        assertThat(member.page().getByText("No tokens yet")).isVisible();
        member.fill("Token name", "Backup <b>").press("Create token");
        var token = member.page().locator("#token").inputValue();
        var program = server.anonymous().token(token);
        assertThat(program.get("/api/v1/me").text("nickname")).isEqualTo("Maker");

        member.go("/settings/tokens");
        assertThat(member.page().locator("#token")).hasCount(0);
        assertThat(member.page().getByText("Backup <b>").first()).isVisible();
        member.page().locator("summary[aria-label='Revoke Backup <b>']").click();
        assertThat(member.page().locator(".confirm")).containsText("Revoke Backup <b>?");
        assertThat(program.get("/api/v1/me").status()).as("it asks first").isEqualTo(200);
        member.press("Revoke token");
        assertThat(member.toast()).containsText("Token revoked.");
        assertThat(program.get("/api/v1/me").status()).isEqualTo(401);
    }

    @Test
    void aTokenTakesThePasswordAgainAfterAWhileAndGoesOnWithWhatWasAsked() {
        browser.expecting(403);
        var email = server.user("Later");
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Later");
        member.go("/settings/tokens").fill("Token name", "Backup");
        assertThat(member.field("Password")).hasCount(0);
        server.forgetConfirmations(email);
        member.press("Create token");
        assertThat(member.field("Password")).isVisible();
        assertThat(member.field("Token name")).hasValue("Backup");
        member.fill("Password", "a guess at it").press("Create token");
        assertThat(member.alert()).containsText("The current password is wrong.");
        member.fill("Password", PagesServer.PASSWORD).press("Create token");
        assertThat(member.page().locator("#token")).isVisible();
        assertThat(member.field("Password")).hasCount(0);

        member.go("/settings/email").fill("New e-mail", "later@example.org").press("Send code");
        assertThat(member.field("Code from the mail")).isVisible();
        server.forgetConfirmations(email);
        assertThat(member.go("/settings/email").field("Password")).isVisible();
    }

    @Test
    void anExportIsFollowedOnItsPageAndDownloadedInAConfirmedSession() {
        var email = server.user("Taker");
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Taker");
        server.exportElsewhere(email, 12_000);
        member.go("/settings/data");
        assertThat(member.heading("Being written")).isVisible();
        assertThat(member.page().locator("#exports li")).containsText("12,000");
        server.exportElsewhere(email, 12_345);
        // Without a reload.
        assertThat(member.page().locator("#exports li")).containsText("12,345");
        member.press("Cancel");
        assertThat(member.heading("Being written")).hasCount(0);

        member.press("Start export");
        assertThat(member.heading("Ready")).isVisible();
        var download =
                member.page().waitForDownload(() -> member.link("Download").click());
        assertThat(download.suggestedFilename()).matches("hiroba-[0-9A-F]{16}[.]zip");
        assertThat(server.mail(email, "Your Hiroba data is ready").text()).contains("/settings/data");
        server.forgetConfirmations(email);
        member.link("Download").click();
        assertThat(member.heading("Confirm that it is you")).isVisible();
        member.fill("Password", PagesServer.PASSWORD).press("Confirm");
        member.press("Delete");
        assertThat(member.toast()).containsText("The export is deleted.");
        assertThat(member.heading("Ready")).hasCount(0);
    }

    @Test
    void anAccountIsDeletedByWhoTypesItsNickname() {
        browser.expecting(422, 403);
        var email = server.user("Leaver");
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Leaver");
        server.forgetConfirmations(email);
        member.go("/settings/data").follow("Delete account…");
        member.fill("Type your nickname, Leaver", "leaver")
                .fill("Password", PagesServer.PASSWORD)
                .press("Delete my account for good");
        assertThat(member.page().locator("#nickname-error")).containsText("Is not your nickname");
        member.fill("Type your nickname, Leaver", "Leaver")
                .fill("Password", "a guess at it")
                .press("Delete my account for good");
        assertThat(member.alert()).containsText("The current password is wrong.");
        member.fill("Password", PagesServer.PASSWORD).press("Delete my account for good");
        assertThat(member.toast()).containsText("Your account is deleted.");
        assertThat(member.self()).hasCount(0);
    }

    @Test
    void anotherSessionIsEndedFromAfar() {
        var email = server.user("Two Places");
        var elsewhere = visitor().logIn(email);
        assertThat(elsewhere.self()).hasText("Two Places");
        var here = visitor().logIn(email);
        assertThat(here.self()).hasText("Two Places");
        here.go("/settings/sessions");
        assertThat(here.page().locator("main div.card .list > li")).hasCount(2);
        assertThat(here.page().getByText("Current")).hasCount(1);
        endButtons(here).click();

        assertThat(here.toast()).containsText("Session ended.");
        assertThat(here.page().locator("main div.card .list > li")).hasCount(1);
        // Those of sessions that have ended too.
        assertThat(here.page().locator("section:has(#log-ins) li")).hasCount(2);
        assertThat(elsewhere.go("/settings/sessions").heading("Welcome back")).isVisible();
    }

    private static Locator endButtons(Visitor visitor) {
        return visitor.page().locator("main .list button");
    }

    @Test
    void changingThePasswordTakesTheCurrentOne() {
        browser.expecting(403);
        var email = server.user("Changer");
        var program = server.program(email);
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Changer");
        member.go("/settings/password")
                .fill("Current password", "a guess")
                .fill("New password", "a new horse")
                .press("Change password");
        assertThat(member.alert()).containsText("The current password is wrong.");

        member.fill("Current password", PagesServer.PASSWORD)
                .fill("New password", "a new horse")
                .press("Change password");
        assertThat(member.toast()).containsText("your API tokens have ended");
        assertThat(program.get("/api/v1/me").status()).isEqualTo(401);
        var elsewhere = visitor().go("/login").fillInLogIn(email, "a new horse");
        assertThat(elsewhere.self()).hasText("Changer");
    }

    @Test
    void aNewPasswordIsRatedWhileItIsTypedAndRefusedBesideItsField() {
        browser.expecting(422);
        var member = member("Kawabata").go("/settings/password");
        var rating = member.page().locator("#password-rating");
        member.field("New password").pressSequentially("kawabata1");
        assertThat(rating).containsText("Must not consist of your name");
        member.field("New password").fill("correct horse battery");
        assertThat(rating).containsText("Strong");

        member.fill("Current password", PagesServer.PASSWORD)
                .fill("New password", "password")
                .press("Change password");
        assertThat(member.page().locator("#password-error")).containsText("Is too common");
    }

    @Test
    void anAddressIsChangedByACodeSentThere() {
        var member = member("Mover");
        member.go("/settings/email").fill("New e-mail", "moved@example.org").press("Send code");
        assertThat(member.field("Code from the mail")).isVisible();
        member.fill("Code from the mail", server.codeFor("moved@example.org")).press("Change address");

        assertThat(member.toast()).containsText("E-mail address changed.");
        assertThat(member.page().locator("main")).containsText("moved@example.org");
    }
}
