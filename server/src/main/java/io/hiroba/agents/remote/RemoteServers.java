package io.hiroba.agents.remote;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.remote.ToolServers.Parts;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.web.Shell;
import java.time.InstantSource;

/** Composes servers of tools: their API, their pages, and the tools that agents may use. */
public final class RemoteServers implements AutoCloseable {

    private final RemoteClient client;
    private final RemoteTools tools;
    private final ToolServers servers;
    private final ToolServerConnections connections;

    public RemoteServers(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            Encryption encryption,
            AuditLog audit,
            ToolServersConfig config) {
        client = new RemoteClient(db, clock, encryption, config);
        tools = new RemoteTools(db, client);
        var parts = new Parts(db, ids, clock, audit, client, config);
        servers = new ToolServers(parts);
        connections = new ToolServerConnections(parts);
    }

    ToolServers servers() {
        return servers;
    }

    ToolServerConnections connections() {
        return connections;
    }

    public RemoteTools tools() {
        return tools;
    }

    public Routes routes() {
        return new ToolServerRoutes(servers, connections);
    }

    /**
     * The pages of servers of tools.
     *
     * @param publicUrl the address of this server; empty if it is not configured
     */
    public Routes pages(Shell shell, Readers readers, String publicUrl) {
        var pages = new ToolServerPages(shell, readers, servers);
        var connecting = new ToolServerConnectionPages(shell, servers, connections, pages, publicUrl);
        return routes -> {
            pages.register(routes);
            connecting.register(routes);
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
