package io.hiroba.bench.records;

import io.hiroba.bench.CpuMeter;
import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.MeasuredServer;
import io.hiroba.bench.NpmPackages;
import io.hiroba.bench.PeerProcess;
import io.hiroba.bench.RawHttp;
import io.hiroba.bench.ServerProcess.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Directus on a database of its own in the PostgreSQL of a server of ours, with the same records in a table that has an index for
 * each column. It keeps answers until something is written, as ours does.
 */
public final class Directus implements MeasuredServer {

    /** The newest release of which the registry that was looked at has all parts. */
    private static final String VERSION = "12.4.0";

    private static final String TOKEN = "a-token-for-the-benchmark";

    private final Database database;
    private final Path folder;
    private final int port;
    private final PeerProcess process;

    private Directus(Database database, Path folder, int port, PeerProcess process) {
        this.database = database;
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Fetches, fills and starts it. */
    public static Directus start(Database database) {
        var modules = NpmPackages.modules("directus", "directus@" + VERSION);
        replaceScriptSandbox(modules);
        DirectusTable.createDatabase(database);
        int port = PeerProcess.freePort();
        var environment = environment(database, port);
        try {
            var folder = PeerProcess.newFolder("directus");
            Files.createDirectories(folder.resolve("uploads"));
            Files.createDirectories(folder.resolve("extensions"));
            var command = List.of(
                    NpmPackages.node(),
                    modules.resolve("directus").resolve("cli.js").toString());
            System.err.println("· preparing Directus");
            try (var bootstrap = process("bootstrap", folder, environment, command)) {
                bootstrap.awaitEnd();
            }
            DirectusTable.fill(database, RecordRequests.rows());
            var process = process("start", folder, environment, command);
            process.awaitAnswer(HttpRequest.newBuilder(PeerProcess.local(port, "/items/item?limit=1"))
                    .header("Authorization", "Bearer " + TOKEN));
            return new Directus(database, folder, port, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PeerProcess process(
            String action, Path folder, Map<String, String> environment, List<String> command) {
        return new PeerProcess(
                "directus-" + action, folder, environment, List.of(command.getFirst(), command.getLast(), action));
    }

    /** Its sandbox for scripts of users would be compiled for minutes, and nothing here runs one. */
    private static void replaceScriptSandbox(Path modules) {
        var out = modules.resolve("isolated-vm").resolve("out");
        try {
            Files.createDirectories(out);
            Files.writeString(out.resolve("isolated_vm.js"), "module.exports = {};\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> environment(Database database, int port) {
        var environment = new HashMap<>(Map.of(
                "DB_CLIENT",
                "pg",
                "DB_HOST",
                "127.0.0.1",
                "DB_PORT",
                String.valueOf(database.port()),
                "DB_DATABASE",
                DirectusTable.DATABASE,
                "DB_USER",
                database.user(),
                "DB_PASSWORD",
                database.password()));
        environment.putAll(Map.of(
                "HOST",
                "127.0.0.1",
                "PORT",
                String.valueOf(port),
                "PUBLIC_URL",
                PeerProcess.local(port, "").toString(),
                "SECRET",
                "a secret of the benchmark, long enough",
                "ADMIN_EMAIL",
                "bench@example.com",
                "ADMIN_PASSWORD",
                "a long password",
                "ADMIN_TOKEN",
                TOKEN));
        environment.putAll(Map.of(
                "CACHE_ENABLED", "true",
                "CACHE_AUTO_PURGE", "true",
                "RATE_LIMITER_ENABLED", "false",
                "LOG_LEVEL", "warn",
                "TELEMETRY", "false",
                "SERVE_APP", "false",
                "NODE_ENV", "production"));
        return environment;
    }

    @Override
    public String name() {
        return "Directus " + VERSION;
    }

    @Override
    public RawHttp connect() {
        return new RawHttp(PeerProcess.local(port, ""), TOKEN);
    }

    @Override
    public CpuMeter cpu() {
        return CpuMeter.of(Set.of(process.pid()), Set.of(database.pid()));
    }

    /** Fails unless it answers as ours does. */
    public void compare(List<String> ours) {
        var theirs = new DirectusRequests().sample(port, TOKEN);
        if (!theirs.equals(ours)) {
            throw new IllegalStateException("the answers differ:\n" + ours + "\n" + theirs);
        }
    }

    public List<Request> requests() {
        return new DirectusRequests().all();
    }

    @Override
    public void close() {
        process.close();
        PeerProcess.removeFolder(folder);
    }
}
