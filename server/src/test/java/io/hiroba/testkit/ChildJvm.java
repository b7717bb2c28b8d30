package io.hiroba.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process running a main class of the test classpath: something to stop, kill and start again. */
public final class ChildJvm implements AutoCloseable {

    private final Process process;

    private ChildJvm(Process process) {
        this.process = process;
    }

    /** @param arguments those that begin with {@code -D} are for the virtual machine */
    public static ChildJvm start(Class<?> main, String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djdk.reflect.useNativeAccessorOnly=true",
                "-cp",
                System.getProperty("java.class.path")));
        var forMain = new ArrayList<>(List.of(arguments));
        forMain.stream().filter(argument -> argument.startsWith("-D")).forEach(command::add);
        forMain.removeAll(command);
        command.add(main.getName());
        command.addAll(forMain);
        try {
            return new ChildJvm(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** {@code kill}: as an operator stops it. */
    public void stop() {
        process.destroy();
        await();
    }

    /** {@code kill -STOP}: alive, with its connections open, and silent. */
    public void freeze() {
        signal("STOP");
    }

    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
