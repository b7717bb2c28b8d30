package io.hiroba.social.media;

import io.hiroba.social.media.MediaStorage.MediaStorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** A storage that fails or dies when a test wants it to: once, after some more writes or deletions. */
final class FailingStorage implements MediaStorage {

    private final MediaStorage storage;
    private int left = Integer.MAX_VALUE;
    private boolean deadly;
    private Runnable before = () -> {};

    FailingStorage(MediaStorage storage) {
        this.storage = storage;
    }

    /** The process ended here, as far as the caller is concerned. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    synchronized void failAfter(int writes) {
        left = writes;
        deadly = false;
    }

    synchronized void dieAfter(int writes) {
        left = writes;
        deadly = true;
    }

    synchronized void beforeNext(Runnable act) {
        before = act;
    }

    private synchronized void step() {
        var act = before;
        before = () -> {};
        act.run();
        if (left == 0) {
            left = Integer.MAX_VALUE;
            if (deadly) {
                throw new Crash();
            }
            throw new MediaStorageException("a test wants it", new IOException());
        }
        left--;
    }

    @Override
    public String place() {
        return "nowhere";
    }

    @Override
    public void put(String key, String contentType, byte[] content) {
        step();
        storage.put(key, contentType, content);
    }

    @Override
    public void putFile(String key, String contentType, Path content) {
        step();
        storage.putFile(key, contentType, content);
    }

    @Override
    public Optional<StoredFile> get(String key) {
        return storage.get(key);
    }

    @Override
    public void delete(String key) {
        step();
        storage.delete(key);
    }

    @Override
    public void sweep(Instant bound) {
        storage.sweep(bound);
    }
}
