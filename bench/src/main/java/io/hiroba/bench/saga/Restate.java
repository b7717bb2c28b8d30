package io.hiroba.bench.saga;

import io.hiroba.bench.CpuMeter;
import io.hiroba.bench.MeasuredServer;
import io.hiroba.bench.NpmPackages;
import io.hiroba.bench.PeerProcess;
import io.hiroba.bench.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A server of Restate with its own durable log, and a program on its SDK that has the same three steps. Both count as it, since
 * steps that are only named in a workflow are what it does not have.
 */
final class Restate implements MeasuredServer {

    private static final String VERSION = "1.7.12";
    private static final String SDK_VERSION = "1.17.2";

    private final Path folder;
    private final int ingress;
    private final PeerProcess server;
    private final PeerProcess program;

    private Restate(Path folder, int ingress, PeerProcess server, PeerProcess program) {
        this.folder = folder;
        this.ingress = ingress;
        this.server = server;
        this.program = program;
    }

    /** Fetches and starts it; its steps call the service. */
    static Restate start(String service) {
        var modules = NpmPackages.modules(
                "restate", "@restatedev/restate-server@" + VERSION, "@restatedev/restate-sdk@" + SDK_VERSION);
        int admin = PeerProcess.freePort();
        int ingress = PeerProcess.freePort();
        int port = PeerProcess.freePort();
        System.err.println("· starting Restate");
        try {
            var folder = PeerProcess.newFolder("restate");
            var config = Files.writeString(
                    folder.resolve("restate.toml"), """
                    bind-address = "127.0.0.1:%d"
                    listen-mode = "tcp"
                    disable-telemetry = true
                    log-filter = "warn"
                    [admin]
                    bind-address = "127.0.0.1:%d"
                    [ingress]
                    bind-address = "127.0.0.1:%d"
                    """.formatted(PeerProcess.freePort(), admin, ingress));
            var server = new PeerProcess(
                    "restate-server",
                    folder,
                    Map.of(),
                    List.of(
                            modules.resolve("@restatedev")
                                    .resolve("restate-server-" + NpmPackages.platform())
                                    .resolve("bin")
                                    .resolve("restate-server")
                                    .toString(),
                            "--base-dir=" + folder.resolve("data"),
                            "--node-name=bench",
                            "--config-file=" + config,
                            "--no-logo"));
            // Node looks for the packages beside the file.
            var steps = modules.resolveSibling("order.mjs");
            try (var source = Objects.requireNonNull(Restate.class.getResourceAsStream("order.mjs"))) {
                Files.write(steps, source.readAllBytes());
            }
            var program = new PeerProcess(
                    "restate-order",
                    folder,
                    Map.of("NODE_ENV", "production", "RESTATE_LOGGING", "WARN"),
                    List.of(NpmPackages.node(), steps.toString(), String.valueOf(port), service));
            server.awaitAnswer(HttpRequest.newBuilder(PeerProcess.local(admin, "/deployments"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"uri\": \"%s\"}".formatted(PeerProcess.local(port, "")))));
            return new Restate(folder, ingress, server, program);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "Restate " + VERSION;
    }

    @Override
    public RawHttp connect() {
        return new RawHttp(PeerProcess.local(ingress, ""), "none");
    }

    @Override
    public CpuMeter cpu() {
        return CpuMeter.of(Set.of(server.pid(), program.pid()), Set.of());
    }

    @Override
    public void close() {
        program.close();
        server.close();
        PeerProcess.removeFolder(folder);
    }
}
