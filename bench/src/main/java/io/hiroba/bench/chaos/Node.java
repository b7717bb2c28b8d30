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
import org.jspecify.annotations.Nullable;

/** A server in a process of its own: something to freeze, kill and start again. */
final class Node implements AutoCloseable {

    /** The days of people who have set no zone. */
    static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

    private static final int REMEMBERED_LINES = 30;

    private final Ground ground;
    private final List<String> command;
    private final Deque<String> lastWords = new ArrayDeque<>();
    private @Nullable Process process;
    private @Nullable URI address;
    private boolean closed;

    Node(Ground ground, String name) {
        this.ground = ground;
        var data = ground.folder().resolve(name);
        command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Duser.timezone=" + ZONE,
                "-Dhiroba.log.to=file",
                "-Dhiroba.log.dir=" + data.resolve("log"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--data=" + data,
                "--http.port=0",
                "--http.rate-limit.enabled=false",
                "--social.posts-per-hour=0",
                "--social.likes-per-hour=0",
                "--social.follows-per-hour=0",
                "--accounts.hashing.memory-kib=1024",
                "--admin.email=admin@square.example",
                "--admin.password=a long password"));
        command.addAll(ground.flags());
    }

    synchronized void start() {
        if (closed || isAlive()) {
            return;
        }
        var builder =
                new ProcessBuilder(command).directory(ground.folder().toFile()).redirectErrorStream(true);
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
            }
        } catch (IOException e) {
            hear(started, "its output ended: " + e);
        }
        forget(started);
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

    /** Where it answers, once it does. */
    synchronized Optional<URI> address() {
        return isAlive() ? Optional.ofNullable(address) : Optional.empty();
    }

    synchronized boolean isAlive() {
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

    private synchronized void signal(String name) {
        if (process == null || !process.isAlive()) {
            return;
        }
        try {
            await(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start());
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
