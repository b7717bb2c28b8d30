package io.hiroba.agents.remote;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.agents.remote.ToolServer.JudgedEffect;
import io.hiroba.agents.remote.ToolServer.ServerTool;
import io.hiroba.agents.remote.ToolServer.ToolState;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.OutgoingUrl;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The facade of servers of tools, which admins add, and of whose tools they allow one by one. */
final class ToolServers {

    private static final int MAX_SERVERS = 50;
    private static final int MAX_TOOLS = 200;
    private static final int MAX_CREDENTIAL = 4_000;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,19}");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,59}");
    private static final Pattern CREDENTIAL = Pattern.compile("[!-~](?:[ -~]*[!-~])?");
    private static final String AUTHORIZATION = "Authorization";

    /** Those that the protocol and the client set. */
    private static final Set<String> RESERVED = Set.of(
            "host",
            "connection",
            "content-length",
            "content-type",
            "transfer-encoding",
            "accept",
            "cookie",
            "te",
            "upgrade",
            "expect",
            "trailer",
            "mcp-session-id",
            "mcp-protocol-version");

    /** The parts that servers are managed with. */
    record Parts(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            AuditLog audit,
            RemoteClient client,
            ToolServersConfig config) {}

    private final Parts parts;
    private final Db db;
    private final ToolServerStore store = new ToolServerStore();
    private final ToolServerGrantStore grants = new ToolServerGrantStore();

    ToolServers(Parts parts) {
        this.parts = parts;
        this.db = parts.db();
    }

    /**
     * The settings of a server to add or change; null leaves one as it is.
     *
     * @param credential empty to take it away
     */
    record ServerSettings(
            @Nullable String url,
            @Nullable Boolean enabled,
            @Nullable String header,
            @Nullable String credential) {}

    /** A server with its tools. */
    record ListedServer(ToolServer server, List<ServerTool> tools) {

        ListedServer {
            tools = List.copyOf(tools);
        }
    }

    List<ToolServer> list(Caller caller) {
        caller.requireAdmin();
        return db.read(store::list);
    }

    ListedServer get(Caller caller, long id) {
        caller.requireAdmin();
        return db.read(reads -> new ListedServer(
                store.find(reads, id).orElseThrow(ToolServerProblem::notFound), store.tools(reads, id)));
    }

    ListedServer add(Caller caller, String name, ServerSettings settings) {
        caller.requireAdmin();
        if (!NAME.matcher(name).matches()) {
            throw ToolServerProblem.invalid("name", Text.of("agents.field.server-name"));
        }
        var url = requireUrl(Optional.ofNullable(settings.url()).orElse(""));
        long id = parts.ids().next();
        db.useTransaction(tx -> {
            store.lockAll(tx);
            if (store.list(tx).size() >= MAX_SERVERS) {
                throw ToolServerProblem.tooMany(MAX_SERVERS);
            }
            if (!store.insert(tx, id, name, url)) {
                throw ToolServerProblem.nameTaken(name);
            }
            parts.audit()
                    .record(
                            tx,
                            caller,
                            Action.TOOL_SERVER_ADDED,
                            target(id, name),
                            Changes.NONE.with("url", null, url));
            setCredential(tx, caller, target(id, name), url, settings);
            store.update(tx, id, url, !Boolean.FALSE.equals(settings.enabled()));
        });
        return get(caller, id);
    }

    private static Target target(long id, String name) {
        return Target.of(TargetKind.TOOL_SERVER, Ids.hex(id), name);
    }

    ListedServer update(Caller caller, long id, ServerSettings settings) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var before = store.lock(tx, id).orElseThrow(ToolServerProblem::notFound);
            var url = settings.url() == null ? before.url() : requireUrl(settings.url());
            boolean enabled = settings.enabled() == null ? before.enabled() : settings.enabled();
            var target = target(id, before.name());
            if (store.deleteCredential(tx, id, RemoteClient.origin(url))) {
                parts.audit().record(tx, caller, Action.TOOL_SERVER_CREDENTIAL_CHANGED, target);
            }
            setCredential(tx, caller, target, url, settings);
            // Tokens are for one address, and a credential that is given takes their place.
            boolean hasCredential =
                    settings.credential() != null && !settings.credential().isEmpty();
            if ((hasCredential || !url.equals(before.url())) && grants.delete(tx, id)) {
                parts.audit().record(tx, caller, Action.TOOL_SERVER_DISCONNECTED, target);
            }
            store.update(tx, id, url, enabled);
            var changes = Changes.NONE.with("url", before.url(), url).with("enabled", before.enabled(), enabled);
            parts.audit().record(tx, caller, Action.TOOL_SERVER_CHANGED, target, changes);
        });
        return get(caller, id);
    }

    private void setCredential(Tx tx, Caller caller, Target target, String url, ServerSettings settings) {
        var credential = settings.credential();
        if (credential == null) {
            return;
        }
        long id = Ids.parse(String.valueOf(target.id()));
        var origin = RemoteClient.origin(url);
        if (credential.isEmpty()) {
            store.deleteCredential(tx, id, "");
        } else {
            var header = requireHeader(settings.header());
            if (credential.length() > MAX_CREDENTIAL
                    || !CREDENTIAL.matcher(credential).matches()) {
                throw ToolServerProblem.invalid(
                        "credential", Text.of("agents.field.credential", "max", MAX_CREDENTIAL));
            }
            var sent = header.equalsIgnoreCase(AUTHORIZATION) && !credential.contains(" ")
                    ? "Bearer " + credential
                    : credential;
            store.saveCredential(tx, id, origin, header, parts.client().encrypted(tx, id, origin, sent));
        }
        parts.audit().record(tx, caller, Action.TOOL_SERVER_CREDENTIAL_CHANGED, target);
    }

    private static String requireHeader(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return AUTHORIZATION;
        }
        if (!HEADER.matcher(header).matches() || RESERVED.contains(header.toLowerCase(Locale.ROOT))) {
            throw ToolServerProblem.invalid("header", Text.of("agents.field.header"));
        }
        return header;
    }

    private String requireUrl(String url) {
        boolean any = parts.config().privateAddresses();
        var fault = OutgoingUrl.check(url, any);
        if (fault.isPresent()) {
            throw ToolServerProblem.invalid(
                    "url",
                    switch (fault.get()) {
                        case PRIVATE -> Text.of("agents.field.private-url");
                        case UNUSABLE ->
                            Text.of(any ? "agents.field.url-any" : "agents.field.url", "max", OutgoingUrl.MAX_LENGTH);
                    });
        }
        return url;
    }

    void delete(Caller caller, long id) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var server = store.lock(tx, id).orElseThrow(ToolServerProblem::notFound);
            store.delete(tx, id);
            parts.audit().record(tx, caller, Action.TOOL_SERVER_DELETED, target(id, server.name()));
        });
    }

    /** Asks a server for its tools. Those that are as they were allowed stay so. */
    ListedServer refresh(Caller caller, long id) throws InterruptedException {
        caller.requireAdmin();
        var server = get(caller, id).server();
        try {
            save(id, parts.client().inSession(id, session -> listed(session, server.name())), null);
        } catch (RemoteFailure failure) {
            save(id, null, failure.kind().code());
            throw ToolServerProblem.failed(failure);
        }
        return get(caller, id);
    }

    private static Map<String, RemoteDefinition> listed(McpSession session, String server)
            throws RemoteFailure, InterruptedException {
        var tools = new LinkedHashMap<String, RemoteDefinition>();
        session.findTool(listed -> {
            RemoteDefinition.of(listed).ifPresent(tool -> tools.putIfAbsent(tool.nameOn(server), tool));
            return tools.size() < MAX_TOOLS ? Optional.empty() : Optional.of(tools);
        });
        return tools;
    }

    private void save(long id, @Nullable Map<String, RemoteDefinition> tools, @Nullable String failure) {
        db.useTransaction(tx -> {
            if (store.lock(tx, id).isPresent()) {
                if (tools != null) {
                    store.saveTools(tx, id, tools);
                }
                store.noteListed(tx, id, parts.clock().instant(), failure);
            }
        });
    }

    /**
     * Lets agents be given a tool.
     *
     * @param digest of the definition that the admin has looked at
     */
    ListedServer allow(Caller caller, long id, String tool, JudgedEffect effect, String digest) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var server = store.lock(tx, id).orElseThrow(ToolServerProblem::notFound);
            var found = store.lockTool(tx, id, tool).orElseThrow(ToolServerProblem::toolNotFound);
            if (found.state() == ToolState.UNUSABLE) {
                throw ToolServerProblem.toolUnusable();
            }
            if (!found.definition().digest().equals(digest)) {
                throw ToolServerProblem.toolChanged();
            }
            store.allow(tx, tool, found.definition().json(), effect);
            var changes = Changes.NONE
                    .with("tool", null, tool)
                    .with(
                            "effect",
                            found.allowed() == null ? null : found.effect().code(),
                            effect.code());
            parts.audit().record(tx, caller, Action.SERVER_TOOL_ALLOWED, target(id, server.name()), changes);
        });
        return get(caller, id);
    }

    ListedServer withdraw(Caller caller, long id, String tool) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var server = store.lock(tx, id).orElseThrow(ToolServerProblem::notFound);
            if (store.lockTool(tx, id, tool).isEmpty()) {
                throw ToolServerProblem.toolNotFound();
            }
            store.allow(tx, tool, null, JudgedEffect.APPROVAL);
            parts.audit()
                    .record(
                            tx,
                            caller,
                            Action.SERVER_TOOL_WITHDRAWN,
                            target(id, server.name()),
                            Changes.NONE.with("tool", tool, null));
        });
        return get(caller, id);
    }
}
