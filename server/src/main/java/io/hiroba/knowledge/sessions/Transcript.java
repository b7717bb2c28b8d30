package io.hiroba.knowledge.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session with some of its messages in order. */
public record Transcript(ChatSession session, List<ChatMessage> messages) {

    /** The index below which there are older messages; empty if there are none. */
    public @Nullable Integer olderBefore() {
        return messages.isEmpty() || messages.getFirst().index() == 0
                ? null
                : messages.getFirst().index();
    }
}
