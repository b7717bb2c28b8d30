package io.hiroba.accounts;

import com.github.benmanes.caffeine.cache.Ticker;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.CallerCache.ResolvedCaller;
import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.i18n.TextDirection;
import io.hiroba.platform.id.IdGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, resolves, lists and revokes API tokens. */
public final class Tokens {

    static final int MAX_PER_USER = 100;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final PasswordCheck check;
    private final AuditLog audit;
    private final Revocations revocations;
    private final CallerCache cache;
    private final TokenStore store = new TokenStore();
    private final SessionStore sessions = new SessionStore();
    private final SuspensionStore suspensions = new SuspensionStore();
    private final LastUseRecorder lastUse = new LastUseRecorder();

    Tokens(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            PasswordCheck check,
            AuditLog audit,
            Revocations revocations,
            Ticker ticker) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.check = check;
        this.audit = audit;
        this.revocations = revocations;
        this.cache = new CallerCache(revocations, ticker);
    }

    /** Creates a token for a caller whose session was confirmed lately; a token cannot create others. */
    public IssuedToken create(Caller caller, NewToken token) {
        caller.requireNotActing();
        var session = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        requireFuture(token);
        return db.inTransaction(tx -> {
            // The caller may be cached; a token must not be created after the end of the session.
            var since = clock.instant().minus(Sessions.CONFIRMED_FOR);
            boolean confirmed =
                    sessions.lock(tx, caller.user(), session, since).orElseThrow(AccountsProblem::sessionRequired);
            if (!confirmed) {
                throw AccountsProblem.passwordRequired();
            }
            var issued = issue(tx, caller.user(), token);
            var expiry = Changes.NONE.with("expiresAt", null, token.expiresAt());
            audit.record(tx, caller, AuditLog.Action.TOKEN_CREATED, target(issued.token()), expiry);
            return issued;
        });
    }

    /** Creates a token for a program that has the password. */
    public IssuedToken create(ClientInfo client, Email email, String password, NewToken token) {
        return create(client, email, password, "", token);
    }

    /**
     * As above, with a second factor where the account has one.
     *
     * @param code of the authenticator app or a recovery code; empty if it was not given
     */
    public IssuedToken create(ClientInfo client, Email email, String password, String code, NewToken token) {
        requireFuture(token);
        return check.authenticate(client, email, password, code, (tx, user) -> {
            var issued = issue(tx, user, token);
            audit.record(tx, user, client.origin(), AuditLog.Action.TOKEN_CREATED, target(issued.token()));
            return issued;
        });
    }

    /** The caller's tokens, newest first; {@code before} is the last one seen. */
    public List<ApiToken> list(Caller caller, Optional<TokenId> before, int limit) {
        long bound = before.map(TokenId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.user(), bound, limit));
    }

    public void revoke(Caller caller, TokenId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            revoke(tx, caller.user(), id);
            var target = Target.of(TargetKind.TOKEN, id.hex(), null, caller.user());
            audit.record(tx, caller, AuditLog.Action.TOKEN_REVOKED, target);
        });
    }

    private void revoke(Tx tx, UserId owner, TokenId id) {
        if (!store.delete(tx, owner, id)) {
            throw AccountsProblem.tokenNotFound();
        }
        revocations.after(tx, owner);
    }

    /** Anybody's tokens, for admins, as {@link #list}. */
    public List<ApiToken> listOf(Caller admin, UserId owner, Optional<TokenId> before, int limit) {
        admin.requireAdmin();
        long bound = before.map(TokenId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, owner, bound, limit));
    }

    /** Revokes a token of anybody, as an admin who is confirmed. */
    public void revokeOf(Caller admin, UserId owner, TokenId id, Sessions.Confirmation confirmation) {
        admin.requireAdmin();
        db.useTransaction(tx -> {
            confirmation.require(tx);
            revoke(tx, owner, id);
            audit.record(tx, admin, AuditLog.Action.TOKEN_REVOKED, Target.of(TargetKind.TOKEN, id.hex(), null, owner));
        });
    }

    private static Target target(ApiToken token) {
        return Target.of(TargetKind.TOKEN, token.id().hex(), token.name(), token.user());
    }

    /** The expiry of a token that is made now. */
    public Instant expiryIn(Duration lifetime) {
        return clock.instant().plus(lifetime);
    }

    /** The caller whose token this is. */
    Optional<Caller> resolve(BearerSecret secret) {
        if (!secret.isWellFormed(BearerSecret.TOKEN)) {
            return Optional.empty();
        }
        var now = clock.instant();
        var used = cache.find(secret, now, () -> db.read(reads -> store.use(reads, secret, now)));
        used.ifPresent(use -> lastUse.record(use.id(), use.before(), now, () -> recordUse(use.id())));
        return used.map(ResolvedCaller::caller);
    }

    private void recordUse(long id) {
        db.useTransaction(tx -> store.recordUse(tx, id, clock.instant()));
    }

    private IssuedToken issue(Tx tx, UserId user, NewToken request) {
        // Two at once would wait for each other if each shared the account's row first.
        int present = store.lockAndCount(tx, user, clock.instant());
        suspensions.requireNone(tx, user, clock.instant());
        if (present >= MAX_PER_USER) {
            throw AccountsProblem.tooManyTokens(MAX_PER_USER);
        }
        var secret = BearerSecret.random(BearerSecret.TOKEN);
        var token = new ApiToken(
                new TokenId(ids.next()), user, request.name(), request.scopes(), null, request.expiresAt());
        store.insert(tx, token, secret, null);
        return new IssuedToken(token, secret.text());
    }

    private void requireFuture(NewToken token) {
        var expiresAt = token.expiresAt();
        if (expiresAt != null && !expiresAt.isAfter(clock.instant())) {
            throw AccountsProblem.invalid("expiresAt", Text.of("accounts.field.past"));
        }
    }

    /** A token that was just created, with its secret, which is not stored. */
    public record IssuedToken(ApiToken token, String secret) {

        @Override
        public String toString() {
            return "IssuedToken[" + token + "]";
        }
    }

    /** A token to create: its name, what it opens, and when it expires, if it does. */
    public record NewToken(
            String name, Granted scopes, @Nullable Instant expiresAt) {

        private static final int MAX_NAME = 100;
        private static final Instant MAX_EXPIRY = Instant.parse("9999-12-31T23:59:59Z");

        /** One with all scopes. */
        public NewToken(String name, @Nullable Instant expiresAt) {
            this(name, Granted.ALL, expiresAt);
        }

        public NewToken {
            name = name.strip();
            int length = name.codePointCount(0, name.length());
            if (length < 1 || length > MAX_NAME || name.codePoints().anyMatch(Character::isISOControl)) {
                throw AccountsProblem.invalid("name", Text.of("accounts.field.token-name", "max", MAX_NAME));
            }
            if (TextDirection.isSet(name)) {
                throw AccountsProblem.invalid("name", Text.of("http.field.direction"));
            }
            if (expiresAt != null && expiresAt.isAfter(MAX_EXPIRY)) {
                throw AccountsProblem.invalid("expiresAt", Text.of("accounts.field.too-far"));
            }
        }
    }
}
