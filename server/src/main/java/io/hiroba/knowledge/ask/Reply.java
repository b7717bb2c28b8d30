package io.hiroba.knowledge.ask;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param mode who speaks: a model, or the passages alone
 * @param citations the passages that the text names
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

    /** Who speaks. */
    public enum Mode {
        MODEL,
        PASSAGES
    }
}
