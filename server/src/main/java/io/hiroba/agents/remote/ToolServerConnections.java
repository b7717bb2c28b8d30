package io.hiroba.agents.remote;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.agents.remote.OAuthEndpoints.Issued;
import io.hiroba.agents.remote.RemoteFailure.Kind;
import io.hiroba.agents.remote.ToolServerGrantStore.GrantInfo;
import io.hiroba.agents.remote.ToolServerGrantStore.NewAttempt;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The facade of connections to servers of tools by OAuth: an admin begins one, comes back from the authorization server, and ends it. */
final class ToolServerConnections {

    private static final Logger log = LoggerFactory.getLogger(ToolServerConnections.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration LIFETIME = Duration.ofMinutes(15);

    private final ToolServers.Parts parts;
    private final ToolServerStore servers = new ToolServerStore();
    private final ToolServerGrantStore store = new ToolServerGrantStore();

    ToolServerConnections(ToolServers.Parts parts) {
        this.parts = parts;
    }

    /**
     * A connection that an admin has begun.
     *
     * @param location where the authorization server asks them
     * @param scope what is asked for; empty for what is usual there
     */
    record BegunConnection(String location, String issuer, String resource, String scope) {

        @Override
        public String toString() {
            return issuer;
        }
    }

    /** A grant that an admin is being asked for. */
    private record PendingGrant(
            String url,
            String issuer,
            boolean tellsIssuer,
            String scope,
            String redirectUri,
            String verifier,
            OAuthGrant grant) {

        @Override
        public String toString() {
            return issuer;
        }
    }

    /**
     * Finds the authorization server of a server, and registers there.
     *
     * @param clientId that an admin had registered there before; empty to register now
     */
    BegunConnection begin(Caller caller, long id, String clientId, String clientSecret, String redirectUri)
            throws InterruptedException {
        caller.requireAdmin();
        var session = session(caller);
        var server = parts.db().read(reads -> servers.find(reads, id)).orElseThrow(ToolServerProblem::notFound);
        try {
            var found = parts.client().discovery().discover(server.url());
            var client = clientId.isEmpty()
                    ? parts.client().endpoints().register(found.server(), redirectUri)
                    : OAuthEndpoints.known(found.server(), clientId, clientSecret);
            var state = random();
            var verifier = random();
            var pending = new PendingGrant(
                    server.url(),
                    found.server().issuer(),
                    found.server().tellsIssuer(),
                    found.scope(),
                    redirectUri,
                    verifier,
                    new OAuthGrant(
                            found.resource(),
                            found.server().tokenEndpoint(),
                            found.server().revocationEndpoint(),
                            client,
                            "",
                            ""));
            keep(caller, session, id, state, pending);
            return new BegunConnection(
                    location(found.server().authorizationEndpoint(), pending, state),
                    pending.issuer(),
                    found.resource(),
                    found.scope());
        } catch (RemoteFailure failure) {
            throw ToolServerProblem.notConnected(failure);
        }
    }

    private void keep(Caller caller, SessionId session, long id, String state, PendingGrant pending) {
        var now = parts.clock().instant();
        parts.db().useTransaction(tx -> {
            var hash = Sha256.hex(state);
            var secret = parts.client()
                    .encryption()
                    .encrypt(
                            tx,
                            ToolServerGrantStore.ATTEMPTS,
                            hash,
                            RemoteDefinition.JSON.writeValueAsString(pending).getBytes(StandardCharsets.UTF_8));
            store.begin(tx, new NewAttempt(hash, id, caller.user(), session, now.plus(LIFETIME)), secret, now);
        });
    }

    private static String location(String endpoint, PendingGrant pending, String state) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("response_type", "code");
        parameters.put("client_id", pending.grant().client().id());
        parameters.put("redirect_uri", pending.redirectUri());
        parameters.put("state", state);
        parameters.put("code_challenge", base64(Sha256.of(pending.verifier())));
        parameters.put("code_challenge_method", "S256");
        parameters.put("resource", pending.grant().resource());
        if (!pending.scope().isEmpty()) {
            parameters.put("scope", pending.scope());
        }
        return endpoint + (endpoint.contains("?") ? "&" : "?") + OAuthEndpoints.form(parameters);
    }

    /**
     * The end of a connection's making.
     *
     * @param refusal null if the server is connected
     */
    record FinishedConnection(long server, @Nullable Problem refusal) {}

