package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.InstalledModels.InstalledModel;
import java.nio.channels.FileLock;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An installed model that is loaded when it is first used. It is closed only when nobody uses it: native memory must
 * not be freed under a computation. From the beginning until it is unloaded, {@code models remove} finds it in use.
 */
final class LoadedModel implements AutoCloseable {

    private final InstalledModel installed;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private Optional<FileLock> hold;
    private @Nullable OnnxModel loaded;
    private boolean isClosed;

    LoadedModel(InstalledModel installed) {
        this.installed = installed;
        this.hold = installed.hold();
    }

    <T> T use(Function<OnnxModel, T> computation) {
        lock.readLock().lock();
        try {
            return computation.apply(model());
        } finally {
            lock.readLock().unlock();
        }
    }

    private synchronized OnnxModel model() {
        if (isClosed) {
            throw new IllegalStateException("the model is closed");
        }
        var known = loaded;
        if (known != null) {
            return known;
        }
        if (hold.isEmpty()) {
            hold = installed.hold();
        }
        try {
            var model = installed.load();
            loaded = model;
            return model;
        } catch (ModelException e) {
            throw new IllegalStateException("the model %s cannot be loaded".formatted(installed.name()), e);
        }
    }

    /** Frees its memory; it is loaded again when it is used again. */
    void unload() {
        lock.writeLock().lock();
        try {
            free(false);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private synchronized void free(boolean isForGood) {
        isClosed |= isForGood;
        var known = loaded;
        loaded = null;
        if (known != null) {
            known.close();
        }
        hold.ifPresent(InstalledModels::release);
        hold = Optional.empty();
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            free(true);
        } finally {
            lock.writeLock().unlock();
        }
    }
}
