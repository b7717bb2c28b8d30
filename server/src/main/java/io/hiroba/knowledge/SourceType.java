package io.hiroba.knowledge;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.platform.i18n.Text;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A type of source. */
public enum SourceType {
    /** An archived part of a chat session. */
    DISCORD_SESSION,
    DOCUMENT_FILE,
    WEB_PAGE,
    IMAGE_CAPTION,
    AUDIO_TRANSCRIPT,
    /** A text that was typed or sent. */
    NOTE,
    /** A public post. */
    POST,
    /** A record of a project. */
    RECORD,
    /** An issue or a merge request of the inbox. */
    RESOURCE;

    /** Whether such sources are kept in step with what they are made of, and nobody changes or shares them by hand. */
    public boolean isMirrored() {
        return this == DISCORD_SESSION || this == POST || this == RECORD || this == RESOURCE;
    }

    /** As in the database and the API. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a type from a request.
     *
     * @param field the field that a problem names
     */
    public static SourceType parse(String field, String text) {
        return of(text).orElseThrow(() -> KnowledgeProblem.invalid(field, Text.of("knowledge.field.source-type")));
    }

    public static Optional<SourceType> of(String text) {
        return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
    }
}
