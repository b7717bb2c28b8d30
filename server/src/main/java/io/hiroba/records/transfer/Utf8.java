package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;

/** Decodes UTF-8 strictly, without a byte order mark. */
final class Utf8 {

    static final Text BROKEN = Text.of("records.transfer.encoding");

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private Utf8() {}

    /**
     * Decodes {@code content} without a byte order mark; invalid UTF-8 is an error, not a replacement character in
     * somebody's name.
     */
    static Reader reader(InputStream content) {
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        return new InputStreamReader(withoutMark(content), decoder);
    }

    private static InputStream withoutMark(InputStream content) {
        var input = new PushbackInputStream(content, BYTE_ORDER_MARK.length);
        try {
            var first = input.readNBytes(BYTE_ORDER_MARK.length);
            if (!Arrays.equals(first, BYTE_ORDER_MARK)) {
                input.unread(first);
            }
            return input;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At most {@code most} characters of {@code text}, with characters replaced that PostgreSQL cannot store. */
    static String storable(String text, int most) {
        var some = text.length() <= most ? text : text.substring(0, most - 1) + "…";
        if (isStorable(some)) {
            return some;
        }
        var good = new StringBuilder();
        some.codePoints()
                .map(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? 0xFFFD : c)
                .forEach(good::appendCodePoint);
        return good.toString();
    }

    /** The same for each argument of {@code text}. */
    static Text storable(Text text, int most) {
        var arguments = new HashMap<String, Object>();
        text.arguments().forEach((name, value) -> arguments.put(name, storable(value, most)));
        return new Text(text.key(), arguments);
    }

    private static Object storable(Object argument, int most) {
        return switch (argument) {
            case Text text -> storable(text, most);
            case Number number -> number;
            case Collection<?> items ->
                items.stream().map(item -> storable(item, most)).toList();
            default -> storable(argument.toString(), most);
        };
    }

    /** False if {@code text} contains what PostgreSQL cannot store: a NUL, or half of a surrogate pair. */
    static boolean isStorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
