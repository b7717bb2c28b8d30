package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.platform.text.Analysis;
import org.jspecify.annotations.Nullable;

/**
 * A question to answer.
 *
 * @param session a session of the caller's that the question belongs to
 */
public record AskQuestion(String text, @Nullable SessionKey session, SearchFilters filters) {

    public static final int MAX_LENGTH = 2_000;

    public AskQuestion {
        text = Analysis.clean(text).strip();
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw KnowledgeProblem.invalid("question", "must have 1 to 2,000 characters");
        }
    }
}
