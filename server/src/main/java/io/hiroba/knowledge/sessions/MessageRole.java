package io.hiroba.knowledge.sessions;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Arrays;
import java.util.Locale;

/** The role of a message's author. */
public enum MessageRole {
    USER,
    ASSISTANT,
    SYSTEM;

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static MessageRole parse(String text) {
        return Arrays.stream(values())
                .filter(role -> role.text().equals(text))
                .findFirst()
                .orElseThrow(() -> KnowledgeProblem.invalid("role", Text.of("knowledge.field.role")));
    }
}
