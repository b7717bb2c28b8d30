package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.CharsetGuess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a file: by its byte order mark, else the one that its uploader named, else UTF-8 if its beginning is that, else the one that is likely. The same file has the
 * same encoding every time, so an import that goes on after a crash reads it as before.
 */
final class FileEncoding {

    static final Text BROKEN = Text.of("records.transfer.encoding");

    private static final int BEGINNING = 1 << 18;
    /** The characters beyond ASCII that are hardly UTF-8 by chance. */
    private static final int ENOUGH = 50;

    private FileEncoding() {}

    /** The name of an encoding as the server knows it; empty for one that it does not. */
    static Optional<String> named(String name) {
        try {
            return Charset.isSupported(name) ? Optional.of(Charset.forName(name).name()) : Optional.empty();
        } catch (IllegalCharsetNameException _) {
            return Optional.empty();
        }
    }

    /**
     * Decodes {@code content} without a byte order mark; bytes that are not in the encoding are an error, not a replacement character in
     * somebody's name.
     *
     * @param encoding its name, see {@link #named}; null for the likely one
     * @throws MalformedFileException if no encoding is likely
     */
    static Reader reader(InputStream content, @Nullable String encoding) {
        try {
            var beginning = content.readNBytes(BEGINNING);
            var mark = Mark.of(beginning);
            var charset = mark.map(Mark::charset)
                    .orElseGet(() -> encoding == null ? guess(beginning) : Charset.forName(encoding));
            int skipped = mark.map(Mark::bytes).map(String::length).orElse(0);
            var rest = new ByteArrayInputStream(beginning, skipped, beginning.length - skipped);
            return new InputStreamReader(new SequenceInputStream(rest, content), strict(charset));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Charset guess(byte[] beginning) {
        return CharsetGuess.wide(beginning)
                .or(() -> isUtf8(beginning) ? Optional.of(StandardCharsets.UTF_8) : CharsetGuess.of(beginning))
                .orElseThrow(() -> new MalformedFileException(1, Text.of("records.transfer.unknown-encoding")));
    }

    /** Whether it is UTF-8, all of it or so much that a byte which is not is damaged. The end may cut a character. */
    private static boolean isUtf8(byte[] beginning) {
        var out = CharBuffer.allocate(beginning.length);
        var result =
                strict(StandardCharsets.UTF_8).decode(ByteBuffer.wrap(beginning), out, beginning.length < BEGINNING);
        return !result.isError()
                || out.flip().chars().filter(c -> c >= 0x80).limit(ENOUGH).count() == ENOUGH;
    }

    private static CharsetDecoder strict(Charset charset) {
        return charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    /** A byte order mark, with its bytes as characters. */
    private record Mark(Charset charset, String bytes) {

        private static final List<Mark> ALL = List.of(
                new Mark(StandardCharsets.UTF_8, "\u00EF\u00BB\u00BF"),
                new Mark(StandardCharsets.UTF_16BE, "\u00FE\u00FF"),
                new Mark(StandardCharsets.UTF_16LE, "\u00FF\u00FE"));

        static Optional<Mark> of(byte[] beginning) {
            var first = new String(beginning, 0, Math.min(3, beginning.length), StandardCharsets.ISO_8859_1);
            return ALL.stream().filter(mark -> first.startsWith(mark.bytes)).findFirst();
        }
    }
}