    /** Ends what {@link #begin} began, in the same session and once, with the parameters of the authorization server's answer. */
    FinishedConnection finish(Caller caller, Map<String, List<String>> answer) throws InterruptedException {
        caller.requireAdmin();
        var session = session(caller);
        var state = Sha256.hex(only(answer, "state"));
        var taken = parts.db()
                .inTransaction(tx -> store.take(
                        tx, state, caller.user(), session, parts.clock().instant()))
                .orElseThrow(ToolServerProblem::connectionExpired);
        var json = parts.client().encryption().decrypt(ToolServerGrantStore.ATTEMPTS, state, taken.secret());
        var pending = RemoteDefinition.JSON.readValue(json, PendingGrant.class);
        try {
            requireIssuer(pending, only(answer, "iss"));
            if (answer.containsKey("error") || only(answer, "code").isEmpty()) {
                throw new RemoteFailure(Kind.NOT_AUTHORIZED, OAuthEndpoints.code(only(answer, "error")), null);
            }
            var issued = parts.client()
                    .endpoints()
                    .redeem(pending.grant(), only(answer, "code"), pending.verifier(), pending.redirectUri());
            save(caller, taken.server(), pending, issued);
            return new FinishedConnection(taken.server(), null);
        } catch (RemoteFailure failure) {
            return new FinishedConnection(taken.server(), ToolServerProblem.notConnected(failure));
        }
    }

    /** The answer of another server must not be taken for that of this one (RFC 9207). */
    private static void requireIssuer(PendingGrant pending, String issuer) throws RemoteFailure {
        if (issuer.isEmpty() ? pending.tellsIssuer() : !issuer.equals(pending.issuer())) {
            throw new RemoteFailure(Kind.OTHER_ISSUER);
        }
    }

    private void save(Caller caller, long id, PendingGrant pending, Issued issued) {
        var now = parts.clock().instant();
        var given = OAuthDiscovery.usableScope(issued.scope());
        var info = new GrantInfo(
                pending.url(),
                pending.issuer(),
                given.isEmpty() ? pending.scope() : given,
                caller.user(),
                now,
                TokenRefresher.refreshAt(now, issued.lifetime()));
        var grant = pending.grant().with(issued.access(), issued.refresh());
        parts.db().useTransaction(tx -> {
            var server = servers.lock(tx, id).orElseThrow(ToolServerProblem::notFound);
            if (!server.url().equals(pending.url())) {
                throw ToolServerProblem.connectionExpired();
            }
            store.save(tx, id, info, parts.client().tokens().encrypted(tx, id, pending.url(), grant));
            servers.deleteCredential(tx, id, "");
            parts.audit()
                    .record(
                            tx,
                            caller,
                            Action.TOOL_SERVER_CONNECTED,
                            Target.of(TargetKind.TOOL_SERVER, Ids.hex(id), server.name()),
                            Changes.NONE.with("issuer", null, pending.issuer()));
        });
    }

    /** Forgets the tokens, and has the authorization server forget them where it can. */
    void end(Caller caller, long id) throws InterruptedException {
        caller.requireAdmin();
        var ended = parts.db().inTransaction(tx -> {
            var server = servers.lock(tx, id).orElseThrow(ToolServerProblem::notFound);
            var row = store.lock(tx, id);
            if (store.delete(tx, id)) {
                parts.audit()
                        .record(
                                tx,
                                caller,
                                Action.TOOL_SERVER_DISCONNECTED,
                                Target.of(TargetKind.TOOL_SERVER, Ids.hex(id), server.name()));
            }
            return row;
        });
        if (ended.isPresent()) {
            try {
                parts.client().endpoints().revoke(parts.client().tokens().grant(ended.get()));
            } catch (RemoteFailure failure) {
                log.info("The token of a tool server is not revoked there: {}", failure.kind());
            }
        }
    }

    /** A connection is begun and ended in one browser. */
    private static SessionId session(Caller caller) {
        return caller.session().orElseThrow(ToolServerProblem::connectionExpired);
    }

    private static String only(Map<String, List<String>> answer, String name) {
        var values = answer.getOrDefault(name, List.of());
        return values.size() == 1 ? values.getFirst() : "";
    }

    private static String random() {
        var bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return base64(bytes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
