package io.hiroba.knowledge;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A text, file or URL to add as a source. */
public sealed interface SourceInput {

    /**
     * A text.
     *
     * @param title none lets the text's first heading or line be it
     * @param mediaType what the text is written in; none means Markdown
     * @param type a note, or what a picture shows or a recording says
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
         * A file as its sender describes it.
         *
         * @param title none lets the file's own title or its name be it
         * @param name as its owner calls it; empty if it has none
         * @param mediaType what its sender takes it for; its name and its content tell too
         * @param content not to be changed afterwards
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

    /** The address of a page to be fetched. */
    record Url(String url) implements SourceInput {}
}
