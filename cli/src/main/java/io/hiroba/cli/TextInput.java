package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

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
            throw Failure.usage(text("input.text-or-file"));
        }
        var read = file != null ? fromFile(file) : fromArgument(environment);
        if (read.isBlank()) {
            throw Failure.usage(text("input.no-text"));
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
            return decode(environment.in().readAllBytes(), text("input.standard-input"));
        } catch (IOException e) {
            throw Failure.unreadable(text("input.standard-input"), e);
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
            throw Failure.usage(text("input.not-utf8", from));
        }
    }

    private static String fromFile(Path file) {
        try {
            return decode(Files.readAllBytes(file), file.toString());
        } catch (IOException e) {
            throw Failure.unreadable(file, e);
        }
    }
}
