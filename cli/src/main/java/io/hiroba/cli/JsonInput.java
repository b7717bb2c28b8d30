package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The option for JSON from the command line or a file. */
final class JsonInput {

    @Option(names = "--payload", paramLabel = "JSON", description = "What is sent along, as JSON.")
    private @Nullable String payload;

    @Option(names = "--file", paramLabel = "FILE", description = "Read what is sent along from this file.")
    private @Nullable Path file;

    /** The JSON; null if not given. */
    @Nullable
    JsonNode read() {
        if (payload != null && file != null) {
            throw Failure.usage(text("input.payload-or-file"));
        }
        var text = file == null ? payload : fromFile(file);
        return text == null ? null : CliJson.read(text).orElseThrow(() -> Failure.usage(text("input.not-json")));
    }

    static String fromFile(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw Failure.unreadable(file, e);
        }
    }
}
