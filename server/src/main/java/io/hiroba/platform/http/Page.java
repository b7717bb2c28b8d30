package io.hiroba.platform.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some items of a list.
 *
 * @param next the cursor to ask for more with; none at the end of the list
 */
public record Page<T>(List<T> items, @Nullable String next) {

    /**
     * Makes a page of what a query for one row more than {@code limit} found: the extra row tells that there is more and
     * is not shown.
     */
    public static <T> Page<T> of(List<T> found, int limit, Function<T, String> cursor) {
        if (found.size() <= limit) {
            return new Page<>(found, null);
        }
        var items = found.subList(0, limit);
        return new Page<>(items, cursor.apply(items.getLast()));
    }

    public <V> Page<V> map(Function<T, V> view) {
        return new Page<>(items.stream().map(view).toList(), next);
    }
}
