package io.hiroba.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A checkout with the real launcher and a stand-in for everything it starts: a {@code mvn} that notes its calls and hands
 * out finished jars, and a server that only gets ready. Nothing of the machine but its basic tools is on the path.
 */
final class Checkout {

    private static final List<String> TOOLS = List.of(
            "bash",
            "env",
            "dirname",
            "readlink",
            "find",
            "head",
            "tail",
            "grep",
            "sed",
            "sort",
            "awk",
            "cat",
            "tr",
            "wc",
            "mkdir",
            "rm",
            "cp",
            "mv",
            "ln",
            "touch",
            "chmod",
            "sleep",
            "df",
            "id",
            "nice",
            "setsid",
            "nohup",
            "flock",
            "ps",
            "uname",
            "tar",
            "gzip",
            "du",
            "cut",
            "date",
            "sha256sum",
            "dpkg-deb",
            "getconf");

    private final Path root;
    private final Path bin;
    private final Path home;
    private Path launcher;

    /** The result of a run of the launcher. */
    record Outcome(int code, String out) {}

    Checkout(Path folder) throws IOException {
        root = Files.createDirectories(folder.resolve("a checkout"));
        bin = Files.createDirectories(folder.resolve("bin"));
        home = Files.createDirectories(folder.resolve("home"));
        Path here = Path.of("").toAbsolutePath();
        Path real = Files.exists(here.resolve("hiroba")) ? here : Objects.requireNonNull(here.getParent());
        launcher = root.resolve("hiroba");
        copy(real.resolve("hiroba"), launcher);
        Files.createDirectories(root.resolve("launcher"));
        try (var parts = Files.list(real.resolve("launcher"))) {
            for (Path part : parts.toList()) {
                copy(part, root.resolve("launcher").resolve(part.getFileName()));
            }
        }
        Files.writeString(root.resolve("pom.xml"), "<project>\n  <version>1.2.3</version>\n</project>\n");
        for (String module : List.of("contract", "embedded", "server", "cli", "bench")) {
            write(module + "/src/main/java/A.java", "class A {}");
        }
        TOOLS.forEach(this::borrow);
    }

    Path root() {
        return root;
    }

    /** Has the launcher run from where the Debian package puts it, below the folder that is returned. */
    Path install() throws IOException {
        Path system = root.resolveSibling("system");
        Path installed = system.resolve("usr/lib/hiroba");
        Files.createDirectories(installed.resolve("bin"));
        Files.createDirectories(installed.resolve("lib"));
        Files.move(root.resolve("launcher"), installed.resolve("lib/launcher"));
        launcher = Files.move(launcher, installed.resolve("bin/hiroba"));
        return system;
    }

    Path home() {
        return home;
    }

    void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    /** Puts a program of one's own on the path. */
    Path program(String name, String script) throws IOException {
        Path file = Files.writeString(bin.resolve(name), "#!" + find("bash").orElseThrow() + "\nset -eu\n" + script);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make executable: " + file);
        }
        return file;
    }

    /** A {@code mvn} that takes the jars from a folder and notes each call in {@code calls}. */
    void mavenWithJarsOf(Path jars) throws IOException {
        program("mvn", """
                echo "$*" >>"%1$s/calls"
                echo "[INFO] Building Hiroba server 1.2.3"
                for module in server cli bench; do
                  mkdir -p "%1$s/$module/target/lib"
                  cp "%2$s/$module.jar" "%1$s/$module/target/hiroba-$module-1.2.3.jar"
                  cp "%2$s"/lib/*.jar "%1$s/$module/target/lib/"
                done
                """.formatted(root, jars));
    }

    long mavenCalls() throws IOException {
        Path calls = root.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    Outcome run(String... words) throws IOException, InterruptedException {
        return run(Map.of(), words);
    }

    Outcome run(Map<String, String> variables, String... words) throws IOException, InterruptedException {
        return outcome(start(variables, words), words);
    }

    private static Outcome outcome(Process process, String... words) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("does not end: " + List.of(words));
        }
        return new Outcome(process.exitValue(), out);
    }

    /** As {@link #run}, bound by the permissions of files also if this user is root. */
    Outcome runWithPermissions(String... words) throws IOException, InterruptedException {
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        return outcome(
                start(
                        isRoot ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search") : List.of(),
                        Map.of(),
                        words),
                words);
    }

    Process start(Map<String, String> variables, String... words) throws IOException {
        return start(List.of(), variables, words);
    }

    private Process start(List<String> prefix, Map<String, String> variables, String... words) throws IOException {
        var command = new ArrayList<>(prefix);
        command.add(launcher.toString());
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).directory(home.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("HIROBA_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("HIROBA_NO_AOT", "1");
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** The stand-in server, the real client and what it needs, as jars. */
    static Path jars(Path folder) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("stand-in/io/hiroba"));
        Path source = classes.resolve("Main.java");
        try (var text = Objects.requireNonNull(Checkout.class.getResourceAsStream("StandInMain.java.txt"))) {
            Files.write(source, text.readAllBytes());
        }
        tool("javac", "-d", folder.resolve("stand-in").toString(), source.toString());
        jar(folder.resolve("server.jar"), folder.resolve("stand-in"));
        jar(folder.resolve("bench.jar"), folder.resolve("stand-in"));
        jar(folder.resolve("cli.jar"), Path.of("target/classes").toAbsolutePath());
        Files.createDirectories(folder.resolve("lib"));
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            String name = Path.of(entry).getFileName().toString();
            if (name.startsWith("picocli") || name.startsWith("jackson")) {
                copy(Path.of(entry), folder.resolve("lib").resolve(name));
            }
        }
        return folder;
    }

    private static void jar(Path file, Path classes) {
        tool("jar", "--create", "--file", file.toString(), "-C", classes.toString(), ".");
    }

    private static void tool(String name, String... words) {
        if (ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, words) != 0) {
            throw new IllegalStateException(name + " failed");
        }
    }

    private void borrow(String tool) {
        find(tool).ifPresent(real -> {
            try {
                program(tool, "exec '" + real + "' \"$@\"\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Optional<Path> find(String tool) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    }
}
