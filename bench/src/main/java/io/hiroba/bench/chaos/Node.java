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

/** A server in a process of its own: something to freeze, kill and start again. */
public final class Node implements AutoCloseable {

    /** The days of people who have set no zone. */
    static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

    private static final int REMEMBERED_LINES = 30;

    private final Ground ground;
    private final String name;
    private final Supplier<List<String>> program;
    private final Listener listener;
    private final Deque<String> lastWords = new ArrayDeque<>();
    private @Nullable Process process;
    private @Nullable URI address;
    private boolean closed;

    /** Told what a server says and how it ends. */
    public interface Listener {

        Listener NOBODY = new Listener() {};

        default void heard(String line) {}

        default void ended(int exitCode) {}
    }

    /** @param program the main class and its arguments, asked for at each start; it says {@code READY} and an address */
    public Node(Ground ground, String name, Supplier<List<String>> program, Listener listener) {
        this.ground = ground;
        this.name = name;
        this.program = program;
        this.listener = listener;
    }

    /** A whole server, with these settings besides those that every run needs. */
    public static Node server(Ground ground, String name, String... settings) {
        var program = new ArrayList<>(List.of(
                Main.class.getName(),
                "serve",
                "--data=" + ground.folder().resolve(name),
                "--http.port=0",
                "--http.rate-limit.enabled=false",
                "--social.posts-per-hour=0",
                "--social.likes-per-hour=0",
                "--social.follows-per-hour=0",
                "--accounts.hashing.memory-kib=1024",
                "--admin.email=admin@square.example",
                "--admin.password=a long password"));
        program.addAll(ground.flags());
        program.addAll(List.of(settings));
        return new Node(ground, name, () -> program, Listener.NOBODY);
    }

    private List<String> command() {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Duser.timezone=" + ZONE,
                "-Dhiroba.log.to=file",
                "-Dhiroba.log.dir=" + ground.folder().resolve(name).resolve("log"),
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
                .directory(ground.folder().toFile())
                .redirectErrorStream(true);
        // Nothing of what whoever starts the run has set for a server of their own.
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
                hear(started, line);
                listener.heard(line);
            }
        } catch (IOException e) {
            hear(started, "its output ended: " + e);
        }
        forget(started);
        await(started);
        listener.ended(started.exitValue());
    }

    private synchronized void hear(Process speaker, String line) {
        lastWords.add(line);
        if (lastWords.size() > REMEMBERED_LINES) {
            lastWords.remove();
        }
        if (speaker.equals(process) && line.startsWith("READY ")) {
            address = URI.create(line.substring("READY ".length()).strip());
        }
    }

    private synchronized void forget(Process gone) {
        if (gone.equals(process)) {
            address = null;
        }
    }

    /** Says a line to it. Not under the lock: one that is frozen may not take it until it is thawed. */
    public void tell(String line) throws IOException {
        Process listening;
        synchronized (this) {
            if (process == null || !process.isAlive()) {
                throw new IOException("it is dead");
            }
            listening = process;
        }
        var input = listening.outputWriter(StandardCharsets.UTF_8);
        synchronized (input) {
            input.write(line + "\n");
            input.flush();
        }
    }

    /** Where it answers, once it does. */
    public synchronized Optional<URI> address() {
        return isAlive() ? Optional.ofNullable(address) : Optional.empty();
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** What it said last. */
    synchronized String lastWords() {
        return String.join("\n", lastWords);
    }

    /** {@code kill -9}. */
    synchronized void kill() {
        if (process != null) {
            address = null;
            process.destroyForcibly();
            await(process);
        }
    }

    /** {@code kill -STOP}: alive, with its connections open, and silent. */
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

    private static void await(Process ending) {
        try {
            if (!ending.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + ending.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills it for good. */
    @Override
    public synchronized void close() {
        closed = true;
        kill();
    }
}
