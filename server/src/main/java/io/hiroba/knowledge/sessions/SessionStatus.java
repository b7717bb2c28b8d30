package io.hiroba.knowledge.sessions;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Arrays;
import java.util.Locale;

/** The archive status of a session. */
public enum SessionStatus {
    /** It has messages since it was last archived. */
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
                .orElseThrow(() -> KnowledgeProblem.invalid("status", Text.of("knowledge.field.status")));
    }
}
