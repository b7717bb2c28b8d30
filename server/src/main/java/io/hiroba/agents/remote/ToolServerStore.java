package io.hiroba.agents.remote;

import io.hiroba.agents.remote.ToolServer.Connection;
import io.hiroba.agents.remote.ToolServer.JudgedEffect;
import io.hiroba.agents.remote.ToolServer.ServerTool;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.secrets.EncryptedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of servers of tools, their credentials and their tools. */
final class ToolServerStore {

    static final EncryptedColumn CREDENTIALS =
            new EncryptedColumn("agents.tool_server_credentials", "CAST(server_id AS text) || ' ' || origin");

    private static final String COLUMNS =
            "s.id, s.name, s.url, s.enabled, c.header, s.created_at, s.listed_at, s.failure, o.issuer, o.scope, o.connected_at, o.failure AS ended";
    private static final String TOOL = "t.name, t.definition, t.listed, t.allowed, t.effect";

    /** A credential's identity, as the column says. */
    static String row(long server, String origin) {
        return server + " " + origin;
    }

    /** Lets servers be added one after the other. */
    void lockAll(Tx tx) {
        tx.lock("agents.tool_servers", "");
    }

    boolean insert(Tx tx, long id, String name, String url) {
        return tx.update("""
                        INSERT INTO agents.tool_servers (id, name, url) VALUES (:id, :name, :url)
                        ON CONFLICT (name) DO NOTHING
                        """).bind("id", id).bind("name", name).bind("url", url).execute() == 1;
    }

    List<ToolServer> list(Reads reads) {
        return reads.query("""
                        SELECT %s FROM agents.tool_servers s
                        LEFT JOIN agents.tool_server_credentials c ON c.server_id = s.id
                        LEFT JOIN agents.tool_server_connections o ON o.server_id = s.id
                        ORDER BY s.name
                        """.formatted(COLUMNS)).map(ToolServerStore::server).list();
    }

    Optional<ToolServer> find(Reads reads, long id) {
        return reads.query("""
                        SELECT %s FROM agents.tool_servers s
                        LEFT JOIN agents.tool_server_credentials c ON c.server_id = s.id
                        LEFT JOIN agents.tool_server_connections o ON o.server_id = s.id
                        WHERE s.id = :id
                        """.formatted(COLUMNS))
                .bind("id", id)
                .map(ToolServerStore::server)
                .findOne();
    }

    /** The server, which stays as it is until {@code tx} ends. */
    Optional<ToolServer> lock(Tx tx, long id) {
        tx.query("SELECT id FROM agents.tool_servers WHERE id = :id FOR UPDATE")
                .bind("id", id)
                .mapTo(Long.class)
                .findOne();
        return find(tx, id);
    }

    void update(Tx tx, long id, String url, boolean enabled) {
        tx.update("UPDATE agents.tool_servers SET url = :url, enabled = :enabled WHERE id = :id")
                .bind("id", id)
                .bind("url", url)
                .bind("enabled", enabled)
                .execute();
    }

