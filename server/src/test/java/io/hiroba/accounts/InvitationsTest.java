package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static io.hiroba.testkit.TestAccounts.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Invitations.NewInvitation;
import io.hiroba.accounts.SignUpRules.SignUpMode;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Invitations on a server that takes in nobody else. */
class InvitationsTest {

    private static final Pattern SECRET = Pattern.compile("hri_[\\w-]{43}");
    private static final TestAccounts accounts = new TestAccounts(
            TestAccounts.CONFIG.withSignUp(new SignUpRules(SignUpMode.INVITATION, List.of(), false)),
            MailConfig.DEFAULT.withLimits(new MailConfig.Limits(10_000, 10_000, 10_000)));
    private static final HttpServer server = accounts.serve();
    private static final ApiClient anonymous = ApiClient.anonymous(server.port());
    private static final Visitors visitors = new Visitors(accounts, anonymous);
    private static final UserId adminId = accounts.admin();
    private static final ApiClient admin = visitors.byToken(adminId);

    @AfterAll
    static void close() {
        server.close();
        accounts.close();
    }

    private static Reply start(Email email, String invitation) {
        return anonymous.post("/api/v1/signup/start", "{'email':'%s','invitation':'%s'}".formatted(email, invitation));
    }

    private static Reply verify(Reply started, Email email) {
        return anonymous.post(
                "/api/v1/signup/verify",
                "{'signupId':'%s','code':'%s','nickname':'Guest','password':'%s'}"
                        .formatted(started.text("signupId"), accounts.codeFor(email), PASSWORD));
    }

    private static Reply accept(String invitation) {
        return anonymous.post(
                "/api/v1/signup/accept",
                "{'invitation':'%s','nickname':'Guest','password':'%s'}".formatted(invitation, PASSWORD));
    }

    private static String mailedSecret(Email email) {
        var match = SECRET.matcher(accounts.mailTo(email).text());
        assertThat(match.find()).isTrue();
        return match.group();
    }

