package io.hiroba.inbox.fanout;

import static io.hiroba.inbox.TestInbox.GITLAB;
import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.TestInbox;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.problem.Problem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who has which names elsewhere. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalIdentitiesTest {

    /** A GitLab whose members are believed only if something stands for what they say. */
    private static final ConnectionId STRICT = new ConnectionId(78);

    private TestInbox inbox;
    private ExternalIdentities identities;
    private Caller admin;

    @BeforeAll
    void open() {
        inbox = new TestInbox();
        var throttle = new Throttle(inbox.db, inbox.accounts.clock);
        identities = new ExternalIdentities(
                inbox.db, inbox.accounts.lease.ids(), inbox.accounts.users, inbox.people, throttle, inbox.silent);
        admin = inbox.accounts.caller(inbox.accounts.admin());
        inbox.db.useTransaction(tx -> tx.update("""
                        INSERT INTO inbox.connections (id, kind, name, secret_hash, linking)
                        VALUES (:id, 'gitlab', 'Strict', '\\x00', 'confirmed')
                        """).bind("id", STRICT.value()).execute());
    }

    @AfterAll
    void close() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    private Caller caller(UserId user) {
        return inbox.accounts.caller(user);
    }

    private static ExternalName named(ConnectionId connection, String username) {
        return ExternalName.username(connection, username);
    }

    private ExternalPerson person(ConnectionId connection, String username, @Nullable String email) {
        return inbox.db.inTransaction(
                tx -> inbox.people.of(tx, connection, new PersonDescription(null, username, email, null, null)));
    }

    private Optional<UserId> account(ExternalPerson person) {
        return inbox.db
                .read(reads -> inbox.people.find(reads, person.id()))
                .orElseThrow()
                .account();
    }

    private void assign(ExternalPerson person, String issue) {
        inbox.notifyPeople(
                NotificationRequest.of(inbox.issue("a/b", issue), Action.ASSIGNED, NotificationAuthor.NOBODY, NOON),
                person);
    }

    private static String refusal(Runnable act) {
        try {
            act.run();
            return "done";
        } catch (Problem e) {
            return e.code();
        }
    }

    @Test
    void whatHasWaitedComesWithTheLinkAndStaysWhenItIsTakenBack() {
        var stranger = person(GITLAB, "Ann1", null);
        assign(stranger, "1");
        var ann = inbox.user("ann1");
        var identity = identities.claim(caller(ann), named(GITLAB, "@ann1"));
        assertThat(identity.confirmed()).isFalse();
        assertThat(identity.waiting()).isFalse();
        assertThat(inbox.items(ann)).containsExactly("1:todo");
        assertThat(account(stranger)).contains(ann);
        identities.unlink(caller(ann), identity.id());
        assertThat(account(stranger)).isEmpty();
        assertThat(inbox.items(ann)).containsExactly("1:todo");
        assertThat(identities.of(ann)).isEmpty();
    }

    @Test
    void aNameBelongsToOneAccountWhateverItsCaseAndWhereverItIsMeant() {
        var ann = caller(inbox.user("ann2"));
        var bob = caller(inbox.user("bob2"));
        var first = identities.claim(ann, named(GITLAB, "ann2"));
        assertThat(identities.claim(ann, named(GITLAB, "ANN2")).id()).isEqualTo(first.id());
        assertThat(refusal(() -> identities.claim(bob, named(GITLAB, "Ann2")))).isEqualTo("inbox.identity-taken");
        assertThat(refusal(() -> identities.claim(bob, ExternalName.username(null, "ann2"))))
                .isEqualTo("inbox.identity-taken");
        assertThat(refusal(() -> identities.claim(bob, named(STRICT, "ann2")))).isEqualTo("done");
        assertThat(refusal(() -> identities.unlink(bob, first.id()))).isEqualTo("inbox.identity-not-found");
    }

    @Test
    void ofTwoWhoSayItAtOnceOneHasTheName() throws Exception {
        for (int round = 0; round < 5; round++) {
            var name = "both" + round;
            var places = new ConnectionId[] {GITLAB, null};
            var claims = IntStream.range(0, 4)
                    .mapToObj(i -> inbox.user("both" + i))
                    .map(user -> (Callable<String>) () -> refusal(() -> identities.claim(
                            caller(user), ExternalName.username(places[(int) (user.value() & 1)], name))))
                    .toList();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var outcomes = threads.invokeAll(claims).stream()
                        .map(outcome -> outcome.resultNow())
                        .toList();
                assertThat(outcomes)
                        .containsExactlyInAnyOrder(
                                "done", "inbox.identity-taken", "inbox.identity-taken", "inbox.identity-taken");
            }
        }
    }

    @Test
    void whereItMustBeShownNothingComesBeforeAnAdminHasConfirmedIt() {
        var stranger = person(STRICT, "cleo", null);
        assign(stranger, "4");
        var cleo = inbox.user("cleo");
        var identity = identities.claim(caller(cleo), named(STRICT, "cleo"));
        assertThat(identity.waiting()).isTrue();
        assertThat(person(STRICT, "cleo", null).user()).isNull();
        assertThat(inbox.items(cleo)).isEmpty();
        assertThat(identities.waiting(admin, Optional.empty(), 100)).contains(identity);
        assertThat(refusal(() -> identities.waiting(caller(cleo), Optional.empty(), 1)))
                .isEqualTo("accounts.admin-only");
        assertThat(refusal(() -> identities.confirm(caller(cleo), identity.id())))
                .isEqualTo("accounts.admin-only");
        assertThat(identities.confirm(admin, identity.id()).confirmed()).isTrue();
        assertThat(inbox.items(cleo)).containsExactly("1:todo");
        assertThat(identities.waiting(admin, Optional.empty(), 100)).doesNotContain(identity);
    }

    @Test
    void theAddressInGitlabVerifiesAClaimAndRevokesUnverifiedOnes() {
        var dan = inbox.user("dan");
        var liar = inbox.user("liar");
        var claimed = identities.claim(caller(liar), named(STRICT, "dan"));
        assertThat(claimed.waiting()).isTrue();
        var stranger = inbox.db.inTransaction(
                tx -> inbox.people.of(tx, STRICT, new PersonDescription("500", "dan", null, null, null)));
        // His address becomes known without an event that would link him.
        inbox.db.useTransaction(tx -> tx.update("UPDATE inbox.people SET email = :email WHERE id = :id")
                .bind("email", inbox.accounts.emailOf(dan).value())
                .bind("id", stranger.id().value())
                .execute());
        var identity = identities.claim(caller(dan), named(STRICT, "dan"));
        assertThat(identity.confirmed()).isTrue();
        assertThat(account(stranger)).contains(dan);
        assertThat(identities.of(liar)).isEmpty();
        assertThat(refusal(() -> identities.claim(caller(liar), named(STRICT, "dan"))))
                .isEqualTo("inbox.identity-taken");
    }

    @Test
    void anAddressThatIsNotOnesOwnNeedsAnAdminAlsoWhereNamesAreOpen() {
        var eve = inbox.user("eve");
        var stranger = person(GITLAB, "frank6", "frank6@elsewhere.example");
        assign(stranger, "6");
        var foreign = identities.claim(caller(eve), ExternalName.email(null, Email.parse("Frank6@elsewhere.example")));
        assertThat(foreign.waiting()).isTrue();
        assertThat(person(GITLAB, "frank6", null).user()).isNull();
        var own = identities.claim(caller(eve), ExternalName.email(null, inbox.accounts.emailOf(eve)));
        assertThat(own.confirmed()).isTrue();
        assertThat(inbox.items(eve)).isEmpty();
        identities.confirm(admin, foreign.id());
        assertThat(inbox.items(eve)).containsExactly("1:todo");
    }

    @Test
    void whoHasTheAddressHereHasItElsewhere() {
        var eve = inbox.user("eve7");
        var address = new Email("gus7@elsewhere.example");
        identities.claim(caller(eve), ExternalName.email(null, address));
        var gus = inbox.accounts.user(address, "gus7", false);
        assertThat(identities
                        .claim(caller(gus), ExternalName.email(null, address))
                        .confirmed())
                .isTrue();
        assertThat(identities.of(eve)).isEmpty();
    }

    @Test
    void whomAnotherIsLinkedToAlreadyOnlyAnAdminGivesAway() {
        var hal = inbox.user("hal8");
        var known = person(GITLAB, "hal8", inbox.accounts.emailOf(hal).value());
        assertThat(known.user()).isEqualTo(hal);
        var thief = inbox.user("thief8");
        assertThat(refusal(() -> identities.claim(caller(thief), named(GITLAB, "hal8"))))
                .isEqualTo("inbox.identity-taken");
        identities.assign(admin, thief, named(GITLAB, "hal8"));
        assertThat(account(known)).contains(thief);
    }

    @Test
    void anAdminGivesANameAndTakesItAwayButNotInAnothersName() {
        var ida = inbox.user("ida9");
        assertThat(refusal(() -> identities.assign(caller(ida), ida, named(STRICT, "ida9"))))
                .isEqualTo("accounts.admin-only");
        var identity = identities.assign(admin, ida, named(STRICT, "ida9"));
        assertThat(identity.confirmed()).isTrue();
        assertThat(person(STRICT, "ida9", null).user()).isEqualTo(ida);
        assertThat(identities.of(admin, ida)).containsExactly(identity);
        var acting = new Caller(ida, false, new Caller.BySession(new SessionId(1)), admin.user());
        assertThat(refusal(() -> identities.claim(acting, named(GITLAB, "mine"))))
                .isEqualTo("accounts.acting");
        assertThat(refusal(() -> identities.unlink(acting, identity.id()))).isEqualTo("accounts.acting");
        assertThat(refusal(() -> identities.reject(acting, identity.id()))).isEqualTo("accounts.admin-only");
        identities.reject(admin, identity.id());
        assertThat(identities.of(ida)).isEmpty();
        for (var action : List.of(AuditLog.Action.IDENTITY_ASSIGNED, AuditLog.Action.IDENTITY_REJECTED)) {
            assertThat(inbox.accounts.audited(action).getFirst().targetId())
                    .isEqualTo(identity.id().hex());
        }
        assertThat(refusal(() -> identities.assign(admin, new UserId(5), named(GITLAB, "ghost"))))
                .isEqualTo("inbox.user-not-found");
    }

    @Test
    void onlyNamesAreTakenAndNotTooMany() {
        var jo = caller(inbox.user("jo10"));
        for (var bad : List.of("", "@", "a b", "a/b", "x".repeat(256), "a\0b")) {
            assertThat(refusal(() -> ExternalName.username(GITLAB, bad))).isEqualTo("inbox.invalid");
        }
        assertThatThrownBy(() -> new ExternalName(null, "a", "b@c.example")).hasMessageContaining("not both");
        assertThat(refusal(() -> identities.claim(jo, named(ConnectionId.API, "jo"))))
                .isEqualTo("inbox.invalid");
        for (int i = 0; i < 20; i++) {
            identities.claim(jo, named(GITLAB, "jo10-" + i));
        }
        assertThat(refusal(() -> identities.claim(jo, named(GITLAB, "jo10-20"))))
                .isEqualTo("inbox.too-many-identities");
        for (int i = 0; i < 8; i++) {
            identities.claim(jo, named(GITLAB, "jo10-1"));
        }
        assertThat(refusal(() -> identities.claim(jo, named(GITLAB, "jo10-1")))).isEqualTo("http.rate-limited");
    }

    @Test
    void anUnlinkedNameStaysLinkedThroughAnotherClaim() {
        var kay = inbox.user("kay11");
        var known = person(GITLAB, "kay11", "kay11@work.example");
        var byName = identities.claim(caller(kay), named(GITLAB, "kay11"));
        var byAddress = identities.assign(admin, kay, ExternalName.email(GITLAB, new Email("kay11@work.example")));
        identities.unlink(caller(kay), byAddress.id());
        assertThat(account(known)).contains(kay);
        identities.unlink(caller(kay), byName.id());
        assertThat(account(known)).isEmpty();
    }

    @Test
    void aNameWhoseAddressIsAnothersIsNotHadForTheAsking() {
        var stranger = person(GITLAB, "lou12", "lou12@work.example");
        var lou = inbox.accounts.user(new Email("lou12@work.example"), "lou12", false);
        var thief = inbox.user("thief12");
        assertThat(refusal(() -> identities.claim(caller(thief), named(GITLAB, "lou12"))))
                .isEqualTo("inbox.identity-taken");
        assertThat(account(stranger)).isEmpty();
        assertThat(identities.claim(caller(lou), named(GITLAB, "lou12")).confirmed())
                .isTrue();
    }

    @Test
    void whatCameThroughANameThatWasNotTheirsGoesWithIt() {
        var stranger = person(GITLAB, "mia13", null);
        assign(stranger, "13");
        var thief = inbox.user("thief13");
        var wrong = identities.claim(caller(thief), named(GITLAB, "mia13"));
        assertThat(inbox.items(thief)).containsExactly("1:todo");
        identities.reject(admin, wrong.id());
        assertThat(inbox.items(thief)).isEmpty();
        var other = inbox.user("other13");
        assign(person(GITLAB, "other13", inbox.accounts.emailOf(other).value()), "14");
        var claimed = identities.claim(caller(other), named(GITLAB, "other13"));
        identities.reject(admin, claimed.id());
        assertThat(inbox.items(other)).as("what their address stands for").containsExactly("1:todo");
    }

    @Test
    void theAddressInGitlabTakesPrecedenceOverAnUnverifiedClaim() {
        var liar = inbox.user("liar12");
        var lea = inbox.user("lea12");
        identities.claim(caller(liar), named(GITLAB, "lea12"));
        var email = inbox.accounts.emailOf(lea).value();
        assertThat(account(person(GITLAB, "lea12", email))).contains(lea);
    }

    private ExternalPerson numbered(ConnectionId connection, int number, String username) {
        var described = new PersonDescription(String.valueOf(number), username, null, null, null);
        return inbox.db.inTransaction(tx -> inbox.people.of(tx, connection, described));
    }

    @Test
    void whoTakesOverANameIsNotLinkedByTheClaimOfItsFormerBearer() {
        var wes = inbox.user("wes14");
        for (var connection : List.of(GITLAB, STRICT)) {
            identities.assign(admin, wes, named(connection, "wes14"));
            identities.assign(admin, wes, named(connection, "wes14bot"));
            assertThat(account(numbered(connection, 1400, "wes14"))).contains(wes);
            assertThat(account(numbered(connection, 1400, "wesley14"))).contains(wes);
            assertThat(account(person(connection, "Wes14", null))).isEmpty();
            assertThat(account(numbered(connection, 1405, "wes14"))).isEmpty();
            assertThat(account(numbered(connection, 1406, "wes14bot")))
                    .as("another account of theirs")
                    .contains(wes);
            identities.claim(caller(wes), named(connection, "wes14"));
            assertThat(account(numbered(connection, 1405, "wes14")))
                    .as("claimed once more")
                    .isEmpty();
        }
    }

    @Test
    void aClaimFollowsTheRenamingOfItsAccountAndLeavesTheNameToWhoTakesItOver() {
        var ann = caller(inbox.user("ann16"));
        var bob = inbox.user("bob16");
        var claimed = identities.assign(admin, ann.user(), named(STRICT, "ann16"));
        var person = numbered(STRICT, 1600, "ann16");
        numbered(STRICT, 1600, "annie16");
        assertThat(identities.of(ann.user()))
                .extracting(identity -> identity.id() + " " + identity.name().username() + " " + identity.confirmed())
                .containsExactly(claimed.id() + " annie16 true");
        identities.assign(admin, bob, named(STRICT, "ann16"));
        assertThat(account(numbered(STRICT, 1601, "ann16"))).contains(bob);
        assertThat(account(person)).contains(ann.user());
        identities.unlink(ann, claimed.id());
        assertThat(account(person)).isEmpty();
    }

    @Test
    void aNameThatHasPassedToSomebodyElseIsOfItsFirstBearerAlsoBeforeTheirRenamingIsKnown() {
        var wes = inbox.user("wes15");
        var identity = identities.assign(admin, wes, named(STRICT, "wes15"));
        var former = numbered(STRICT, 1500, "wes15");
        assertThat(account(former)).contains(wes);
        assertThat(account(numbered(STRICT, 1505, "wes15"))).isEmpty();
        identities.unlink(caller(wes), identity.id());
        assertThat(account(former)).isEmpty();
        identities.assign(admin, wes, named(STRICT, "wes15"));
        assertThat(account(numbered(STRICT, 1505, "wes15"))).as("by an admin").contains(wes);
    }
}
