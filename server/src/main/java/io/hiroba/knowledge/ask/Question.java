package io.hiroba.knowledge.ask;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.search.Filters;
import io.hiroba.knowledge.sessions.SessionKey;
import io.hiroba.platform.text.Analysis;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to know.
 *
 * @param session the conversation that the question is a part of, one of the asker's own
 */
public record Question(String text, @Nullable SessionKey session, Filters filters) {

    public static final int LONGEST = 2_000;

    public Question {
        text = Analysis.clean(text).strip();
        if (text.isEmpty() || text.length() > LONGEST) {
            throw KnowledgeProblem.invalid("question", "must have 1 to 2,000 characters");
        }
    }
}
