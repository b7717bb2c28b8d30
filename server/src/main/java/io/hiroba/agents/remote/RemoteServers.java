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

    public RemoteServers(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            Encryption encryption,
            AuditLog audit,
            ToolServersConfig config) {
        client = new RemoteClient(encryption, config);
        tools = new RemoteTools(db, client);
        servers = new ToolServers(new Parts(db, ids, clock, audit, client, config));
    }

    ToolServers servers() {
        return servers;
    }

    public RemoteTools tools() {
        return tools;
    }

    public Routes routes() {
        return new ToolServerRoutes(servers);
    }

    public Routes pages(Shell shell, Readers readers) {
        return new ToolServerPages(shell, readers, servers);
    }

    @Override
    public void close() {
        client.close();
    }
}
