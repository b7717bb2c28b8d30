package io.hiroba.cli;

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
                .orElseThrow(() -> Failure.usage(
                        fromStandardInput
                                ? "There is no password on standard input."
                                : "There is no terminal to ask for a password: pipe it in with --password-stdin."));
    }

    private static Optional<String> firstLine(CliEnvironment environment) {
        try {
            return Optional.ofNullable(
                    new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8)).readLine());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
