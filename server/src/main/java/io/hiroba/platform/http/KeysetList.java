package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A list with keyset pagination: its name, the size of its pages, and the conversion between items, positions and cursors.
 *
 * @param <T> an item
 * @param <K> the position of an item in the list
 */
public final class KeysetList<T, K> {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    /** Finds at most {@code limit} items that come after a position, or from the beginning. */
    @FunctionalInterface
    public interface Finder<T, K> {
        List<T> find(Optional<K> after, int limit);
    }

    private final Cursors cursors;
    private final String name;
    private final int defaultLimit;
    private final int maxLimit;
    private final Function<Cursor, K> position;
    private final Function<T, Cursor> cursor;

    /** A list of 20 items a page, and at most 100. */
    public KeysetList(Cursors cursors, String name, Function<Cursor, K> position, Function<T, Cursor> cursor) {
        this(cursors, name, DEFAULT_LIMIT, MAX_LIMIT, position, cursor);
    }

    /**
     * A list with limits of its own.
     *
     * @param name cursors of another list are refused
     * @param position reads what {@code cursor} has written
     */
    public KeysetList(
            Cursors cursors,
            String name,
            int defaultLimit,
            int maxLimit,
            Function<Cursor, K> position,
            Function<T, Cursor> cursor) {
        this.cursors = cursors;
        this.name = name;
        this.defaultLimit = defaultLimit;
        this.maxLimit = maxLimit;
        this.position = position;
        this.cursor = cursor;
    }

    /** The page that the request's {@code limit} and {@code after} ask for. */
    public Page<T> page(Context ctx, Finder<T, K> finder) {
        return page(PageRequest.of(ctx, defaultLimit, maxLimit), finder);
    }

    public Page<T> page(PageRequest request, Finder<T, K> finder) {
        var after = cursors.read(name, request).map(position);
        return Page.of(
                finder.find(after, request.limit() + 1),
                request.limit(),
                last -> cursors.write(name, cursor.apply(last)));
    }
}
