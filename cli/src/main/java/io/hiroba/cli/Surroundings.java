package io.hiroba.cli;

import java.io.Console;
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
 * @param terminal what the ends of the client are connected to
 * @param ask asks the person at the terminal for a secret; empty where nobody sits at one
 */
record Surroundings(
        Map<String, String> environment,
        Path home,
        InputStream in,
        PrintWriter out,
        PrintWriter err,
        Terminal terminal,
        Function<String, Optional<String>> ask) {

    static Surroundings ofProcess() {
        return new Surroundings(
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                System.in,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Terminal.ofProcess(System.getenv()),
                Surroundings::askAtTerminal);
    }

    /** The value of a variable; one that is set to nothing counts as not set. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    private static Optional<String> askAtTerminal(String question) {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .flatMap(console -> Optional.ofNullable(console.readPassword("%s: ", question)))
                .map(String::new);
    }
}
