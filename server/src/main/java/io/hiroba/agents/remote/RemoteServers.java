package io.hiroba.agents.remote;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.remote.ToolServers.Parts;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;

/** Composes servers of tools: their API, their pages, and the tools that agents may use. */
public final class RemoteServers implements AutoCloseable {

    private final RemoteClient client;
    private final RemoteTools tools;
    private final ToolServers servers;

    public RemoteServers(Platform platform, AuditLog audit, ToolServersConfig config) {
        client = new RemoteClient(platform.encryption(), config);
        tools = new RemoteTools(platform.db(), client);
        servers = new ToolServers(
                new Parts(platform.db(), platform.ids(), platform.clock(), audit, client, config));
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
