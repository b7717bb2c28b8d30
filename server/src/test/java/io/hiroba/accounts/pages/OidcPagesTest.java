package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.hiroba.accounts.pages.OidcVisitor.assertRefused;
import static io.hiroba.accounts.pages.OidcVisitor.page;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Browser;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;

/** Sign-in with a real OpenID Connect provider, where sign-up is for addresses of example.org. */
@Tag("browser")
class OidcPagesTest {

    private static final String PASSWORD = "correct horse";
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final IdentityProvider provider = new IdentityProvider();
    private static final TestServer server = TestServer.start(
            "--http.rate-limit.enabled=false",
            "--accounts.limits.log-ins-per-minute=10000",
            "--mail.limits.per-domain=10000",
            "--accounts.sign-up.mode=domain",
            "--accounts.sign-up.domains=example.org",
            "--accounts.oidc.keycloak.name=Keycloak",
            "--accounts.oidc.keycloak.issuer=" + provider.issuer(),
            "--accounts.oidc.keycloak.client-id=" + IdentityProvider.CLIENT,
            "--accounts.oidc.keycloak.client-secret=" + IdentityProvider.SECRET,
            "--accounts.oidc.keycloak.groups-claim=realm_access.roles",
            "--accounts.oidc.keycloak.admin-groups=admins",
            "--accounts.oidc.hasty.issuer=" + provider.issuer(),
            "--accounts.oidc.hasty.client-id=" + IdentityProvider.HASTY_CLIENT,
            "--accounts.oidc.hasty.client-secret=" + IdentityProvider.SECRET,
            "--accounts.oidc.down.issuer=http://localhost:1",
            "--accounts.oidc.down.client-id=x");
    private static final ApiClient anonymous =
            ApiClient.anonymous(URI.create(server.url()).getPort());
    private static final ApiClient admin = admin();

    static {
        provider.admit(server.url());
    }

    @RegisterExtension
    final Browser browser = new Browser();

    private static ApiClient admin() {
        var token = anonymous.post(
                "/api/v1/tokens",
                "{'email':'%s','password':'%s','name':'tests'}"
                        .formatted(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD));
        return anonymous.token(token.text("token"));
    }

    @AfterAll
    static void close() {
        server.close();
        provider.close();
    }

    @AfterEach
    void stopForging() {
        provider.forge(null);
    }

    private static OidcVisitor visitor() {
        return new OidcVisitor(server.url());
    }

    /** Somebody at the provider with a verified address; answers the name there. */
    private static String person(String domain, String... roles) {
        var name = "person" + COUNT.incrementAndGet();
        describe(name, name + "@" + domain, true, roles);
        return name;
    }

    private static void describe(String name, String email, boolean verified, String... roles) {
        provider.person(
                name,
                Map.of(
                        "email",
                        email,
                        "email_verified",
                        verified,
                        "preferred_username",
                        "Nick of " + name,
                        "realm_access",
                        Map.of("roles", List.of(roles))));
    }

    private static String account(String email) {
        var made = admin.post(
                "/api/v1/users", "{'email':'%s','nickname':'Here','password':'%s'}".formatted(email, PASSWORD));
        assertThat(made.outcome()).isEqualTo("201");
        return made.text("id");
    }

    private static OidcVisitor signedUp(String name) {
        var visitor = visitor();
        assertThat(visitor.target(visitor.signIn(name))).isEqualTo("/signup/identity");
        assertThat(visitor.target(visitor.post("/signup/identity", Map.of("nickname", name))))
                .isEqualTo("/users");
        return visitor;
    }

