package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option for a password from standard input or the terminal; never from the command line, which other processes
 * see.
 */
final class PasswordInput {

    @Option(names = "--password-stdin", description = "Read the password from standard input.")
    private boolean fromStandardInput;

    /** One for all lines, since it reads ahead. */
    private @Nullable BufferedReader lines;

    String read(CliEnvironment environment, String question) {
        return (fromStandardInput ? nextLine(environment) : environment.ask().apply(question))
                .filter(password -> !password.isEmpty())
                .orElseThrow(
                        () -> Failure.usage(fromStandardInput ? text("input.no-password") : text("input.no-terminal")));
    }

    private Optional<String> nextLine(CliEnvironment environment) {
        var reader = lines;
        if (reader == null) {
            reader = new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8));
            lines = reader;
        }
        try {
            return Optional.ofNullable(reader.readLine());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
