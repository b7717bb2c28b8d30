package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.CallerCache.ResolvedCaller;
import io.hiroba.accounts.Sessions.StartedSession;
import io.hiroba.accounts.Tokens.IssuedToken;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class CallerCacheTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final NewToken NAMED = new NewToken("laptop", null);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final BearerSecret SECRET = BearerSecret.random(BearerSecret.TOKEN);

    private final AtomicLong nanos = new AtomicLong();
    private final Revocations revocations = new Revocations(new CommitSignal());
    private final CallerCache recent = new CallerCache(revocations, nanos::get);
    private final AtomicInteger lookUps = new AtomicInteger();

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static IssuedToken token(UserId user) {
        return accounts.tokens.create(accounts.signedIn(user), NAMED);
    }

    private static Optional<Caller> open(Tokens tokens, IssuedToken issued) {
        return tokens.resolve(new BearerSecret(issued.secret()));
    }

    private static Optional<Caller> open(IssuedToken issued) {
        return open(accounts.tokens, issued);
    }

    private static Optional<Caller> open(StartedSession signedIn) {
        return accounts.sessions.resolve(new BearerSecret(signedIn.secret()));
    }

    private static ResolvedCaller used(Instant expiresAt) {
        var caller = new Caller(new UserId(1), false, new Caller.ByToken(new TokenId(2)), null);
        return new ResolvedCaller(caller, 2, NOW, expiresAt);
    }

    private Optional<ResolvedCaller> find(Instant now, Optional<ResolvedCaller> found) {
        return recent.find(SECRET, now, () -> {
            lookUps.incrementAndGet();
            return found;
        });
    }

    private Tokens node() {
        return new Tokens(
                accounts.db,
                accounts.lease.ids(),
                accounts.clock,
                accounts.module.passwordCheck(),
                accounts.module.audit(),
                new Revocations(new CommitSignal()),
                nanos::get);
    }

    @Test
    void aSecretIsLookedUpOnceASecond() {
        for (int i = 0; i < 10; i++) {
            nanos.addAndGet(Duration.ofMillis(99).toNanos());
            assertThat(find(NOW, Optional.of(used(Instant.MAX)))).isPresent();
        }
        assertThat(lookUps).hasValue(1);
        nanos.addAndGet(CallerCache.TTL.toNanos());
        assertThat(find(NOW, Optional.of(used(Instant.MAX)))).isPresent();
        assertThat(lookUps).hasValue(2);
    }

    @Test
    void whatLetNobodyInIsNotRemembered() {
        assertThat(find(NOW, Optional.empty())).isEmpty();
        assertThat(find(NOW, Optional.of(used(Instant.MAX)))).isPresent();
    }

    @Test
    void whatHasRunOutMeanwhileIsLookedUpAgain() {
        assertThat(find(NOW, Optional.of(used(NOW.plusMillis(10))))).isPresent();
        assertThat(find(NOW.plusMillis(10), Optional.empty())).isEmpty();
    }

    @Test
    void aLookUpThatARevocationOvertakesIsNotRemembered() {
        recent.find(SECRET, NOW, () -> {
            accounts.db.useTransaction(tx -> revocations.after(tx, new UserId(1)));
            return Optional.of(used(Instant.MAX));
        });
        assertThat(find(NOW, Optional.empty())).isEmpty();
    }

    @Test
    void aRevocationThatIsRolledBackForgetsNothing() {
        find(NOW, Optional.of(used(Instant.MAX)));
        try {
            accounts.db.useTransaction(tx -> {
                revocations.after(tx, new UserId(1));
                throw new IllegalStateException("rolled back");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("rolled back");
        }
        assertThat(find(NOW, Optional.empty())).isPresent();
    }

    @Test
    void aTokenRevokedHereIsRefusedAtOnce() {
        var user = accounts.user("Ann");
        var issued = token(user);
        assertThat(open(issued)).isPresent();
        accounts.tokens.revoke(accounts.caller(user), issued.token().id());
        assertThat(open(issued)).isEmpty();
    }

    @Test
    void aTokenRevokedOnAnotherNodeIsRefusedWithinASecond() {
        var here = node();
        var there = node();
        var user = accounts.user("Bob");
        var issued = token(user);
        assertThat(open(here, issued)).isPresent();
        there.revoke(accounts.caller(user), issued.token().id());
        nanos.addAndGet(CallerCache.TTL.toNanos());
        assertThat(open(here, issued)).isEmpty();
    }

    @Test
    void aSessionThatEndsHereIsRefusedAtOnce() {
        var user = accounts.user("Carl");
        var left = accounts.sessions.begin(TestAccounts.client(), user);
        var ended = accounts.sessions.begin(TestAccounts.client(), user);
        accounts.sessions.revoke(
                open(left).orElseThrow(), open(ended).orElseThrow().session().orElseThrow());
        assertThat(open(ended)).isEmpty();
        accounts.sessions.logOut(open(left).orElseThrow());
        assertThat(open(left)).isEmpty();
    }

    @Test
    void aPasswordThatIsChangedEndsTheOtherSessionsAtOnce() {
        var user = accounts.user("Dora");
        var kept = accounts.sessions.begin(TestAccounts.client(), user);
        var other = accounts.sessions.begin(TestAccounts.client(), user);
        assertThat(open(other)).isPresent();
        accounts.passwordChange.change(
                open(kept).orElseThrow(),
                user,
                Optional.of(TestAccounts.PASSWORD),
                new Password("battery staple"),
                true);
        assertThat(open(other)).isEmpty();
        assertThat(open(kept)).isPresent();
    }

    @Test
    void whoIsLockedOutOrDeletedIsRefusedAtOnce() {
        var lockedOut = accounts.user("Eve");
        var one = token(lockedOut);
        assertThat(open(one)).isPresent();
        accounts.db.useTransaction(tx -> accounts.sessions.revokeAll(tx, lockedOut));
        assertThat(open(one)).isEmpty();
        var deleted = accounts.user("Finn");
        var two = token(deleted);
        assertThat(open(two)).isPresent();
        accounts.users.delete(accounts.caller(deleted), deleted);
        assertThat(open(two)).isEmpty();
    }

    @Test
    void rightsThatAreTakenAwayAreGoneAtOnce() {
        var admin = accounts.admin();
        var issued = token(admin);
        assertThat(open(issued).orElseThrow().admin()).isTrue();
        var demoted = new UserUpdate(Nickname.parse("x"), "", null, null, null, null, false, null);
        accounts.users.update(accounts.caller(accounts.admin()), admin, demoted, tx -> {});
        assertThat(open(issued).orElseThrow().admin()).isFalse();
    }

    @Test
    void aSecretThatIsRememberedIsStampedOnceAMinute() {
        var lastUse = new LastUseRecorder();
        var stamps = new AtomicInteger();
        var id = new SessionId(3).value();
        var before = NOW.minusSeconds(3600);
        assertThat(lastUse.record(id, before, NOW, stamps::incrementAndGet)).isTrue();
        assertThat(lastUse.record(id, before, NOW.plusSeconds(1), stamps::incrementAndGet))
                .isFalse();
        assertThat(lastUse.record(id, before, NOW.plusSeconds(60), stamps::incrementAndGet))
                .isTrue();
    }
}
