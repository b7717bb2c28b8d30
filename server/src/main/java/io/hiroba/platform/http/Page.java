package io.hiroba.platform.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param next the cursor of the next page; none at the end of the list
 */
public record Page<T>(List<T> items, @Nullable String next) {

    /**
     * Builds a page from the result of a query for one row more than {@code limit}: the extra row shows that there is another
     * page and is dropped.
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
