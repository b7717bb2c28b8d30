package io.hiroba.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A process of a program that Debian has as a package; a test that needs one is skipped where it is not installed. */
public final class InstalledProgram implements AutoCloseable {

    private final Process process;

    private InstalledProgram(Process process) {
        this.process = process;
    }

    public static Path require(String name, String debianPackage) {
        var found = Stream.concat(Stream.of(System.getenv("PATH").split(":", -1)), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(
                found.isPresent(), name + " is not installed (on Debian: apt-get install " + debianPackage + ")");
        return found.orElseThrow();
    }

    /** Starts it in a folder, with what it says in the file {@code output} there. */
    public static InstalledProgram start(Path folder, Path program, List<String> arguments) throws IOException {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        return new InstalledProgram(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start());
    }

    public static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
