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
 * The folder of the archive: {@code sagas-2026-01-02-<id of the first>.jsonl} with one saga a line. The day is the
 * creation of the first, so that the name depends on the sagas alone.
 */
final class SagaArchiveFolder {

    private final Path folder;

    SagaArchiveFolder(Path folder) {
        this.folder = folder;
    }

    /** Writes the text in parts: all of it may not fit into memory. */
    interface Text {
        void forEach(Consumer<String> part);
    }

    /** Writes a file atomically and returns once it is durable. Its name is derived from {@code sagas}, in their order. */
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

    /** A file whose first saga is still in the tables was left by a crash: its sagas are archived again. */
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
        var createdAt = Instant.ofEpochMilli(first.value().getMostSignificantBits() >>> 16);
        return "sagas-%s-%s.jsonl".formatted(createdAt.atOffset(ZoneOffset.UTC).toLocalDate(), first);
    }
}
