package io.hiroba.knowledge;

import io.hiroba.knowledge.documents.DocumentReader;
import java.util.Map;
import java.util.regex.Pattern;
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

        private static final Pattern CHARSET = Pattern.compile("(?i)charset\\s*=\\s*\"?([a-z0-9._:-]{1,40})");

        private final @Nullable String title;
        private final String name;
        private final @Nullable String mediaType;
        private final @Nullable String charset;
        private final byte[] content;

        /**
         * A file as described by its sender.
         *
         * @param title null for the title in the file, or its name
         * @param name the file name; may be empty
         * @param mediaType the declared type; name and content are considered too
         * @param charset the encoding that the sender chose; null for what the type declares or the content tells
         * @param content must not be changed afterwards
         */
        public File(
                @Nullable String title,
                String name,
                @Nullable String mediaType,
                @Nullable String charset,
                byte[] content) {
            this.title = title;
            this.name = name;
            this.mediaType = mediaType;
            this.charset = checked(charset);
            this.content = content;
        }

        private static @Nullable String checked(@Nullable String charset) {
            if (charset == null || charset.isBlank()) {
                return null;
            }
            if (!DocumentReader.isCharset(charset)) {
                throw KnowledgeProblem.invalid("charset", io.hiroba.platform.i18n.Text.of("knowledge.field.charset"));
            }
            return charset;
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

        /** The encoding that was chosen, else the one in the declared type. */
        @Nullable
        String charset() {
            var declared = CHARSET.matcher(mediaType == null ? "" : mediaType);
            return charset == null && declared.find() ? declared.group(1) : charset;
        }

        byte[] content() {
            return content;
        }
    }

    /** The URL of a page to fetch. */
    record Url(String url) implements SourceInput {}
}
