package io.hiroba.accounts;

import io.hiroba.accounts.AppStore.Grant;
import io.hiroba.accounts.AppStore.IssuedCode;
import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Lets apps in, gives them tokens, and disconnects them (OAuth 2.1). A code is good for one exchange and a refresh token for one
 * renewal: whoever uses one again has it from somebody else, so all that came of it ends.
 */
final class Apps {

    static final Duration ACCESS_LIFETIME = Duration.ofHours(1);

    private static final Duration CODE_LIFETIME = Duration.ofMinutes(1);
    private static final Duration REFRESH_LIFETIME = Duration.ofDays(30);
    private static final Duration CODES_KEPT = Duration.ofDays(1);
    private static final int MAX_GRANTS_PER_APP = 10;
    private static final int MAX_ACCESS_TOKENS = 5;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final Sessions sessions;
    private final AuditLog audit;
    private final Revocations revocations;
    private final AppStore store = new AppStore();
    private final TokenStore tokens = new TokenStore();

    Apps(Db db, IdGenerator ids, InstantSource clock, Sessions sessions, AuditLog audit, Revocations revocations) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.sessions = sessions;
        this.audit = audit;
        this.revocations = revocations;
    }

    /** An app that somebody has let in, once or several times. */
    record ConnectedApp(AppId id, String name, String place, Granted scopes, Instant connectedAt, Instant lastUsedAt) {}

    /** The tokens that an app is given for a code or a refresh token. */
    record IssuedTokens(String accessToken, String refreshToken, Granted scopes) {

        @Override
        public String toString() {
            return "IssuedTokens[" + scopes + "]";
        }
    }

    /**
     * Lets an app in: the answer is the code that it exchanges. As for tokens, the caller is confirmed: it outlives the session.
     *
     * @param password empty if the session was confirmed lately
     */
    String allow(Caller caller, AuthorizationRequest request, Granted scopes, String password) {
        caller.requireNotActing();
        caller.requireSession();
        var confirmation = sessions.confirm(caller, password);
        var secret = BearerSecret.random(BearerSecret.CODE);
        var client = request.client();
        db.useTransaction(tx -> {
            confirmation.require(tx);
            var now = clock.instant();
            if (!store.markUsed(tx, client.id(), now)) {
                throw AccountsProblem.unknownApp();
            }
            store.insert(
                    tx,
                    new IssuedCode(
                            caller.user(),
                            client.id(),
                            request.redirectUri().text(),
                            request.challenge(),
                            scopes,
                            now.plus(CODE_LIFETIME),
                            null),
                    secret);
            audit.record(tx, caller, AuditLog.Action.APP_CONNECTED, AuditLog.Target.named(client.name()));
        });
        return secret.text();
    }

    /** Exchanges a code for tokens. A second exchange by whoever made the first one ends what that gave. */
    IssuedTokens redeem(OAuthClient client, String code, Optional<String> redirectUri, String verifier) {
        var secret = new BearerSecret(code);
        return db.inTransaction(tx -> redeem(tx, client, secret, redirectUri, verifier))
                .orElseThrow(OAuthError::invalidGrant);
    }

    private Optional<IssuedTokens> redeem(
            Tx tx, OAuthClient client, BearerSecret secret, Optional<String> redirectUri, String verifier) {
        var now = clock.instant();
        var code = store.lockCode(tx, secret)
                .filter(found -> found.client().equals(client.id())
                        && found.redirectUri().equals(redirectUri.orElse(found.redirectUri()))
                        && AuthorizationRequest.matches(found.challenge(), verifier))
                .orElse(null);
        if (code == null) {
            return Optional.empty();
        }
        var redeemed = code.grant();
        if (redeemed != null) {
            end(tx, code.user(), redeemed);
            return Optional.empty();
        }
        if (!code.expiresAt().isAfter(now)) {
            return Optional.empty();
        }
        var grant = new Grant(ids.next(), code.user(), client.id(), code.scopes());
        if (store.insert(tx, grant, now, now.plus(REFRESH_LIFETIME), MAX_GRANTS_PER_APP)) {
            revocations.after(tx, grant.user());
        }
        store.setGrant(tx, secret, grant.id());
        return Optional.of(issue(tx, client, grant, grant.scopes(), now));
    }

    /**
     * Renews the tokens of an app, whose refresh token is exchanged for another.
     *
     * @param scopes fewer than were allowed, for this access token; more are an error
     */
    IssuedTokens refresh(OAuthClient client, String refreshToken, Optional<Granted> scopes) {
        var secret = new BearerSecret(refreshToken);
        return db.inTransaction(tx -> refresh(tx, client, secret, scopes)).orElseThrow(OAuthError::invalidGrant);
    }

    private Optional<IssuedTokens> refresh(Tx tx, OAuthClient client, BearerSecret secret, Optional<Granted> scopes) {
        var now = clock.instant();
        var token = store.lockRefresh(tx, secret, now)
                .filter(found -> found.grant().client().equals(client.id()))
                .orElse(null);
        if (token == null) {
            return Optional.empty();
        }
        var grant = token.grant();
        if (token.isUsed()) {
            end(tx, grant.user(), grant.id());
            return Optional.empty();
        }
        var narrowed = scopes.orElse(grant.scopes());
        if (!grant.scopes().contains(narrowed)) {
            throw OAuthError.invalidScope("The scope is more than was allowed.");
        }
        store.markUsed(tx, token);
        store.prolong(tx, grant.id(), now, now.plus(REFRESH_LIFETIME));
        return Optional.of(issue(tx, client, grant, narrowed, now));
    }

    private IssuedTokens issue(Tx tx, OAuthClient client, Grant grant, Granted scopes, Instant now) {
        var access = BearerSecret.random(BearerSecret.TOKEN);
        var refresh = BearerSecret.random(BearerSecret.REFRESH);
        var token = new ApiToken(
                new TokenId(ids.next()), grant.user(), client.name(), scopes, null, now.plus(ACCESS_LIFETIME));
        tokens.insert(tx, token, access, grant.id());
        tokens.deleteOfGrant(tx, grant.id(), MAX_ACCESS_TOKENS);
        store.insertRefresh(tx, ids.next(), refresh, grant.id());
        return new IssuedTokens(access.text(), refresh.text(), scopes);
    }

    /** Ends what came of a code or refresh token that was used again. */
    private void end(Tx tx, UserId user, long grant) {
        store.deleteGrant(tx, grant);
        revocations.after(tx, user);
        audit.record(tx, null, AuditLog.Action.APP_TOKEN_REUSED, user);
    }

    /** Ends an access token, or with a refresh token all that it belongs to (RFC 7009); others are ignored. */
    void revoke(OAuthClient client, String token) {
        var secret = new BearerSecret(token);
        db.useTransaction(tx -> {
            tokens.deleteOfClient(tx, secret, client.id()).ifPresent(user -> revocations.after(tx, user));
            store.lockRefresh(tx, secret, clock.instant())
                    .map(AppStore.RefreshToken::grant)
                    .filter(grant -> grant.client().equals(client.id()))
                    .ifPresent(grant -> {
                        store.deleteGrant(tx, grant.id());
                        revocations.after(tx, grant.user());
                    });
        });
    }

    /** The apps that the caller has let in, newest first; {@code before} is the last one seen. */
    List<ConnectedApp> list(Caller caller, Optional<AppId> before, int limit) {
        long bound = before.map(AppId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.user(), bound, limit, clock.instant()));
    }

    /** Ends all that the caller has allowed the app. */
    void disconnect(Caller caller, AppId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var client = store.client(tx, id).orElseThrow(AccountsProblem::appNotFound);
            if (store.deleteGrants(tx, caller.user(), id) == 0) {
                throw AccountsProblem.appNotFound();
            }
            revocations.after(tx, caller.user());
            audit.record(tx, caller, AuditLog.Action.APP_DISCONNECTED, AuditLog.Target.named(client.name()));
        });
    }

    void sweep() {
        var now = clock.instant();
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteCodes(tx, now.minus(CODES_KEPT), limit)));
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteUsed(tx, now.minus(REFRESH_LIFETIME), limit)));
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpired(tx, now, limit)));
    }
}
