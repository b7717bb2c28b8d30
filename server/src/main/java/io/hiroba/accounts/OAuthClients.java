package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Registers apps, which do so themselves (RFC 7591), finds and authenticates them, and forgets those that nobody lets in. */
final class OAuthClients {

    static final int MAX_UNUSED = 1000;

    private static final Duration UNUSED_KEPT = Duration.ofDays(1);
    private static final Duration FORGOTTEN_AFTER = Duration.ofDays(180);

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final Throttle throttle;
    private final Throttle.Limit limit;
    private final AppStore store = new AppStore();

    /** @param perHour registrations from one client address */
    OAuthClients(Db db, IdGenerator ids, InstantSource clock, Throttle throttle, int perHour) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.throttle = throttle;
        this.limit = new Throttle.Limit(perHour, Duration.ofHours(1));
    }

    /** An app that has just registered, with its secret, which is not stored; null if it has none. */
    record Registered(OAuthClient client, @Nullable String secret) {

        @Override
        public String toString() {
            return "Registered[" + client.id() + "]";
        }
    }

    /** Registers an app; anybody may, so that one more takes the place of the oldest that nobody let in. */
    Registered register(String address, String name, List<String> redirectUris, boolean hasSecret) {
        var cleaned = name.strip();
        if (!Nickname.isVisibleLine(cleaned, OAuthClient.MAX_NAME)) {
            throw OAuthError.invalidMetadata("client_name must be one line of 1 to 100 characters.");
        }
        if (redirectUris.isEmpty() || redirectUris.size() > OAuthClient.MAX_REDIRECT_URIS) {
            throw OAuthError.invalidRedirectUri("redirect_uris must be a list of 1 to 10 addresses.");
        }
        var uris = redirectUris.stream().map(RedirectUri::parse).toList();
        throttle.check("oauth:register:" + address, limit).orThrow();
        var secret = hasSecret ? BearerSecret.random(BearerSecret.CLIENT) : null;
        var client = new OAuthClient(new AppId(ids.next()), cleaned, secret == null ? null : secret.hash(), uris);
        db.useTransaction(tx -> store.insert(tx, client));
        return new Registered(client, secret == null ? null : secret.text());
    }

    Optional<OAuthClient> find(String id) {
        return Ids.isId(id) ? db.read(reads -> store.client(reads, AppId.parse(id))) : Optional.empty();
    }

    /** @throws OAuthError unless the secret is that of the client, or is none where it has none */
    OAuthClient authenticate(String id, Optional<String> secret) {
        return find(id).filter(client -> client.isAuthenticatedBy(secret)).orElseThrow(OAuthError::invalidClient);
    }

    void sweep() {
        var now = clock.instant();
        RetentionSweep.run(
                limit -> db.inTransaction(tx -> store.deleteUnused(tx, now.minus(UNUSED_KEPT), MAX_UNUSED, limit)));
        RetentionSweep.run(
                limit -> db.inTransaction(tx -> store.deleteForgotten(tx, now.minus(FORGOTTEN_AFTER), limit)));
    }
}
