package io.hiroba.knowledge.sessions;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.knowledge.KnowledgeProblem;
import java.util.Arrays;
import java.util.Locale;

/** Whether the archiver has to look at a session. */
public enum SessionStatus {
    /** Something was said since it was archived last. */
    ACTIVE,
    ARCHIVED;

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static SessionStatus parse(String text) {
        return Arrays.stream(values())
                .filter(status -> status.text().equals(text))
                .findFirst()
                .orElseThrow(() -> KnowledgeProblem.invalid("status", "must be active or archived"));
    }
}
