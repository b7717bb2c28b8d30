package io.hiroba.platform.task;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made once, when it is first asked for: what most nodes never need must not hold up their start. */
public final class Lazy<T> implements Supplier<T> {

    private final Supplier<T> maker;
    private volatile @Nullable T made;

    private Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    public static <T> Lazy<T> of(Supplier<T> maker) {
        return new Lazy<>(maker);
    }

    @Override
    public T get() {
        var found = made;
        return found == null ? make() : found;
    }

    private synchronized T make() {
        var found = made;
        if (found == null) {
            found = maker.get();
            made = found;
        }
        return found;
    }

    /** The value, if it was asked for. */
    public Optional<T> made() {
        return Optional.ofNullable(made);
    }
}
