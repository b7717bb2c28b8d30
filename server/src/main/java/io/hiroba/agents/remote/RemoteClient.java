package io.hiroba.agents.remote;

import io.hiroba.agents.remote.McpSession.RemoteAddress;
import io.hiroba.agents.remote.RemoteFailure.Kind;
import io.hiroba.agents.remote.ToolServerStore.AddressRow;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.OutgoingHttp;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.secrets.UnreadableSecretException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Locale;

/** Opens sessions with servers, with their credentials or the tokens that an authorization server gave for them. */
final class RemoteClient implements AutoCloseable {

    private static final String AUTHORIZATION = "Authorization";

    private final Db db;
    private final Encryption encryption;
    private final ToolServersConfig config;
    private final OutgoingHttp outgoing;
    private final OAuthDiscovery discovery;
    private final OAuthEndpoints endpoints;
    private final TokenRefresher tokens;
    private final ToolServerStore store = new ToolServerStore();

    RemoteClient(Db db, InstantSource clock, Encryption encryption, ToolServersConfig config) {
        this.db = db;
        this.encryption = encryption;
        this.config = config;
        this.outgoing =
                new OutgoingHttp("tool-servers", config.timeout(), new SafeAddressResolver(config.privateAddresses()));
        var http = new OAuthHttp(outgoing, config);
        discovery = new OAuthDiscovery(http);
        endpoints = new OAuthEndpoints(http);
        tokens = new TokenRefresher(db, clock, encryption, endpoints);
        encryption.register(ToolServerStore.CREDENTIALS);
        encryption.register(ToolServerGrantStore.ATTEMPTS);
    }

    Encryption encryption() {
        return encryption;
    }

    OAuthDiscovery discovery() {
        return discovery;
    }

    OAuthEndpoints endpoints() {
        return endpoints;
    }

    TokenRefresher tokens() {
        return tokens;
    }

    /** The part of an address that a credential is for. */
    static String origin(String url) {
        var uri = URI.create(url);
        var port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return (uri.getScheme() + "://" + uri.getHost() + port).toLowerCase(Locale.ROOT);
    }

    byte[] encrypted(Tx tx, long server, String origin, String credential) {
        return encryption.encrypt(
                tx,
                ToolServerStore.CREDENTIALS,
                ToolServerStore.row(server, origin),
                credential.getBytes(StandardCharsets.UTF_8));
    }

    /** A use of a session that may be repeated where the server refuses the token. */
    @FunctionalInterface
    interface SessionUse<T> {
        T use(McpSession session) throws RemoteFailure, InterruptedException;
    }

    /** Opens a session for {@code use}; where its token is refused, with a new one once more. */
    <T> T inSession(long server, SessionUse<T> use) throws RemoteFailure, InterruptedException {
        var row = db.read(reads -> store.address(reads, server)).orElseThrow(() -> new RemoteFailure(Kind.CONNECTION));
        var token = tokens.token(server, row.url());
        if (token.isEmpty()) {
            return inSession(address(row), use);
        }
        try {
            return inSession(bearer(row, token.get()), use);
        } catch (RemoteFailure refused) {
            if (!refused.isUnauthorized()) {
                throw refused;
            }
            return inSession(bearer(row, tokens.renewed(server, token.get())), use);
        }
    }

    private <T> T inSession(RemoteAddress address, SessionUse<T> use) throws RemoteFailure, InterruptedException {
        try (var session = new McpSession(outgoing.client(), address, config.timeout())) {
            session.open();
            return use.use(session);
        }
    }

    private static RemoteAddress bearer(AddressRow row, String token) {
        return new RemoteAddress(row.url(), AUTHORIZATION, "Bearer " + token);
    }

    private RemoteAddress address(AddressRow row) throws RemoteFailure {
        var header = row.header();
        var origin = row.origin();
        var secret = row.secret();
        if (header == null || origin == null || secret == null || !origin.equals(origin(row.url()))) {
            return new RemoteAddress(row.url(), null, "");
        }
        try {
            var credential =
                    encryption.decrypt(ToolServerStore.CREDENTIALS, ToolServerStore.row(row.server(), origin), secret);
            return new RemoteAddress(row.url(), header, new String(credential, StandardCharsets.UTF_8));
        } catch (UnreadableSecretException e) {
            throw new RemoteFailure(Kind.CREDENTIAL, "", e);
        }
    }

    @Override
    public void close() {
        tokens.close();
        outgoing.close();
    }
}
