package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import io.hiroba.testkit.AuthenticatorApp;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Log-ins in two steps, and with passkeys of Chromium's virtual authenticator. */
class SecondFactorPagesTest extends PagesTest {

    @Test
    void anAuthenticatorAppIsAddedAndAskedForAtTheNextLogIn() {
        browser.expecting(401, 422);
        var email = server.user("Two Steps");
        var visitor = visitor().logIn(email);
        assertThat(visitor.self()).hasText("Two Steps");
        visitor.go("/settings/security").press("Add authenticator app");
        var image = visitor.page().getByLabel("QR code for the authenticator app");
        assertThat(image).isVisible();
        var app = new AuthenticatorApp(visitor.page().locator("#main p code").textContent());
        visitor.fill("Code from the app", "12345").press("Turn on");
        assertThat(visitor.page().locator("#code-error")).containsText("Is not the code that the app shows");
        visitor.fill("Code from the app", app.code(Instant.now())).press("Turn on");
        assertThat(visitor.heading("Your recovery codes")).isFocused();
        var codes = visitor.page().locator("#recovery-codes");
        assertThat(codes).hasValue(Pattern.compile("(\\S+\n){9}\\S+"));
        var recoveryCode = codes.inputValue().lines().findFirst().orElseThrow();
        assertThat(visitor.page()).hasURL(server.url("/settings/security"));

        visitor.press("Log out");
        assertThat(visitor.toast()).containsText("You are logged out.");
        visitor.go("/users?prefix=two").fillInLogIn(email, PagesServer.PASSWORD);
        assertThat(visitor.heading("Second step")).isVisible();
        assertThat(visitor.page().locator("[data-stream]")).hasCount(0);
        visitor.fill("Code", "12345").press("Log in");
        assertThat(visitor.alert()).containsText("The code is wrong or was already used.");
        // The step of the code that turned it on is used up; that of the next is accepted early.
        visitor.fill("Code", app.code(Instant.now().plusSeconds(30))).press("Log in");
        assertThat(visitor.self()).hasText("Two Steps");
        assertThat(visitor.page()).hasURL(server.url("/users?prefix=two"));

        var elsewhere = new Visitor(browser.openWithoutScripts(), server).logIn(email);
        elsewhere.fill("Code", recoveryCode).press("Log in");
        assertThat(elsewhere.self()).hasText("Two Steps");
        server.mail(email, "A recovery code of your Hiroba account was used");
    }

    @Test
    void aPasskeyIsAddedLogsInAloneIsASecondFactorAndConfirms() {
        browser.expecting(401);
        var email = server.user("Keyholder");
        var visitor = visitor();
        var authenticator = authenticator(visitor);
        local(visitor, "/login").fillInLogIn(email, PagesServer.PASSWORD);
        assertThat(visitor.self()).hasText("Keyholder");
        local(visitor, "/settings/security").fill("Passkey name", "Laptop").press("Add passkey");
        assertThat(visitor.heading("Your recovery codes")).isFocused();
        assertThat(visitor.page().locator(".list")).containsText("Laptop");
        logOut(visitor);

        local(visitor, "/login?next=/settings/security").press("Log in with a passkey");
        assertThat(visitor.heading("Security")).isVisible();
        server.forgetConfirmations(email);
        local(visitor, "/settings/security").follow("Confirm").press("Confirm with a passkey");
        assertThat(visitor.field("Passkey name")).isVisible();
        logOut(visitor);

        local(visitor, "/login").fillInLogIn(email, PagesServer.PASSWORD);
        assertThat(visitor.heading("Second step")).isVisible();
        visitor.press("Use a passkey");
        assertThat(visitor.self()).hasText("Keyholder");
        logOut(visitor);

        server.raiseSignCounts(email);
        local(visitor, "/login").press("Log in with a passkey");
        assertThat(visitor.alert()).containsText("its counter went backwards");
        refusing(authenticator);
        visitor.press("Log in with a passkey");
        assertThat(visitor.toast()).containsText("No passkey was used.");
        assertThat(visitor.button("Log in with a passkey")).isEnabled();
    }

    private static void logOut(Visitor visitor) {
        visitor.press("Log out");
        assertThat(visitor.toast()).containsText("You are logged out.");
    }

    /** Passkeys are of a name, and an address of numbers is none. */
    private Visitor local(Visitor visitor, String path) {
        visitor.page().navigate(server.url(path).replace("127.0.0.1", "localhost"));
        return visitor;
    }

    /** An authenticator of a page, with the session that commands it. */
    private record Authenticator(CDPSession session, String id) {}

    private Authenticator authenticator(Visitor visitor) {
        browser.discard();
        var session = visitor.page().context().newCDPSession(visitor.page());
        session.send("WebAuthn.enable");
        var options = new JsonObject();
        options.addProperty("protocol", "ctap2");
        options.addProperty("transport", "internal");
        options.addProperty("hasResidentKey", true);
        options.addProperty("hasUserVerification", true);
        options.addProperty("isUserVerified", true);
        options.addProperty("automaticPresenceSimulation", true);
        var request = new JsonObject();
        request.add("options", options);
        var added = session.send("WebAuthn.addVirtualAuthenticator", request);
        return new Authenticator(session, added.get("authenticatorId").getAsString());
    }

    /** Lets the person be another: their finger is not known. */
    private static void refusing(Authenticator authenticator) {
        var request = new JsonObject();
        request.addProperty("authenticatorId", authenticator.id());
        request.addProperty("isUserVerified", false);
        authenticator.session().send("WebAuthn.setUserVerified", request);
    }
}
