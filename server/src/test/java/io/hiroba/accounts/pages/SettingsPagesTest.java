package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
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
        browser.discard();
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
        member.fill("Token name", "Backup <b>");
        member.page().locator("input[value=all]").check();
        member.press("Create token");
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
    void aTokenOpensWhatWasChosenForAsLongAsWasChosen() {
        browser.expecting(422);
        var member = member("Chooser").go("/settings/tokens").fill("Token name", "Reader");
        assertThat(member.page().locator(".scope-groups")).isHidden();
        member.page().locator("input[value=chosen]").check();
        assertThat(member.page().locator(".scope-groups")).isVisible();
        assertThat(member.page().locator("input[value='admin:read']")).hasCount(0);
        member.press("Create token");
        assertThat(member.page().locator("#access-error")).containsText("at least one scope");
        member.page().locator("input[value='account:read']").check();
        member.page().selectOption("#days", "7");
        member.press("Create token");
        var program = server.anonymous().token(member.page().locator("#token").inputValue());
        assertThat(program.get("/api/v1/me").status()).isEqualTo(200);
        assertThat(program.get("/api/v1/posts").outcome()).isEqualTo("403 accounts.scope-required");
        assertThat(member.go("/settings/tokens").page().locator("main .list > li"))
                .containsText("account:read");
        assertThat(member.page().locator("#days")).hasValue("90");
    }

    @Test
    void anAppIsLetInByWhoLogsInAndDisconnected() throws IOException {
        browser.expecting(403);
        var email = server.user("Opener");
        var verifier = "v".repeat(43);
        var app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        app.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        app.start();
        try {
            var client = server.anonymous()
                    .post(
                            "/oauth/register",
                            "{'client_name':'Notes <b>','redirect_uris':['http://127.0.0.1/back'],'token_endpoint_auth_method':'none'}")
                    .text("client_id");
            var back = "http://127.0.0.1:" + app.getAddress().getPort() + "/back";
            var member = visitor()
                    .go("/oauth/authorize?response_type=code&client_id=" + client + "&redirect_uri=" + back
                            + "&scope=account:read+posts:read&code_challenge="
                            + Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(verifier))
                            + "&code_challenge_method=S256");
            member.fillInLogIn(email, PagesServer.PASSWORD);
            assertThat(member.heading("Let Notes <b> act as you?")).isVisible();
            assertThat(member.page().locator("main")).containsText("127.0.0.1");
            member.page().locator("input[value='posts:read']").uncheck();
            server.forgetConfirmations(email);
            member.press("Allow");
            member.fill("Password", PagesServer.PASSWORD);
            assertThat(member.page().locator("input[value='posts:read']")).not().isChecked();
            member.press("Allow");
            member.page().waitForURL(url -> url.startsWith(back + "?code=hrg_"));
            var code = member.page().url().replaceAll(".*[?]code=|&.*", "");
            var tokens = server.anonymous()
                    .sendAs(
                            "application/x-www-form-urlencoded",
                            "POST",
                            "/oauth/token",
                            "grant_type=authorization_code&client_id=%s&code=%s&code_verifier=%s"
                                    .formatted(client, code, verifier));
            var program = server.anonymous().token(tokens.text("access_token"));
            assertThat(program.get("/api/v1/me").text("nickname")).isEqualTo("Opener");

            member.go("/settings/apps");
            assertThat(member.page().locator("main .list > li")).containsText("account:read");
            member.page().locator("summary[aria-label='Disconnect Notes <b>']").click();
            member.press("Disconnect app");
            assertThat(member.toast()).containsText("App disconnected.");
            assertThat(program.get("/api/v1/me").status()).isEqualTo(401);
        } finally {
            app.stop(0);
        }
    }

    @Test
    void aTokenTakesThePasswordAgainAfterAWhileAndGoesOnWithWhatWasAsked() {
        browser.expecting(403);
        var email = server.user("Later");
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Later");
        member.go("/settings/tokens").fill("Token name", "Backup");
        member.page().locator("input[value=chosen]").check();
        member.page().locator("input[value='posts:read']").check();
        assertThat(member.field("Password")).hasCount(0);
        server.forgetConfirmations(email);
        member.press("Create token");
        assertThat(member.field("Password")).isVisible();
        assertThat(member.field("Token name")).hasValue("Backup");
        assertThat(member.page().locator("input[value='posts:read']")).isChecked();
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
        assertThat(member.page().locator("#nickname-error")).containsText("Is not the nickname of this account");
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
    void anAccountWithoutAPasswordSetsItsFirstAfterASignIn() {
        var email = server.user("Passwordless");
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Passwordless");
        server.forgetPassword(email);
        server.forgetConfirmations(email);
        member.go("/settings/password");
        assertThat(member.page().locator("main")).containsText("sign in again as you did before");
        assertThat(member.page().locator("main input[type=password]")).hasCount(0);
        member.go("/settings/confirm");
        assertThat(member.page().locator("main input[type=password]")).hasCount(0);
        server.confirm(email);
        member.go("/settings/password");
        assertThat(member.field("Current password")).hasCount(0);
        member.fill("New password", "a first horse").press("Set password");
        assertThat(member.toast()).containsText("Password changed.");
        assertThat(member.field("Current password")).isVisible();
        assertThat(visitor().go("/login").fillInLogIn(email, "a first horse").self())
                .hasText("Passwordless");
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
