package io.hiroba.knowledge;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A text, file or URL to add as a source. */
public sealed interface SourceInput {

    /**
     * A text.
     *
     * @param title null for the first heading or line of the text
     * @param mediaType the format of the text; null for Markdown
     * @param type a note, a description of a picture, or a transcript of a recording
     */
    record Text(
            @Nullable String title,
            String text,
            @Nullable String mediaType,
            SourceType type,
            Map<String, Object> metadata)
            implements SourceInput {

        public Text {
            metadata = Map.copyOf(metadata);
        }

        public static Text note(@Nullable String title, String text) {
            return new Text(title, text, null, SourceType.NOTE, Map.of());
        }
    }

    /** A file. */
    final class File implements SourceInput {

        private final @Nullable String title;
        private final String name;
        private final @Nullable String mediaType;
        private final byte[] content;

        /**
         * A file as described by its sender.
         *
         * @param title null for the title in the file, or its name
         * @param name the file name; may be empty
         * @param mediaType the declared type; name and content are considered too
         * @param content must not be changed afterwards
         */
        public File(@Nullable String title, String name, @Nullable String mediaType, byte[] content) {
            this.title = title;
            this.name = name;
            this.mediaType = mediaType;
            this.content = content;
        }

        @Nullable
        String title() {
            return title;
        }

        String name() {
            return name;
        }

        @Nullable
        String mediaType() {
            return mediaType;
        }

        byte[] content() {
            return content;
        }
    }

    /** The URL of a page to fetch. */
    record Url(String url) implements SourceInput {}
}
