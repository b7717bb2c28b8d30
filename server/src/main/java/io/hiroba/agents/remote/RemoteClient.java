package io.hiroba.agents.remote;

import io.hiroba.agents.remote.McpSession.RemoteAddress;
import io.hiroba.agents.remote.RemoteFailure.Kind;
import io.hiroba.agents.remote.ToolServerStore.AddressRow;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.OutgoingHttp;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.secrets.UnreadableSecretException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Opens sessions with servers, with their credentials. */
final class RemoteClient implements AutoCloseable {

    private final Encryption encryption;
    private final ToolServersConfig config;
    private final OutgoingHttp outgoing;

    RemoteClient(Encryption encryption, ToolServersConfig config) {
        this.encryption = encryption;
        this.config = config;
        this.outgoing =
                new OutgoingHttp("tool-servers", config.timeout(), new SafeAddressResolver(config.privateAddresses()));
        encryption.register(ToolServerStore.CREDENTIALS);
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

    /** Opens a session, to be closed. */
    McpSession open(Optional<AddressRow> row) throws RemoteFailure, InterruptedException {
        var session = new McpSession(
                outgoing.client(),
                address(row.orElseThrow(() -> new RemoteFailure(Kind.CONNECTION))),
                config.timeout());
        try {
            session.open();
            return session;
        } catch (RemoteFailure | InterruptedException e) {
            session.close();
            throw e;
        }
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
        outgoing.close();
    }
}
