package io.hiroba.knowledge.pages;

import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of sources with its filters.
 *
 * @param isAll whether public ones of others are included
 * @param type the only type shown, as in the API; empty for any
 * @param more the URL of older ones, if any
 * @param maxBytes the maximum size of a file
 */
public record SourceList(
        List<SourceItem> items,
        boolean isAll,
        String type,
        @Nullable String more,
        long maxBytes,
        List<Failure> failures) {

    /** A file that was refused. */
    public record Failure(Text name, Text message) {}

    public SourceList {
        items = List.copyOf(items);
        failures = List.copyOf(failures);
    }

    public long maxMegabytes() {
        return maxBytes >> 20;
    }

    public List<SearchForm.Choice> kinds() {
        return SearchForm.Choice.kinds(type);
    }

    public boolean isFiltered() {
        return isAll || !type.isEmpty();
    }
}
