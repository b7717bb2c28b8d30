package io.hiroba.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process of another product, which ends with this program. */
public final class PeerProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final long PAUSE_NANOS = 200_000_000;

    private final String name;
    private final Path output;
    private final Process process;
    private final Thread shutdownHook = new Thread(this::stop);

    /** @param folder where it works and what it says is kept */
    public PeerProcess(String name, Path folder, Map<String, String> environment, List<String> command) {
        this.name = name;
        output = folder.resolve(name + ".out");
        try {
            var builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /** A new folder for processes. */
    public static Path newFolder(String name) {
        try {
            return Files.createTempDirectory("hiroba-bench-" + name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the folder of processes that have ended. */
    public static void removeFolder(Path folder) {
        BenchServer.remove(folder);
    }

    /** A port that nobody listens on. */
    public static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Waits for a process that prepares something and ends. */
    public void awaitEnd() {
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(name + " failed:\n" + Files.readString(output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Repeats a request until it succeeds. */
    public void awaitAnswer(HttpRequest.Builder request) {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        var built = request.timeout(Duration.ofSeconds(20)).build();
        try (var http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            while (!succeeds(http, built)) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IllegalStateException(name + " did not start:\n" + Files.readString(output));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean succeeds(HttpClient http, HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() < 300;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An address on this machine. */
    public static URI local(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    @Override
    public void close() {
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
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
