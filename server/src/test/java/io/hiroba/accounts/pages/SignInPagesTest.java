package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signing up, in and out. */
class SignInPagesTest extends PagesTest {

    @Test
    void aStrangerSignsUpWithTheMailedCode() {
        signUp(visitor(), "hanako@example.org", "花子");
    }

    @Test
    void signingUpWorksWithoutScripts() {
        signUp(new Visitor(browser.openWithoutScripts(), server), "noscript@example.org", "No Script");
    }

    private void signUp(Visitor visitor, String email, String nickname) {
        visitor.go("/").follow("Create an account").fill("E-mail", email).press("Send code");
        assertThat(visitor.heading("Check your mail")).isVisible();
        // As it is pasted from some mails.
        visitor.fill("Code from the mail", " " + server.codeFor(email).replaceFirst("(...)", "$1 ") + " ")
                .fill("Nickname", nickname)
                .fill("Password", PagesServer.PASSWORD)
                .press("Create account");

        assertThat(visitor.self()).hasText(nickname);
        assertThat(visitor.toast()).containsText("Welcome, " + nickname);
        assertThat(visitor.page()).hasURL(server.url("/"));
    }

    @Test
    void aWrongCodeIsSaidAndTheFormKeepsWhatWasTyped() {
        browser.expecting(422);
        var visitor = askedForACode("wrong@example.org");
        var code = server.codeFor("wrong@example.org");
        visitor.fill("Code from the mail", code.equals("000000") ? "000001" : "000000")
                .fill("Nickname", "Wrong")
                .fill("Password", PagesServer.PASSWORD)
                .press("Create account");

        assertThat(visitor.alert()).containsText("The code is wrong");
        assertThat(visitor.field("Nickname")).hasValue("Wrong");
        assertThat(visitor.field("Password")).hasValue("");
    }

    @Test
    void aShortPasswordIsSaidBesideItsField() {
        browser.expecting(422);
        var visitor = askedForACode("short@example.org")
                .fill("Code from the mail", "123456")
                .fill("Nickname", "Short")
                .fill("Password", "1234567")
                .press("Create account");

        assertThat(visitor.page().locator("#password-error")).hasText("Must have 8 to 200 characters.");
        assertThat(visitor.field("Password")).hasAttribute("aria-invalid", "true");
        assertThat(visitor.field("Password")).isFocused();
    }

    @Test
    void aTypedPasswordIsShownByKeyboardAndHiddenAgainBeforeItIsSent() {
        browser.expecting(401);
        var visitor =
                visitor().go("/login").fill("E-mail", "nobody@example.org").fill("Password", "wrong horse");
        var field = visitor.field("Password");
        var show = visitor.button("Show Password");
        assertThat(field).hasAttribute("type", "password");
        assertThat(show).hasAttribute("aria-pressed", "false");
        field.press("Tab");
        assertThat(show).isFocused();
        show.press("Space");
        assertThat(field).hasAttribute("type", "text");
        assertThat(field).hasValue("wrong horse");
        assertThat(show).hasAttribute("aria-pressed", "true");
        show.press("Space");
        assertThat(field).hasAttribute("type", "password");
        show.press("Space");
        visitor.page().evaluate("""
                () => document.addEventListener("submit", () => { window.sentAs = document.getElementById("password").type; })
                """);
        visitor.press("Log in");
        assertThat(visitor.alert()).isVisible();
        Assertions.assertThat(visitor.page().evaluate("() => window.sentAs")).isEqualTo("password");
        assertThat(visitor.button("Show Password")).hasAttribute("aria-pressed", "false");
        assertThat(visitor.field("Password")).hasAttribute("type", "password");
    }

    private Visitor askedForACode(String email) {
        var visitor = visitor().go("/signup").fill("E-mail", email).press("Send code");
        assertThat(visitor.heading("Check your mail")).isVisible();
        return visitor;
    }

