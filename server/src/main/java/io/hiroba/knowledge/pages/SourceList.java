package io.hiroba.knowledge.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of sources, with what it was asked for.
 *
 * @param isAll whether public ones of others are among them
 * @param type the only one shown, as the API spells it; empty for any
 * @param more where older ones are, if there are any
 * @param poll where to ask how far those are that are not ready; empty if all are
 * @param largestBytes how large a file may be
 * @param failures the files that were refused, and why
 */
public record SourceList(
        List<SourceItem> items,
        boolean isAll,
        String type,
        @Nullable String more,
        String poll,
        long largestBytes,
        List<Failure> failures) {

    /** A file that was refused. */
    public record Failure(String name, String message) {}

    public SourceList {
        items = List.copyOf(items);
        failures = List.copyOf(failures);
    }

    /** How large a file may be, in words. */
    public String largest() {
        return "%,d MB".formatted(largestBytes >> 20);
    }

    public List<Choice> kinds() {
        return Choice.kinds(type);
    }

    public boolean isFiltered() {
        return isAll || !type.isEmpty();
    }
}
