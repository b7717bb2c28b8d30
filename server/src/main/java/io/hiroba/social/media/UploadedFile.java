package io.hiroba.social.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An uploaded file: kept as a temporary file, so that waiting requests hold no memory, and deleted with the request.
 */
final class UploadedFile implements AutoCloseable {

    private final Path path;
    private final long size;
    private final byte[] digest;

    UploadedFile(Path path, long size, byte[] digest) {
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

    /** The SHA-256 of its content. */
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