    @Test
    void theWholeWayInABrowser() {
        var name = person("example.org");
        var page = browser.open();
        page.navigate(server.url() + "/login");
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Continue with Keycloak"))
                .click();
        page.getByLabel("Username").fill(name);
        page.getByLabel("Password").fill(IdentityProvider.PASSWORD);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
        assertThat(page.getByLabel("Nickname")).hasValue("Nick of " + name);
        page.getByLabel("Nickname").fill("Annie");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Create account"))
                .click();
        assertThat(page.locator(".toast")).containsText("Welcome, Annie.");

        page.navigate(server.url() + "/settings/sign-in");
        assertThat(page.locator("main")).containsText("Your account has no password.");
        assertThat(page.locator("main li")).containsText(name + "@example.org");
    }

    @Test
    void anIdentityThatIsKnownSignsInAndIsTheOnlyWayIntoAnAccountWithoutAPassword() {
        var name = person("example.org");
        var first = signedUp(name);
        var again = visitor();
        assertThat(again.target(again.signIn(name))).isEqualTo("/users");
        assertThat(again.get("/api/v1/me").body()).contains(name + "@example.org");
        assertThat(page(again.get("/settings/sessions")).select("#log-ins")).hasSize(1);
        assertThat(page(again.get("/settings/tokens")).select("input[name=password]"))
                .isEmpty();

        var unlink = page(first.get("/settings/sign-in"))
                .select("form[action$=/unlink]")
                .attr("action");
        var refused = first.post(unlink, Map.of());
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(page(refused).select("[role=alert]").text()).contains("Set a password first");
        for (var guess : List.of("", "correct horse")) {
            assertThat(anonymous
                            .post(
                                    "/api/v1/session",
                                    "{'email':'%s@example.org','password':'%s'}".formatted(name, guess))
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void anAccountWithTheAddressIsLinkedOnlyByWhoIsSignedInToItAndSaysSo() {
        var name = person("elsewhere.example");
        var email = name + "@elsewhere.example";
        account(email);
        var visitor = visitor();
        assertThat(visitor.target(visitor.signIn(name))).isEqualTo("/login/link-identity");
        assertThat(visitor.post("/login/link-identity", Map.of()).statusCode()).isEqualTo(401);
        assertThat(visitor.isSignedIn()).isFalse();
        var logIn = visitor.target(visitor.get("/login/link-identity"));
        assertThat(page(visitor.get(logIn)).select("main .alert").text()).contains("Log in to it first");
        assertThat(visitor.post("/login", Map.of("email", email, "password", "wrong", "next", "/login/link-identity"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(visitor.target(visitor.post(
                        "/login", Map.of("email", email, "password", PASSWORD, "next", "/login/link-identity"))))
                .isEqualTo("/login/link-identity");
        assertThat(page(visitor.get("/login/link-identity")).select("main").text())
                .contains("Sign in with Keycloak from now on?", email);
        var other = visitor();
        assertThat(other.target(other.signIn(name))).as("not before consent").isEqualTo("/login/link-identity");

        assertThat(visitor.target(visitor.post("/login/link-identity", Map.of())))
                .isEqualTo("/users");
        var third = visitor();
        assertThat(third.target(third.signIn(name))).isEqualTo("/users");
        assertThat(third.isSignedIn()).isTrue();
        assertThat(page(third.get("/settings/tokens")).select("input[name=password]"))
                .as("the password confirms, where there is one")
                .hasSize(1);
        assertThat(admin.get("/api/v1/audit?limit=5").body()).contains("identity-linked");

        var unlink = page(third.get("/settings/sign-in"))
                .select("form[action$=/unlink]")
                .attr("action");
        assertThat(third.target(third.post(unlink, Map.of()))).isEqualTo("/settings/sign-in");
        var fourth = visitor();
        assertThat(fourth.target(fourth.signIn(name))).isEqualTo("/login/link-identity");
    }

    @Test
    void anAnswerIsGoodOnceAndInTheBrowserThatBegan() {
        var name = person("example.org");
        signedUp(name);
        var visitor = visitor();
        var callback = visitor.callback("/login/oidc/keycloak", name);
        assertRefused(visitor().get(callback), 403, "began in another browser");
        assertThat(visitor.target(visitor.get(callback))).isEqualTo("/");
        assertRefused(new OidcVisitor(server.url()).get(callback), 403, "used already");
        var replayed = visitor();
        replayed.callback("/login/oidc/keycloak", name);
        assertRefused(replayed.get(callback), 403, "used already");
        assertThat(replayed.isSignedIn()).isFalse();
        var foreign = visitor();
        var own = foreign.callback("/login/oidc/keycloak", name);
        assertRefused(foreign.get(own.replace("/keycloak/", "/hasty/")), 403, "began in another browser");
    }

    /** The ways in which an ID token can be another than the one that was asked for. */
    private enum Forgery {
        NONCE(claims -> claims.claim("nonce", "another")),
        NO_NONCE(claims -> claims.claims(all -> all.remove("nonce"))),
        ISSUER(claims -> claims.issuer("https://evil.example")),
        AUDIENCE(claims -> claims.audience(List.of("another"))),
        EXPIRED(claims -> claims.issuedAt(Instant.now().minusSeconds(7200))
                .expiresAt(Instant.now().minusSeconds(3600)));

        private final Consumer<JwtClaimsSet.Builder> change;

        Forgery(Consumer<JwtClaimsSet.Builder> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource(Forgery.class)
    void anIdTokenThatIsNotTheOneAskedForSignsNobodyIn(Forgery forgery) {
        var name = person("example.org");
        signedUp(name);
        provider.forge(forgery.change);
        var visitor = visitor();
        assertRefused(visitor.signIn(name), 403, "Signing in with Keycloak did not work.");
        assertThat(visitor.isSignedIn()).isFalse();
    }

    @Test
    void aForeignIssuerInTheAnswerAnExpiredCodeAndADenialAreRefused() {
        var name = person("example.org");
        var visitor = visitor();
        var callback = visitor.callback("/login/oidc/keycloak", name);
        assertRefused(visitor.get(callback + "&iss=https://evil.example"), 403, "did not work");
        var late = visitor.callback("/login/oidc/hasty", name);
        var expired = Instant.now().plusMillis(1100);
        Awaitility.await().until(() -> Instant.now().isAfter(expired));
        assertRefused(visitor.get(late), 403, "did not work");
        var denied = visitor.callback("/login/oidc/keycloak", name).replaceFirst("code=[^&]*", "error=access_denied");
        assertRefused(visitor.get(denied), 403, "did not work");
        for (var broken : List.of("code=", "error=%0A%22")) {
            var callbackOf = visitor.callback("/login/oidc/keycloak", name).replaceFirst("code=[^&]*", broken);
            assertRefused(visitor.get(callbackOf), 403, "did not work");
        }
        assertThat(visitor.get("/login/oidc/nobody").statusCode()).isEqualTo(404);
    }

    @Test
    void anAddressThatIsNotVerifiedOpensNoAccountAndCreatesNone() {
        var name = person("example.org");
        describe(name, name + "@example.org", false);
        assertRefused(visitor().signIn(name), 403, "has not verified your e-mail address");
        account(name + "@example.org");
        assertRefused(visitor().signIn(name), 403, "has not verified your e-mail address");

        var owner = visitor();
        owner.post("/login", Map.of("email", name + "@example.org", "password", PASSWORD));
        assertThat(owner.target(owner.signIn(name)))
                .as("signed in, it can be linked")
                .isEqualTo("/login/link-identity");
        assertThat(owner.target(owner.post("/login/link-identity", Map.of()))).isEqualTo("/users");
    }

    @Test
    void whoMayNotSignUpNeedsAnInvitation() {
        var name = person("elsewhere.example");
        var refused = visitor().signIn(name);
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(page(refused).select("[role=alert]").text()).contains("example.org");

        var invitation = admin.post("/api/v1/invitations", "{}").text("invitation");
        var guest = visitor();
        assertThat(guest.target(guest.get(guest.callback("/login/oidc/keycloak?invitation=" + invitation, name))))
                .isEqualTo("/signup/identity");
        assertThat(guest.target(guest.post("/signup/identity", Map.of("nickname", "Guest"))))
                .isEqualTo("/");
        assertThat(guest.isSignedIn()).isTrue();
    }

    @Test
    void groupsGrantAndRevokeTheRoleOfAnAdminAtEachSignIn() {
        var name = person("example.org", "admins", "others");
        var visitor = signedUp(name);
        assertThat(visitor.get("/api/v1/audit").statusCode()).isEqualTo(200);
        describe(name, name + "@example.org", true, "others");
        var later = visitor();
        later.signIn(name);
        assertThat(later.get("/api/v1/audit").statusCode()).isEqualTo(403);
        assertThat(visitor.get("/api/v1/audit").statusCode())
                .as("in every session")
                .isEqualTo(403);
        assertThat(admin.get("/api/v1/audit?limit=10").body()).contains("admin-granted", "admin-revoked");

        describe("root", TestServer.ADMIN_EMAIL, true, "others");
        var root = visitor();
        root.signIn("root");
        root.post("/login", Map.of("email", TestServer.ADMIN_EMAIL, "password", TestServer.ADMIN_PASSWORD));
        assertThat(root.target(root.post("/login/link-identity", Map.of()))).isEqualTo("/users");
        assertThat(root.get("/api/v1/audit").statusCode())
                .as("the last admin stays one")
                .isEqualTo(200);
    }

    @Test
    void anIdentityBelongsToOneAccountAndAResetOfThePasswordUnlinksIt() {
        var name = person("example.org");
        signedUp(name);
        var rival = visitor();
        var email = name + "@elsewhere.example";
        account(email);
        rival.post("/login", Map.of("email", email, "password", PASSWORD));
        var taken = rival.signIn(name);
        assertThat(taken.statusCode()).isEqualTo(409);
        assertThat(page(taken).select("[role=alert]").text()).contains("linked to another account already");

        var other = person("example.org");
        var visitor = signedUp(other);
        visitor.post("/logout", Map.of());
        var user = admin.get("/api/v1/users?nicknamePrefix=" + other)
                .json()
                .path("items")
                .get(0)
                .path("id")
                .asString();
        assertThat(admin.put(
                                "/api/v1/users/" + user + "/password",
                                "{'password':'%s','newPassword':'another horse'}".formatted(TestServer.ADMIN_PASSWORD))
                        .status())
                .isEqualTo(204);
        assertThat(visitor.target(visitor.signIn(other))).isEqualTo("/login/link-identity");
    }

    @Test
    void whatTheIdTokenDoesNotSayIsAskedOfTheUserInfoWhichMustBeOfTheSamePerson() {
        var name = "person" + COUNT.incrementAndGet();
        var more = Map.<String, Object>of(
                "email",
                name + "@example.org",
                "email_verified",
                true,
                "realm_access",
                Map.of("roles", List.of("admins")));
        provider.person(name, Map.of("preferred_username", name), more);
        assertThat(signedUp(name).get("/api/v1/audit").statusCode()).isEqualTo(200);
        provider.person(name, Map.of(), Map.of("sub", "another"));
        assertRefused(visitor().signIn(name), 403, "did not work");
    }

    @Test
    void keysThatAreRotatedAreFetchedAnew() {
        var name = person("example.org");
        signedUp(name);
        provider.rotateKey();
        var visitor = visitor();
        assertThat(visitor.target(visitor.signIn(name))).isEqualTo("/users");
    }

    @Test
    void aProviderThatIsDownIsSaidAndThePasswordStillWorks() {
        var visitor = visitor();
        assertRefused(visitor.get("/login/oidc/down"), 503, "down does not answer at the moment.");
        var email = "down" + COUNT.incrementAndGet() + "@example.org";
        account(email);
        assertThat(visitor.target(visitor.post("/login", Map.of("email", email, "password", PASSWORD))))
                .isEqualTo("/");
    }
}
