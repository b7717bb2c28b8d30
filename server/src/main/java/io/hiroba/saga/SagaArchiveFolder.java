package io.hiroba.saga;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;

/**
 * The folder of the archive: {@code sagas-2026-01-02-<id of the first>.jsonl} with a saga a line. The day is that on which
 * the first was made, so that the name depends on nothing but the sagas.
 */
final class SagaArchiveFolder {

    private final Path folder;

    SagaArchiveFolder(Path folder) {
        this.folder = folder;
    }

    /** Hands the text over, part by part: all of it may be more than fits into memory. */
    interface Text {
        void forEach(Consumer<String> part);
    }

    /** Writes a file with all of the text, or none; returns once it is durable. Its name comes of {@code sagas}, by their order. */
    void write(List<SagaId> sagas, Text text) {
        var file = folder.resolve(name(sagas.getFirst()));
        var unfinished = folder.resolve(file.getFileName() + ".tmp");
        try {
            Files.createDirectories(folder);
            try {
                fill(unfinished, text);
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(unfinished);
                throw e;
            }
            removeOutdated(sagas);
            force(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("the archive of sagas cannot be written", e);
        }
    }

    private static void fill(Path file, Text text) throws IOException {
        try (var channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                var writer = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8))) {
            text.forEach(part -> put(writer, part));
            writer.flush();
            channel.force(true);
        } catch (UncheckedIOException e) {
            throw new IOException(e);
        }
    }

    private static void put(BufferedWriter writer, String part) {
        try {
            writer.write(part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file whose first saga was still in the tables was left by a crash: all that it holds is, or will be, in others. */
    private void removeOutdated(List<SagaId> sagas) throws IOException {
        for (var saga : sagas.subList(1, sagas.size())) {
            Files.deleteIfExists(folder.resolve(name(saga)));
        }
    }

    private static void force(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static String name(SagaId first) {
        var made = Instant.ofEpochMilli(first.value().getMostSignificantBits() >>> 16);
        return "sagas-%s-%s.jsonl".formatted(made.atOffset(ZoneOffset.UTC).toLocalDate(), first);
    }
}