    @Test
    void aLinkLetsAsManySignUpAsItSaysAndTellsWho() {
        var email = accounts.freshEmail();
        assertThat(anonymous
                        .post("/api/v1/signup/start", "{'email':'%s'}".formatted(email))
                        .outcome())
                .isEqualTo("403 accounts.invitation-required");
        var issued = admin.post("/api/v1/invitations", "{'note':'team','uses':2}");
        assertThat(issued.outcome()).isEqualTo("201");
        var secret = issued.text("invitation");
        assertThat(issued.text("path")).isEqualTo("/signup?invitation=" + secret);
        assertThat(accounts.count(
                        "SELECT count(*) FROM accounts.invitations WHERE secret_hash = '%s'::bytea".formatted(secret)))
                .isZero();

        var users = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            var guest = accounts.freshEmail();
            var verified = verify(start(guest, secret), guest);
            assertThat(verified.outcome()).isEqualTo("201");
            users.add(verified.text("userId"));
        }
        assertThat(start(email, secret).outcome()).isEqualTo("403 accounts.invitation-invalid");
        var listed = admin.get("/api/v1/invitations").json().path("items").get(0);
        assertThat(listed.path("usedBy").valueStream().map(each -> each.asString()))
                .containsExactlyElementsOf(users);
        assertThat(admin.get("/api/v1/invitations").body()).doesNotContain(secret);
        assertThat(admin.get("/api/v1/audit?limit=3").body()).contains("invitation-used");
    }

    @Test
    void ofTwoAtOnceOnTheLastUseOneWins() throws InterruptedException {
        var secret = admin.post("/api/v1/invitations", "{}").text("invitation");
        List<Callable<String>> guests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            var email = accounts.freshEmail();
            var id = accounts.signUp.start(client(), email, Optional.of(secret));
            var code = accounts.codeFor(email);
            guests.add(() -> {
                accounts.signUp.verify(
                        id, code, Nickname.parse("Guest"), new Password(PASSWORD), new SignUp.Preferences(null, null));
                return email.value();
            });
        }
        var created = new ArrayList<String>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var future : executor.invokeAll(guests)) {
                try {
                    created.add(future.get());
                } catch (ExecutionException e) {
                    assertThat(e.getCause())
                            .isInstanceOfSatisfying(
                                    AccountsProblem.class,
                                    problem -> assertThat(problem.code()).isEqualTo("accounts.invitation-invalid"));
                }
            }
        }
        assertThat(created).hasSize(1);
    }

    @Test
    void anInvitationByMailVerifiesItsAddressAndServesNoOther() {
        var email = accounts.freshEmail();
        var issued = admin.with("Accept-Language", "ja").post("/api/v1/invitations", "{'email':'%s'}".formatted(email));
        assertThat(issued.outcome()).isEqualTo("201");
        assertThat(issued.body()).doesNotContain("hri_");
        assertThat(accounts.mailTo(email).subject()).isEqualTo("adminさんからHirobaへの招待");
        var secret = mailedSecret(email);

        assertThat(start(accounts.freshEmail(), secret).outcome()).isEqualTo("400 accounts.invalid");
        assertThat(accept("hri_" + "A".repeat(43)).outcome()).isEqualTo("403 accounts.invitation-invalid");
        var user = accept(secret);
        assertThat(user.outcome()).isEqualTo("201");
        assertThat(accounts.emailOf(UserId.parse(user.text("userId")))).isEqualTo(email);
        assertThat(accept(secret).outcome()).isEqualTo("403 accounts.invitation-invalid");
        assertThat(admin.post("/api/v1/invitations", "{'email':'%s','uses':2}".formatted(email))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
    }

    @Test
    void aLinkIsNotCalledInvalidWhereOnlyMailedOnesAreAccepted() {
        var reply = accept(admin.post("/api/v1/invitations", "{}").text("invitation"));
        assertThat(reply.outcome()).isEqualTo("400 accounts.invalid");
        assertThat(reply.body()).contains("/api/v1/signup/start");
    }

    @Test
    void invitingAnAddressThatHasAnAccountTellsAnAdminAlone() {
        var known = accounts.emailOf(accounts.user("known"));
        var issued = admin.post("/api/v1/invitations", "{'email':'%s'}".formatted(known));
        assertThat(issued.outcome()).isEqualTo("201");
        assertThat(issued.json().path("hasAccount").asBoolean()).isTrue();
        var fresh = "{'email':'%s'}".formatted(accounts.freshEmail());
        assertThat(admin.post("/api/v1/invitations", fresh)
                        .json()
                        .path("hasAccount")
                        .asBoolean())
                .isFalse();
        assertThat(accept(mailedSecret(known)).outcome()).isEqualTo("409 accounts.email-taken");
    }

    @Test
    void anInvitationExpiresAndIsRevoked() {
        var link = accounts.module
                .invitations()
                .create(accounts.caller(adminId), Language.ENGLISH, new NewInvitation(null, "", 1, null));
        var secret = link.secret().orElseThrow();
        assertThat(Duration.between(accounts.clock.instant(), link.invitation().expiresAt()))
                .isBetween(Duration.ofDays(7).minusMillis(1), Duration.ofDays(7));
        var email = accounts.freshEmail();
        var started = start(email, secret);
        var path = "/api/v1/invitations/" + link.invitation().id().hex();
        assertThat(visitors.byToken(accounts.user("member")).delete(path).outcome())
                .isEqualTo("404 accounts.invitation-not-found");
        assertThat(admin.delete(path).outcome()).isEqualTo("204");
        assertThat(admin.delete(path).outcome()).isEqualTo("404 accounts.invitation-not-found");
        assertThat(verify(started, email).outcome()).isEqualTo("403 accounts.invitation-invalid");

        var brief = admin.post(
                        "/api/v1/invitations",
                        "{'expiresAt':'%s'}".formatted(accounts.clock.instant().plusSeconds(60)))
                .text("invitation");
        accounts.clock.advance(Duration.ofSeconds(61));
        assertThat(start(accounts.freshEmail(), brief).outcome()).isEqualTo("403 accounts.invitation-invalid");
        assertThat(admin.post("/api/v1/invitations", "{'expiresAt':'2001-01-01T00:00:00Z'}")
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        assertThat(admin.post("/api/v1/invitations", "{'uses':101}").outcome()).isEqualTo("400 accounts.invalid");
    }

    @Test
    void membersInviteOnlyWhereTheConfigurationSaysSo() {
        var member = visitors.byToken(accounts.user("member"));
        assertThat(member.post("/api/v1/invitations", "{}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(member.get("/api/v1/invitations").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(anonymous.get("/api/v1/invitations").outcome()).isEqualTo("401 accounts.not-signed-in");

        var config = TestAccounts.CONFIG.withSignUp(new SignUpRules(SignUpMode.INVITATION, List.of(), true));
        try (var own = new TestAccounts(config, MailConfig.DEFAULT)) {
            var invitations = own.module.invitations();
            var host = own.caller(own.user("host"));
            var other = own.caller(own.user("other"));
            var nothing = new NewInvitation(null, "", 1, null);
            invitations.create(host, Language.ENGLISH, nothing);
            assertThat(invitations.list(host, Optional.empty(), 10)).hasSize(1);
            assertThat(invitations.list(other, Optional.empty(), 10)).isEmpty();
            assertThat(invitations.list(own.caller(own.admin()), Optional.empty(), 10))
                    .hasSize(1);
            for (int i = 0; i < 20; i++) {
                invitations.create(other, Language.ENGLISH, nothing);
            }
            assertThatThrownBy(() -> invitations.create(other, Language.ENGLISH, nothing))
                    .isInstanceOf(AccountsProblem.class);
            var known = new NewInvitation(own.emailOf(other.user()), "", 1, null);
            assertThat(invitations
                            .create(own.caller(own.admin()), Language.ENGLISH, known)
                            .hasAccount())
                    .isTrue();
            assertThat(invitations.create(host, Language.ENGLISH, known).hasAccount())
                    .as("members cannot look up addresses")
                    .isFalse();
        }
    }
}
