package io.hiroba.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The environment of one run of the client.
 *
 * @param terminal the terminal, pipes or files of standard input and output
 * @param ask prompts for a secret; empty without a terminal
 */
record CliEnvironment(
        Map<String, String> environment,
        Path home,
        InputStream in,
        OutputWriter out,
        PrintWriter err,
        Terminal terminal,
        Function<String, Optional<String>> ask) {

    static CliEnvironment ofProcess() {
        return new CliEnvironment(
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                System.in,
                OutputWriter.to(new FileOutputStream(FileDescriptor.out)),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Terminal.ofProcess(System.getenv()),
                CliEnvironment::askAtTerminal);
    }

    /** The value of an environment variable; a blank one counts as unset. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    CliLanguage language() {
        return CliLanguage.of(this::variable);
    }

    private static Optional<String> askAtTerminal(String question) {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .flatMap(console -> Optional.ofNullable(console.readPassword("%s: ", question)))
                .map(String::new);
    }
}
