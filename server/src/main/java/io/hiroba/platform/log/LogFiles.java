package io.hiroba.platform.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Bounds what is written without the log's own files (ADR 130). */
public final class LogFiles {

    /** Between two looks at the room: short enough for a database that logs an error with each statement. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** What the launcher reads of the file that the output of this process goes to. */
    private static final List<String> KEPT = List.of("READY ", "DEMO ");

    private static final int MAX_KEPT_LINES = 100;

    private LogFiles() {}

    /** Empties {@code start.log} where it has grown too large: the JVM and libraries may write there whatever they like. */
    public static void trimStart(Path file, LogConfig config) {
        try {
            if (!Files.exists(file) || Files.size(file) <= config.fileSize().bytes()) {
                return;
            }
            var kept = new ArrayList<String>();
            try (var reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                var line = reader.readLine();
                for (int read = 0; line != null && read < MAX_KEPT_LINES; read++) {
                    if (KEPT.stream().anyMatch(line::startsWith)) {
                        kept.add(line);
                    }
                    line = reader.readLine();
                }
            }
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            Files.write(file, kept, StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("start.log could not be cut", e);
        }
    }
}
