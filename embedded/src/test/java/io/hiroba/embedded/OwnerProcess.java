package io.hiroba.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another Java process that owns an embedded database: it prints one line and holds on until its input ends. */
final class OwnerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private OwnerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws Exception {
        var config = new EmbeddedConfig(Path.of(args[0]), Path.of(args[1]), true);
        try (var postgres = EmbeddedPostgres.start(config, step -> {})) {
            Databases.execute(postgres, "CREATE EXTENSION IF NOT EXISTS vector");
            System.out.println("serving " + postgres.pid() + " " + postgres.adopted());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
        System.out.println("stopped");
    }

    static OwnerProcess start(List<String> prefix, String classPath, Path dataDir, Path cacheDir) throws IOException {
        var words = new ArrayList<>(prefix);
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                OwnerProcess.class.getName(),
                dataDir.toString(),
                cacheDir.toString()));
        return new OwnerProcess(new ProcessBuilder(words)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .start());
    }

    static OwnerProcess start(Path dataDir) throws IOException {
        return start(List.of(), System.getProperty("java.class.path"), dataDir, EmbeddedConfig.defaultCacheDir());
    }

    /** The process number of the server, told when it serves. */
    long serving() throws IOException {
        var said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("serving ")) {
                return Long.parseLong(line.split(" ", -1)[1]);
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("the owner did not serve:\n" + said);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it in good order and returns what it said. */
    List<String> finish() throws IOException {
        process.getOutputStream().close();
        return output.lines().toList();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
