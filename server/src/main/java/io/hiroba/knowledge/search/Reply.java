package io.hiroba.knowledge.search;

import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param mode whether a model answered, or sentences of the chunks were extracted
 * @param citations the chunks that the text cites
 * @param why the reason why no model answered, or the answer is incomplete; null otherwise
 */
record Reply(
        Mode mode,
        String text,
        List<Citation> citations,
        @Nullable Text why) {

    Reply {
        citations = List.copyOf(citations);
    }

    /** The mode of an answer. */
    enum Mode {
        MODEL,
        PASSAGES
    }
}
