package io.hiroba.social.media;

/** The storage of pictures did not do what it was asked to; it may do so later. */
final class StorageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
