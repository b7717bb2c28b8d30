package io.hiroba.knowledge.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session with some of its messages, in the order in which they were said. */
public record Transcript(Session session, List<Message> messages) {

    /** What to ask for older messages with: those before this index. None where there are none. */
    public @Nullable Integer olderBefore() {
        return messages.isEmpty() || messages.getFirst().index() == 0
                ? null
                : messages.getFirst().index();
    }
}
