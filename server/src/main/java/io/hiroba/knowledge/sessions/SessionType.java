package io.hiroba.knowledge.sessions;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The origin of a session. */
public enum SessionType {
    /** A user mentioned the assistant. */
    MENTION,
    /** A thread of its own. */
    THREAD,
    /** The assistant follows a channel. */
    EAVESDROP;

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static SessionType parse(String text) {
        return of(text).orElseThrow(() -> KnowledgeProblem.invalid("type", Text.of("knowledge.field.session-type")));
    }

    static Optional<SessionType> of(String text) {
        return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
    }
}
