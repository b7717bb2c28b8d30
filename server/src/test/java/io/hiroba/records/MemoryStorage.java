package io.hiroba.records;

import io.hiroba.accounts.ArchiveStorage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A storage in memory, as a bucket is one elsewhere. */
final class MemoryStorage implements ArchiveStorage {

    final Map<String, byte[]> stored = new ConcurrentHashMap<>();

    @Override
    public void put(String name, Path archive) {
        try {
            stored.put(name, Files.readAllBytes(archive));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void put(String name, byte[] content) {
        stored.put(name, content);
    }

    @Override
    public Optional<Stored> get(String name) {
        return Optional.ofNullable(stored.get(name))
                .map(bytes -> new Stored(new ByteArrayInputStream(bytes), bytes.length));
    }

    @Override
    public void delete(String name) {
        stored.remove(name);
    }
}
