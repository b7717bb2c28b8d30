package io.hiroba.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The option for a text from the command line, a file or standard input. */
final class TextInput {

    private static final String STANDARD_INPUT = "-";

    @Parameters(
            arity = "0..1",
            paramLabel = "TEXT",
            description = "The text, as one argument; - or none reads standard input.")
    private @Nullable String text;

    @Option(names = "--file", paramLabel = "FILE", description = "Read the text from this file.")
    private @Nullable Path file;

    String read(CliEnvironment environment) {
        if (file != null && text != null) {
            throw Failure.usage("Give a text or --file, not both.");
        }
        var read = file != null ? fromFile(file) : fromArgument(environment);
        if (read.isBlank()) {
            throw Failure.usage("There is no text: write it as an argument, pipe it in, or name a --file.");
        }
        return read;
    }

    private String fromArgument(CliEnvironment environment) {
        if (text != null && !text.equals(STANDARD_INPUT)) {
            return text;
        }
        if (text == null && environment.terminal().input()) {
            return "";
        }
        try {
            return decode(environment.in().readAllBytes(), "Standard input");
        } catch (IOException e) {
            throw Failure.of(Cli.FAILED, "cli.input", "Standard input cannot be read: " + e);
        }
    }

    /** Refuses text that is not UTF-8: it would be posted with replacement characters. */
    private static String decode(byte[] bytes, String from) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .stripTrailing();
        } catch (CharacterCodingException e) {
            throw Failure.usage(from + " is not text in UTF-8.");
        }
    }

    private static String fromFile(Path file) {
        try {
            return decode(Files.readAllBytes(file), file.toString());
        } catch (IOException e) {
            throw Failure.of(Cli.FAILED, "cli.input", "%s cannot be read: %s".formatted(file, e));
        }
    }
}
