package io.hiroba.knowledge.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param mode whether a model answered, or only chunks are returned
 * @param citations the chunks that the text cites
 * @param why the reason why no model answered, or the answer is incomplete; null otherwise
 */
public record Reply(
        Mode mode,
        String text,
        List<Citation> citations,
        @Nullable String why) {

    public Reply {
        citations = List.copyOf(citations);
    }

    /** The mode of an answer. */
    public enum Mode {
        MODEL,
        PASSAGES
    }
}
