package io.hiroba.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program run to its end without a shell, with a time limit and its output kept. */
final class Command {
    private final ProcessBuilder builder;
    private String input = "";

    private Command(List<String> words) {
        builder = new ProcessBuilder(words).redirectErrorStream(true);
        cleanEnvironment(builder);
    }

    static Command of(List<String> words) {
        return new Command(words);
    }

    static Command of(String... words) {
        return new Command(List.of(words));
    }

    /** What the user set for his own PostgreSQL clients must not reach ours, and messages stay English. */
    static void cleanEnvironment(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
    }

    Command in(Path folder) {
        builder.directory(folder.toFile());
        return this;
    }

    Command with(Map<String, String> environment) {
        builder.environment().putAll(environment);
        return this;
    }

    Command input(String text) {
        input = text;
        return this;
    }

    Outcome run(Duration limit) {
        String name = builder.command().getFirst();
        try {
            if (input.isEmpty()) {
                builder.redirectInput(new File("/dev/null"));
            }
            Process process = builder.start();
            CompletableFuture<String> output = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> output.complete(read(process)));
            if (!input.isEmpty()) {
                try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
                    stdin.write(input);
                }
            }
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
                return new Outcome(-1, name + " did not finish within " + limit.toSeconds() + " s");
            }
            // A grandchild may hold the pipe open after the program has ended.
            return new Outcome(
                    process.exitValue(),
                    output.completeOnTimeout("", 5, TimeUnit.SECONDS).join());
        } catch (IOException e) {
            return new Outcome(-1, name + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("Interrupted while " + name + " was running.", e);
        }
    }

    private static String read(Process process) {
        try (InputStream stream = process.getInputStream()) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** The program of that name on the user's path, or in the system's folders that such a path may lack. */
    static Optional<Path> find(String program) {
        var folders =
                new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)));
        folders.addAll(List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin"));
        return folders.stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The result of a program. */
    record Outcome(int exit, String output) {
        boolean succeeded() {
            return exit == 0;
        }

        /** The last line that names an error, or else the last line. */
        String lastWords() {
            var lines = output.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
            return lines.stream()
                    .filter(line -> {
                        String lower = line.toLowerCase(Locale.ROOT);
                        return lower.contains("fatal") || lower.contains("error") || lower.startsWith("e:");
                    })
                    .reduce((first, second) -> second)
                    .orElse(lines.isEmpty() ? "exit code " + exit : lines.getLast());
        }

        Outcome orThrow(String sentence) {
            if (!succeeded()) {
                throw new EmbeddedException(sentence + " (" + lastWords() + ")");
            }
            return this;
        }
    }
}