    @Test
    void aLogInWithAnotherBrowserIsToldToTheOwnerByMailAndOneWithTheSameIsNot() {
        var email = server.user("Traveller");
        var home = visitor().logIn(email);
        assertThat(home.self()).hasText("Traveller");
        // The page is left first: it goes on to ask for its live updates, and would be refused without the session.
        home.page().navigate("about:blank");
        home.page().context().clearCookies(new BrowserContext.ClearCookiesOptions().setName("hiroba_session"));
        home.logIn(email);
        assertThat(home.self()).hasText("Traveller");
        Assertions.assertThat(server.mails(email)).isEmpty();

        var elsewhere = visitor().logIn(email);
        assertThat(elsewhere.self()).hasText("Traveller");
        Assertions.assertThat(
                        server.mail(email, "New log-in to your Hiroba account").text())
                .contains("Chrome on Linux", "127.0.0.1");
    }

    @Test
    void aWrongPasswordIsSaidClearly() {
        browser.expecting(401);
        var email = server.user("Wrong Password");
        var visitor = visitor().go("/login").fillInLogIn(email, "not the password");

        assertThat(visitor.alert()).containsText("password is wrong");
        assertThat(visitor.field("E-mail")).hasValue(email);
        assertThat(visitor.field("Password")).hasValue("");
    }

    @Test
    void anUnknownAddressIsAnsweredLikeAWrongPassword() {
        browser.expecting(401);
        var visitor = visitor().go("/login").fillInLogIn("nobody@example.org", "not the password");

        assertThat(visitor.alert()).containsText("The e-mail address or the password is wrong.");
    }

    @Test
    void loggingInAndOutTakesNoMouse() {
        var email = server.user("Keyboard");
        var visitor = visitor().go("/login");
        var keyboard = visitor.page().keyboard();
        assertThat(visitor.field("E-mail")).isFocused();
        keyboard.type(email);
        keyboard.press("Tab");
        keyboard.type(PagesServer.PASSWORD);
        keyboard.press("Tab");
        assertThat(visitor.button("Show Password")).isFocused();
        keyboard.press("Tab");
        assertThat(visitor.button("Log in")).isFocused();
        keyboard.press("Enter");
        assertThat(visitor.self()).hasText("Keyboard");
        assertThat(visitor.page().locator("main")).isFocused();

        visitor.go("/users");
        keyboard.press("Tab");
        assertThat(visitor.link("Skip to the content")).isFocused();
        keyboard.press("Enter");
        assertThat(visitor.page().locator("main")).isFocused();

        visitor.button("Log out").focus();
        keyboard.press("Enter");
        assertThat(visitor.toast()).containsText("You are logged out.");
        assertThat(visitor.go("/settings/profile").heading("Welcome back")).isVisible();
    }

    @Test
    void whoMustSignInFirstComesBackToWhereTheyWanted() {
        var visitor = visitor().go("/users?prefix=wan").fillInLogIn(server.user("Wanderer"), PagesServer.PASSWORD);

        assertThat(visitor.heading("People")).isVisible();
        assertThat(visitor.page()).hasURL(server.url("/users?prefix=wan"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "//evil.example",
                "/%5Cevil.example",
                "/%09/evil.example",
                "javascript:alert(1)"
            })
    void aLogInLinkLeadsToNoOtherSite(String next) {
        var visitor = visitor().go("/login?next=" + next).fillInLogIn(server.user("Astray"), PagesServer.PASSWORD);

        assertThat(visitor.self()).hasText("Astray");
        assertThat(visitor.page()).hasURL(server.url("/"));
    }

    @Test
    void aForgottenPasswordIsReplacedByACode() {
        var email = server.user("Forgetful");
        var visitor = visitor().go("/login").follow("Forgot your password?");
        visitor.fill("E-mail", email).press("Send code");
        assertThat(visitor.heading("Check your mail")).isVisible();
        visitor.fill("Code from the mail", server.codeFor(email))
                .fill("New password", "another horse")
                .press("Set password");
        assertThat(visitor.toast()).containsText("Password changed");

        visitor.fillInLogIn(email, "another horse");
        assertThat(visitor.self()).hasText("Forgetful");
    }
}
