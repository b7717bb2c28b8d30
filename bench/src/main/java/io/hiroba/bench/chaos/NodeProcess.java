package io.hiroba.bench.chaos;

import io.hiroba.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node in its own process, which can be frozen, killed and restarted. */
public final class NodeProcess implements AutoCloseable {

    /** The zone of users without one. */
    static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

    private static final int MAX_OUTPUT_LINES = 30;

    private final ChaosDatabase database;
    private final String name;
    private final Supplier<List<String>> program;
    private final Listener listener;
    private final Deque<String> lastOutput = new ArrayDeque<>();
    private @Nullable Process process;
    private @Nullable URI address;
    private boolean closed;

    /** Receives the output and the exit code of a node. */
    public interface Listener {

        Listener NONE = new Listener() {};

        default void onLine(String line) {}

        default void onExit(int exitCode) {}
    }

    /** @param program supplies the main class and its arguments at each start; it prints {@code READY} and an address */
    public NodeProcess(ChaosDatabase database, String name, Supplier<List<String>> program, Listener listener) {
        this.database = database;
        this.name = name;
        this.program = program;
        this.listener = listener;
    }

    /** A whole server with these settings besides the common ones. */
    public static NodeProcess server(ChaosDatabase database, String name, String... settings) {
        var program = new ArrayList<>(List.of(
                Main.class.getName(),
                "serve",
                "--data=" + database.folder().resolve(name),
                "--media.folder=" + database.folder().resolve("media"),
                "--secrets.key-file=" + database.folder().resolve("keys"),
                "--http.port=0",
                "--http.rate-limit.enabled=false",
                "--social.posts-per-hour=0",
                "--social.likes-per-hour=0",
                "--social.follows-per-hour=0",
                "--accounts.hashing.memory-kib=1024",
                "--admin.email=admin@square.example",
                "--admin.password=a long password"));
        program.addAll(database.flags());
        program.addAll(List.of(settings));
        return new NodeProcess(database, name, () -> program, Listener.NONE);
    }

    private List<String> command() {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djdk.reflect.useNativeAccessorOnly=true",
                "-Duser.timezone=" + ZONE,
                "-Dhiroba.log.dir=" + database.folder().resolve(name).resolve("log"),
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(program.get());
        return command;
    }

    public synchronized void start() {
        if (closed || isAlive()) {
            return;
        }
        var builder = new ProcessBuilder(command())
                .directory(database.folder().toFile())
                .redirectErrorStream(true);
        // The environment may configure another server of the person who starts the run.
        builder.environment().keySet().removeIf(key -> key.startsWith("HIROBA_"));
        try {
            var started = builder.start();
            process = started;
            Thread.ofVirtual().start(() -> listen(started));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(Process started) {
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                recordOutput(started, line);
                listener.onLine(line);
            }
        } catch (IOException e) {
            recordOutput(started, "the output ended: " + e);
        }
        clearAddress(started);
        await(started);
        listener.onExit(started.exitValue());
    }

    private synchronized void recordOutput(Process source, String line) {
        lastOutput.add(line);
        if (lastOutput.size() > MAX_OUTPUT_LINES) {
            lastOutput.remove();
        }
        if (source.equals(process) && line.startsWith("READY ")) {
            address = URI.create(line.substring("READY ".length()).strip());
        }
    }

    private synchronized void clearAddress(Process exited) {
        if (exited.equals(process)) {
            address = null;
        }
    }

    /** Writes a line to its input. Not under the lock: the write may block while the process is frozen. */
    public void writeLine(String line) throws IOException {
        Process target;
        synchronized (this) {
            if (process == null || !process.isAlive()) {
                throw new IOException("the node is not running");
            }
            target = process;
        }
        var input = target.outputWriter(StandardCharsets.UTF_8);
        synchronized (input) {
            input.write(line + "\n");
            input.flush();
        }
    }

    /** The address of a node that is ready. */
    public synchronized Optional<URI> address() {
        return isAlive() ? Optional.ofNullable(address) : Optional.empty();
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    synchronized String lastOutput() {
        return String.join("\n", lastOutput);
    }

    /** {@code kill -9}. */
    synchronized void kill() {
        if (process != null) {
            address = null;
            process.destroyForcibly();
            await(process);
        }
    }

    /** {@code kill -STOP}: the process stays, with its connections open. */
    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    private synchronized void signal(String signal) {
        if (process == null || !process.isAlive()) {
            return;
        }
        try {
            await(new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(Process exiting) {
        try {
            if (!exiting.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + exiting.pid() + " does not exit");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the node; it cannot be started again. */
    @Override
    public synchronized void close() {
        closed = true;
        kill();
    }
}
