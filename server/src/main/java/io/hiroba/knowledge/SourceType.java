package io.hiroba.knowledge;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a source is. */
public enum SourceType {
    /** A part of a conversation, archived. */
    DISCORD_SESSION,
    DOCUMENT_FILE,
    WEB_PAGE,
    IMAGE_CAPTION,
    AUDIO_TRANSCRIPT,
    /** A text that somebody wrote or sent. */
    NOTE,
    /** A post of the square. */
    POST;

    /** As the database and the API spell it. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<SourceType> of(String text) {
        return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
    }
}
