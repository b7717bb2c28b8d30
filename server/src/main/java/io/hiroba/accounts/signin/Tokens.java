package io.hiroba.accounts.signin;

import com.github.benmanes.caffeine.cache.Ticker;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Revocations;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** API tokens: made, listed and revoked. */
public final class Tokens {

    static final int MOST = 100;

    private static final int SWEEP_BATCH = 1000;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final PasswordCheck check;
    private final Revocations revocations;
    private final RecentUses recent;
    private final TokenStore store = new TokenStore();
    private final LastUse lastUse = new LastUse();

    public Tokens(Db db, IdGenerator ids, InstantSource clock, PasswordCheck check, Revocations revocations) {
        this(db, ids, clock, check, revocations, Ticker.systemTicker());
    }

    Tokens(Db db, IdGenerator ids, InstantSource clock, PasswordCheck check, Revocations revocations, Ticker ticker) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.check = check;
        this.revocations = revocations;
        this.recent = new RecentUses(revocations, ticker);
    }

    /** Makes a token for somebody with a session; a token cannot make more of its kind. */
    public IssuedToken create(Caller caller, NewToken token) {
        caller.requireNotActing();
        var session = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        requireFuture(token);
        return db.inTransaction(tx -> {
            // The caller may be known from memory; what outlives the session must not be made after its end.
            if (!store.holdSession(tx, caller.user(), session)) {
                throw AccountsProblem.sessionRequired();
            }
            return issue(tx, caller.user(), token);
        });
    }

    /** Makes a token for a program that knows the password. */
    public IssuedToken create(Client client, Email email, String password, NewToken token) {
        requireFuture(token);
        var verified = check.verify(client, email, password);
        return db.inTransaction(tx -> {
            check.requireStill(tx, verified);
            return issue(tx, verified.user(), token);
        });
    }

    /** The caller's tokens, newest first; {@code before} is the last one seen. */
    public List<Token> list(Caller caller, Optional<TokenId> before, int limit) {
        long bound = before.map(TokenId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.user(), bound, limit));
    }

    public void revoke(Caller caller, TokenId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            if (!store.delete(tx, caller.user(), id)) {
                throw AccountsProblem.tokenNotFound();
            }
            revocations.after(tx);
        });
    }

    /** Removes tokens that have run out. */
    public void sweep() {
        while (db.inTransaction(tx -> store.sweep(tx, clock.instant(), SWEEP_BATCH)) == SWEEP_BATCH) {
            Thread.onSpinWait();
        }
    }

    /** Whose token this is. */
    Optional<Caller> resolve(Secret secret) {
        if (!secret.isPlausible(Secret.TOKEN)) {
            return Optional.empty();
        }
        var now = clock.instant();
        var used = recent.find(secret, now, () -> db.read(reads -> store.use(reads, secret, now)));
        used.ifPresent(use -> lastUse.note(use.id(), use.before(), now, () -> stamp(use.id())));
        return used.map(Used::caller);
    }

    private void stamp(long id) {
        db.useTransaction(tx -> store.stamp(tx, id, clock.instant()));
    }

    private IssuedToken issue(Tx tx, UserId user, NewToken request) {
        if (store.lockAndCount(tx, user, clock.instant()) >= MOST) {
            throw AccountsProblem.tooManyTokens(MOST);
        }
        var secret = Secret.random(Secret.TOKEN);
        var token = new Token(new TokenId(ids.next()), user, request.name(), null, request.expiresAt());
        store.insert(tx, token, secret);
        return new IssuedToken(token, secret.text());
    }

    private void requireFuture(NewToken token) {
        var expiresAt = token.expiresAt();
        if (expiresAt != null && !expiresAt.isAfter(clock.instant())) {
            throw AccountsProblem.invalid("expiresAt", "must be in the future");
        }
    }
}
