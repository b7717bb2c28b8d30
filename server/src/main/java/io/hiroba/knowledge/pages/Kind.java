package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.SourceType;

/**
 * What a source is, as people read it.
 *
 * @param icon the name of a symbol in {@code icons.svg}
 */
public record Kind(String label, String icon) {

    static Kind of(SourceType type) {
        return switch (type) {
            case DISCORD_SESSION -> new Kind("Conversation", "chat");
            case DOCUMENT_FILE -> new Kind("File", "file");
            case WEB_PAGE -> new Kind("Web page", "globe");
            case IMAGE_CAPTION -> new Kind("Image", "image");
            case AUDIO_TRANSCRIPT -> new Kind("Recording", "sound");
            case NOTE -> new Kind("Text", "edit");
            case POST -> new Kind("Post", "home");
        };
    }
}
