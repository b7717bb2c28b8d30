package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The option for a password from standard input or the terminal; never from the command line, which other processes
 * see.
 */
final class PasswordInput {

    @Option(names = "--password-stdin", description = "Read the password from standard input.")
    private boolean fromStandardInput;

    String read(CliEnvironment environment, String question) {
        return (fromStandardInput ? firstLine(environment) : environment.ask().apply(question))
                .filter(password -> !password.isEmpty())
                .orElseThrow(
                        () -> Failure.usage(fromStandardInput ? text("input.no-password") : text("input.no-terminal")));
    }

    /** The first line of standard input. */
    static Optional<String> firstLine(CliEnvironment environment) {
        try {
            return Optional.ofNullable(
                    new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8)).readLine());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
