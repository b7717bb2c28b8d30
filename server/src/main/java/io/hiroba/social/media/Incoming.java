package io.hiroba.social.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An uploaded file on its way in: put into a temporary file, so that those who wait for their turn hold no memory, and
 * removed with the request.
 */
public final class Incoming implements AutoCloseable {

    private final Path path;
    private final long size;
    private final byte[] digest;

    Incoming(Path path, long size, byte[] digest) {
        this.path = path;
        this.size = size;
        this.digest = digest.clone();
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    /** What tells it from other files. */
    byte[] digest() {
        return digest.clone();
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
