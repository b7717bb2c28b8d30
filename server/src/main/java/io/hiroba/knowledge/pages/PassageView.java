package io.hiroba.knowledge.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passage among what comes before and after it.
 *
 * @param page its source's page
 * @param original where it stands outside, if that can be looked at
 */
public record PassageView(
        String title, String label, String page, @Nullable String original, List<ChunkItem> chunks) {

    public PassageView {
        chunks = List.copyOf(chunks);
    }
}
