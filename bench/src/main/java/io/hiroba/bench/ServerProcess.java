package io.hiroba.bench;

import io.hiroba.Main;
import io.hiroba.platform.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A build's server in a process of its own, with a new embedded database; both are removed when it is closed. */
public final class ServerProcess implements MeasuredServer {

    private static final String EMAIL = "bench@square.example";
    private static final String PASSWORD = "a long password";
    private static final String READY = "READY ";
    private static final long PAUSE_NANOS = 100_000_000;
    private static final int PORT_LINE = 3;

    private final String name;
    private final Path data;
    private final Process process;
    private final Thread shutdownHook = new Thread(this::stop);
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI address;
    private final String token;

    private ServerProcess(String name, String classPath, String... settings) {
        this.name = name;
        try {
            data = Files.createTempDirectory("hiroba-bench");
            var command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseCompactObjectHeaders",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Djdk.reflect.useNativeAccessorOnly=true",
                    "-Dhiroba.log.dir=" + data.resolve("log"),
                    "-cp",
                    classPath,
                    Main.class.getName(),
                    "serve",
                    "--data=" + data,
                    "--http.port=0",
                    "--http.rate-limit.enabled=false",
                    "--admin.email=" + EMAIL,
                    "--admin.password=" + PASSWORD));
            command.addAll(List.of(settings));
            var output = Files.createFile(data.resolve("output"));
            var builder = new ProcessBuilder(command)
                    .directory(data.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            // The environment may configure another server of the person who starts the run.
            builder.environment().keySet().removeIf(key -> key.startsWith("HIROBA_"));
            process = builder.start();
            Runtime.getRuntime().addShutdownHook(shutdownHook);
            address = awaitReady(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        token = send("/api/v1/tokens", Map.of("email", EMAIL, "password", PASSWORD, "name", "bench"), "")
                .path("token")
                .asString();
    }

    /** The build that this program belongs to, with settings such as {@code --agents.workers=8}. */
    public static ServerProcess ofThisBuild(String... settings) {
        return named("this build", settings);
    }

    /** As above, under another name: one of several with different settings. */
    static ServerProcess named(String name, String... settings) {
        return new ServerProcess(name, System.getProperty("java.class.path"), settings);
    }

    /** The build of another checkout, made by its own launcher if it is not there or older than its sources. */
    public static ServerProcess of(Path checkout) {
        var name = checkout.toAbsolutePath().normalize().getFileName().toString();
        System.err.println("· building " + name);
        try {
            var build = new ProcessBuilder(
                            checkout.resolve("hiroba").toAbsolutePath().toString(), "config")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (build.waitFor() != 0) {
                throw new IllegalStateException(checkout + " could not be built");
            }
            var app = checkout.resolve("target").resolve("app").resolve("server");
            return new ServerProcess(name, jars(app) + System.getProperty("path.separator") + jars(app.resolve("lib")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String jars(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.joining(System.getProperty("path.separator")));
        }
    }

    /** What it says goes to a file: nobody reads it, and it must not wait for that. */
    private URI awaitReady(Path output) throws IOException {
        while (process.isAlive()) {
            for (var line : Files.readAllLines(output)) {
                if (line.startsWith(READY)) {
                    return URI.create(line.substring(READY.length()).strip());
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IllegalStateException(name + " did not start:\n" + Files.readString(output));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RawHttp connect() {
        return new RawHttp(address, token);
    }

    /** A new connection with the rights of another token. */
    public RawHttp connect(String other) {
        return new RawHttp(address, other);
    }

    public long pid() {
        return process.pid();
    }

    /** The processor time of the server and its database. */
    @Override
    public CpuMeter cpu() {
        return CpuMeter.of(Set.of(process.pid()), Set.of(database().pid()));
    }

    /** The milliseconds of processor time of the server and its database so far. */
    public double cpuMillis() {
        return cpu().millis();
    }

    /** The embedded PostgreSQL of a server, for others that are to work on the same one. */
    public record Database(long pid, int port, String user, String password) {}

    public Database database() {
        var folder = data.resolve("postgres");
        try {
            var lines = Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"));
            return new Database(
                    Long.parseLong(lines.getFirst().strip()),
                    Integer.parseInt(lines.get(PORT_LINE).strip()),
                    "hiroba",
                    Files.readString(folder.resolve("password")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends JSON, to prepare the data of a benchmark, and returns the answer. */
    public JsonNode post(String path, Object body) {
        return send(path, body, "Bearer " + token);
    }

    private JsonNode send(String path, Object body, String authorization) {
        var request = HttpRequest.newBuilder(address.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.text(body)));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        try {
            var answer = http.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
            }
            return Json.mapper().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.close();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException alreadyShuttingDown) {
            // The hook is running already, and stopping twice is harmless.
        }
        stop();
    }

    private void stop() {
        process.destroy();
        try {
            process.waitFor(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        BenchServer.remove(data);
    }
}