    /** Deletes a server with its tools, which no agent has any more. */
    void delete(Tx tx, long id) {
        tx.update("""
                        UPDATE agents.agents AS a
                        SET tools = ARRAY(SELECT u.tool FROM unnest(a.tools) WITH ORDINALITY AS u (tool, place)
                                          WHERE u.tool NOT IN (SELECT t.name FROM agents.server_tools t WHERE t.server_id = :id)
                                          ORDER BY u.place)
                        WHERE a.tools && ARRAY(SELECT t.name FROM agents.server_tools t WHERE t.server_id = :id)
                        """).bind("id", id).execute();
        tx.update("DELETE FROM agents.tool_servers WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    void saveCredential(Tx tx, long id, String origin, String header, byte[] secret) {
        tx.update("""
                        INSERT INTO agents.tool_server_credentials (server_id, origin, header, secret)
                        VALUES (:id, :origin, :header, :secret)
                        ON CONFLICT (server_id) DO UPDATE
                        SET origin = excluded.origin, header = excluded.header, secret = excluded.secret
                        """)
                .bind("id", id)
                .bind("origin", origin)
                .bind("header", header)
                .bind("secret", secret)
                .execute();
    }

    /** Deletes a credential, unless it is for this origin. */
    boolean deleteCredential(Tx tx, long id, String unless) {
        return tx.update("DELETE FROM agents.tool_server_credentials WHERE server_id = :id AND origin <> :unless")
                        .bind("id", id)
                        .bind("unless", unless)
                        .execute()
                == 1;
    }

    /** A server's address with its encrypted credential. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record AddressRow(
            long server,
            String url,
            @Nullable String header,
            @Nullable String origin,
            byte @Nullable [] secret) {}

    Optional<AddressRow> address(Reads reads, long id) {
        return reads.query("""
                        SELECT s.id, s.url, c.header, c.origin, c.secret FROM agents.tool_servers s
                        LEFT JOIN agents.tool_server_credentials c ON c.server_id = s.id
                        WHERE s.id = :id
                        """)
                .bind("id", id)
                .map(row -> new AddressRow(
                        row.getLong("id"),
                        row.getString("url"),
                        row.getString("header"),
                        row.getString("origin"),
                        row.getBytes("secret")))
                .findOne();
    }

    void noteListed(Tx tx, long id, Instant now, @Nullable String failure) {
        tx.update("UPDATE agents.tool_servers SET listed_at = :now, failure = :failure WHERE id = :id")
                .bind("id", id)
                .bind("now", now)
                .bind("failure", failure)
                .execute();
    }

    /** Replaces the definitions of a server's tools. Those that it has no more are forgotten unless one was allowed. */
    void saveTools(Tx tx, long id, Map<String, RemoteDefinition> tools) {
        var names = tools.keySet();
        tx.update("DELETE FROM agents.server_tools WHERE server_id = :id AND allowed IS NULL AND name <> ALL (:names)")
                .bind("id", id)
                .bindArray("names", String.class, names)
                .execute();
        tx.update("UPDATE agents.server_tools SET listed = false WHERE server_id = :id AND name <> ALL (:names)")
                .bind("id", id)
                .bindArray("names", String.class, names)
                .execute();
        tx.update("""
                        INSERT INTO agents.server_tools AS t (name, server_id, remote_name, definition)
                        SELECT n.name, :id, n.remote_name, n.definition
                        FROM unnest(:names, :remotes, :definitions) AS n (name, remote_name, definition)
                        ORDER BY n.name
                        ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, listed = true
                        WHERE t.server_id = excluded.server_id AND t.remote_name = excluded.remote_name
                        """)
                .bind("id", id)
                .bindArray("names", String.class, tools.entrySet(), Map.Entry::getKey)
                .bindArray(
                        "remotes",
                        String.class,
                        tools.entrySet(),
                        tool -> tool.getValue().remoteName())
                .bindArray(
                        "definitions",
                        String.class,
                        tools.entrySet(),
                        tool -> tool.getValue().json())
                .execute();
    }

    /** Notes what a server says of one tool now; null if it has it no more. */
    void noteTool(Tx tx, String name, @Nullable RemoteDefinition definition) {
        tx.update("""
                        UPDATE agents.server_tools
                        SET definition = coalesce(:definition, definition), listed = CAST(:definition AS text) IS NOT NULL
                        WHERE name = :name
                        """)
                .bind("name", name)
                .bind("definition", definition == null ? null : definition.json())
                .execute();
    }

    List<ServerTool> tools(Reads reads, long id) {
        return reads.query(
                        "SELECT %s FROM agents.server_tools t WHERE t.server_id = :id ORDER BY t.name".formatted(TOOL))
                .bind("id", id)
                .map(ToolServerStore::tool)
                .list();
    }

    Optional<ServerTool> lockTool(Tx tx, long id, String name) {
        return tx.query("""
                        SELECT %s FROM agents.server_tools t
                        WHERE t.server_id = :id AND t.name = :name
                        FOR UPDATE
                        """.formatted(TOOL))
                .bind("id", id)
                .bind("name", name)
                .map(ToolServerStore::tool)
                .findOne();
    }

    /** @param allowed null to withdraw it */
    void allow(Tx tx, String name, @Nullable String allowed, JudgedEffect effect) {
        tx.update("UPDATE agents.server_tools SET allowed = :allowed, effect = :effect WHERE name = :name")
                .bind("name", name)
                .bind("allowed", allowed)
                .bind("effect", effect.code())
                .execute();
    }

    /** A tool that agents may use, and its server. */
    record UsableTool(ServerTool tool, long server, String serverName, String url) {}

    /** The names of all that agents may use, up to a bound. */
    List<String> usableNames(Reads reads) {
        return reads.query("""
                        SELECT t.name FROM agents.server_tools t JOIN agents.tool_servers s ON s.id = t.server_id
                        WHERE s.enabled AND t.listed AND t.allowed = t.definition
                        ORDER BY t.name
                        LIMIT 500
                        """).mapTo(String.class).list();
    }

    /** Those of {@code names} that agents may use: allowed as they are, of servers that are enabled. */
    List<UsableTool> usable(Reads reads, Collection<String> names) {
        return reads.query("""
                        SELECT %s, s.id AS server_id, s.name AS server_name, s.url AS server_url
                        FROM agents.server_tools t JOIN agents.tool_servers s ON s.id = t.server_id
                        WHERE t.name = ANY (:names) AND s.enabled AND t.listed AND t.allowed = t.definition
                        """.formatted(TOOL))
                .bindArray("names", String.class, names)
                .map(row -> new UsableTool(
                        tool(row), row.getLong("server_id"), row.getString("server_name"), row.getString("server_url")))
                .list();
    }

    private static ServerTool tool(ResultSet row) throws SQLException {
        return new ServerTool(
                row.getString("name"),
                new RemoteDefinition(row.getString("definition")),
                row.getBoolean("listed"),
                row.getString("allowed"),
                JudgedEffect.valueOf(row.getString("effect").toUpperCase(Locale.ROOT)));
    }

    private static ToolServer server(ResultSet row) throws SQLException {
        return new ToolServer(
                row.getLong("id"),
                row.getString("name"),
                row.getString("url"),
                row.getBoolean("enabled"),
                row.getString("header"),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "listed_at"),
                row.getString("failure"),
                connection(row));
    }

    private static @Nullable Connection connection(ResultSet row) throws SQLException {
        var issuer = row.getString("issuer");
        return issuer == null
                ? null
                : new Connection(
                        issuer,
                        row.getString("scope"),
                        Columns.instant(row, "connected_at"),
                        row.getString("ended") != null);
    }
}
