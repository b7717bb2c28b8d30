package io.hiroba.social.media;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A storage of files by key. A file is there as a whole or not at all; failures are a {@link MediaStorageException}.
 */
interface MediaStorage extends AutoCloseable {

    /** The bucket if one is configured, a folder otherwise. */
    static MediaStorage of(MediaConfig config, Path data) {
        return config.s3().isConfigured() ? new S3Storage(config.s3()) : new FolderStorage(config.folderIn(data));
    }

    /** Identifies the place of the files: two nodes with the same id see the same files. */
    String place();

    /** Writes a file so that it survives a crash from here on; one with the same key is replaced. */
    void put(String key, String contentType, byte[] content);

    /** As {@link #put}, the content of a file of any size. */
    void putFile(String key, String contentType, Path content);

    /** The file, to be closed by the reader. */
    Optional<StoredFile> get(String key);

    /** Deletes a file if it exists. */
    void delete(String key);

    /** Deletes the remains of writes that began before {@code bound} and never ended. */
    default void sweep(Instant bound) {}

    @Override
    default void close() {}

    /** A file's content and its length. */
    record StoredFile(InputStream content, long length) {}

    /** A failure of the storage, which may be temporary. */
    final class MediaStorageException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        MediaStorageException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
