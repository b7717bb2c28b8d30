package io.hiroba.knowledge.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param mode whether a model answered, or the chunks alone
 * @param citations the chunks that the text cites
 * @param why what kept a model from answering, or from finishing; none where nothing did
 */
public record Reply(
        Mode mode,
        String text,
        List<Citation> citations,
        @Nullable String why) {

    public Reply {
        citations = List.copyOf(citations);
    }

    /** The author of an answer. */
    public enum Mode {
        MODEL,
        PASSAGES
    }
}
