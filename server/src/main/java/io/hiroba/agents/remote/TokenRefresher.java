package io.hiroba.agents.remote;

import io.hiroba.agents.remote.RemoteFailure.Kind;
import io.hiroba.agents.remote.ToolServerGrantStore.GrantRow;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.secrets.UnreadableSecretException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the access tokens of servers of tools, and refreshes them. Most authorization servers replace the refresh token each time and take a
 * second use of the former one for a theft. So the row is locked while one is used: of two nodes the second finds the new one. A refresh goes on
 * in a thread of its own when the run that wants it is stopped.
 */
final class TokenRefresher implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TokenRefresher.class);
    private static final Duration MAX_MARGIN = Duration.ofMinutes(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    private final Db db;
    private final InstantSource clock;
    private final Encryption encryption;
    private final OAuthEndpoints endpoints;
    private final ToolServerGrantStore store = new ToolServerGrantStore();
    private final Map<Long, CompletableFuture<String>> running = new ConcurrentHashMap<>();

    TokenRefresher(Db db, InstantSource clock, Encryption encryption, OAuthEndpoints endpoints) {
        this.db = db;
        this.clock = clock;
        this.encryption = encryption;
        this.endpoints = endpoints;
        encryption.register(ToolServerGrantStore.GRANTS);
    }

    /** When a token of this lifetime is to be refreshed: a little before its end. */
    static @Nullable Instant refreshAt(Instant now, @Nullable Duration lifetime) {
        if (lifetime == null) {
            return null;
        }
        var fifth = lifetime.dividedBy(5);
        return now.plus(lifetime).minus(fifth.compareTo(MAX_MARGIN) < 0 ? fifth : MAX_MARGIN);
    }

    byte[] encrypted(Tx tx, long server, String url, OAuthGrant grant) {
        return encryption.encrypt(
                tx,
                ToolServerGrantStore.GRANTS,
                ToolServerGrantStore.row(server, url),
                RemoteDefinition.JSON.writeValueAsString(grant).getBytes(StandardCharsets.UTF_8));
    }

    OAuthGrant grant(GrantRow row) throws RemoteFailure {
        try {
            var json = encryption.decrypt(
                    ToolServerGrantStore.GRANTS, ToolServerGrantStore.row(row.server(), row.url()), row.secret());
            return RemoteDefinition.JSON.readValue(json, OAuthGrant.class);
        } catch (UnreadableSecretException e) {
            throw new RemoteFailure(Kind.CREDENTIAL, "", e);
        }
    }

    /** The access token for a server at this address; empty if it is not connected. */
    Optional<String> token(long server, String url) throws RemoteFailure, InterruptedException {
        var found = db.read(reads -> store.find(reads, server))
                .filter(row -> row.url().equals(url));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var row = found.get();
        if (row.failure() != null) {
            throw new RemoteFailure(Kind.DISCONNECTED);
        }
        var token = grant(row).accessToken();
        var due = row.refreshAt();
        if (due == null || clock.instant().isBefore(due)) {
            return Optional.of(token);
        }
        try {
            return Optional.of(renewed(server, token));
        } catch (RemoteFailure failure) {
            if (failure.kind() == Kind.DISCONNECTED) {
                throw failure;
            }
            // It may be good for a moment still; the server refuses it if it is not.
            return Optional.of(token);
        }
    }

    /** The access token that takes the place of this one, which is refused or nearly over. */
    String renewed(long server, String used) throws RemoteFailure, InterruptedException {
        var fresh = new CompletableFuture<String>();
        var other = running.putIfAbsent(server, fresh);
        if (other == null) {
            Thread.ofVirtual().name("refresh of a token").start(() -> {
                try {
                    fresh.complete(refreshed(server, used));
                } catch (RemoteFailure | InterruptedException | RuntimeException e) {
                    fresh.completeExceptionally(e);
                } finally {
                    running.remove(server);
                }
            });
        }
        try {
            return (other == null ? fresh : other).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RemoteFailure failure) {
                throw new RemoteFailure(failure.kind(), failure.said(), failure);
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private String refreshed(long server, String used) throws RemoteFailure, InterruptedException {
        // A transaction may be run again, the refresh must not be.
        var issued = new AtomicReference<OAuthEndpoints.@Nullable Issued>();
        var outcome = db.inTransaction(tx -> {
            try {
                return new Outcome(refreshed(tx, server, used, issued), null);
            } catch (RemoteFailure failure) {
                if (failure.kind() == Kind.TOKEN_REFUSED) {
                    store.fail(tx, server, failure.said());
                }
                return new Outcome("", failure);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Outcome("", new RemoteFailure(Kind.CONNECTION, "", e));
            }
        });
        var failure = outcome.failure();
        if (failure == null) {
            return outcome.token();
        }
        log.warn("The token of the tool server {} is not refreshed: {} {}", server, failure.kind(), failure.said());
        throw failure.kind() == Kind.TOKEN_REFUSED ? new RemoteFailure(Kind.DISCONNECTED, "", failure) : failure;
    }

    /** The result of a transaction, which commits also where the refresh failed. */
    private record Outcome(String token, @Nullable RemoteFailure failure) {}

    private String refreshed(Tx tx, long server, String used, AtomicReference<OAuthEndpoints.@Nullable Issued> issued)
            throws RemoteFailure, InterruptedException {
        store.extendTimeouts(tx);
        var row = store.lock(tx, server).orElseThrow(() -> new RemoteFailure(Kind.DISCONNECTED));
        if (row.failure() != null) {
            throw new RemoteFailure(Kind.DISCONNECTED);
        }
        var grant = grant(row);
        if (!grant.accessToken().equals(used)) {
            return grant.accessToken();
        }
        if (grant.refreshToken().isEmpty()) {
            throw new RemoteFailure(Kind.TOKEN_REFUSED, "expired", null);
        }
        var answer = issued.get();
        if (answer == null) {
            answer = endpoints.refresh(grant);
            issued.set(answer);
        }
        store.refreshed(
                tx,
                server,
                refreshAt(clock.instant(), answer.lifetime()),
                encrypted(tx, server, row.url(), grant.with(answer.access(), answer.refresh())));
        return answer.access();
    }

    /** Waits for refreshes under way, whose answers are the only ones. */
    @Override
    public void close() {
        try {
            CompletableFuture.allOf(running.values().toArray(CompletableFuture<?>[]::new))
                    .get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.debug("A refresh has not ended well", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
