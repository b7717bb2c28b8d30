package io.hiroba.knowledge.documents;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/** Decodes the bytes of a text file. */
final class TextDecoder {

    private static final Charset WESTERN = Charset.forName("windows-1252");

    private TextDecoder() {}

    /** Whether the file has a byte order mark. */
    static boolean hasMark(byte[] content) {
        return content.length >= 2
                && ((content[0] == (byte) 0xFE && content[1] == (byte) 0xFF)
                        || (content[0] == (byte) 0xFF && content[1] == (byte) 0xFE));
    }

    /**
     * Decodes the text by its byte order mark, else by {@code charset}, else as UTF-8 if it is valid, else as
     * Windows-1252.
     */
    static String text(byte[] content, @Nullable String charset) {
        if (hasMark(content)) {
            return new String(content, StandardCharsets.UTF_16);
        }
        var named = named(charset);
        if (named != null) {
            return withoutMark(new String(content, named));
        }
        try {
            return withoutMark(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString());
        } catch (CharacterCodingException e) {
            return new String(content, WESTERN);
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static @Nullable Charset named(@Nullable String charset) {
        try {
            return charset == null ? null : Charset.forName(charset);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }
}
