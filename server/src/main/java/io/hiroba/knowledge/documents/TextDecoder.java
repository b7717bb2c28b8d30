package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.text.CharsetGuess;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the bytes of a text: by its byte order mark, else by the encoding that is declared, else by the one that is likely. What is
 * in none of them is refused.
 */
final class TextDecoder {

    static final String UNKNOWN_ENCODING = "knowledge.unknown-encoding";

    /** A text may be damaged or cut: so many bytes, and so many characters beyond ASCII, it has at least for each error. */
    private static final int BYTES_PER_ERROR = 1000;

    private static final int CHARACTERS_PER_ERROR = 50;

    /** The start of a document, in which it may declare its encoding. */
    private static final int DECLARATION_SIZE = 4096;

    private static final Pattern DECLARATION =
            Pattern.compile("(?i)<meta\\s[^>]{0,500}?charset\\s*=\\s*[\"']?\\s*([a-z0-9._:-]{1,40})"
                    + "|^\\s*<\\?xml\\s[^>]{0,200}?encoding\\s*=\\s*[\"']([a-z0-9._:-]{1,40})");

    /** The shifts to Japanese characters, which no other text has. */
    private static final Pattern ISO_2022_JP = Pattern.compile("\u001b(?:\\$[@B]|\\(J|\\$\\(D)");

    /** The encodings that are meant by these names, as browsers read them: each has all characters of the one that is named. */
    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("shift_jis", "windows-31j"),
            Map.entry("shift-jis", "windows-31j"),
            Map.entry("sjis", "windows-31j"),
            Map.entry("x-sjis", "windows-31j"),
            Map.entry("ms932", "windows-31j"),
            Map.entry("cp932", "windows-31j"),
            Map.entry("x-euc-jp", "EUC-JP"),
            Map.entry("iso-2022-jp", "x-windows-iso2022jp"),
            Map.entry("gb2312", "GB18030"),
            Map.entry("gb_2312-80", "GB18030"),
            Map.entry("gbk", "GB18030"),
            Map.entry("x-gbk", "GB18030"),
            Map.entry("cp936", "GB18030"),
            Map.entry("big5", "Big5-HKSCS"),
            Map.entry("cn-big5", "Big5-HKSCS"),
            Map.entry("euc-kr", "x-windows-949"),
            Map.entry("ks_c_5601-1987", "x-windows-949"),
            Map.entry("us-ascii", "windows-1252"),
            Map.entry("ascii", "windows-1252"),
            Map.entry("iso-8859-1", "windows-1252"),
            Map.entry("latin1", "windows-1252"),
            Map.entry("iso-8859-9", "windows-1254"));

    private static final Set<String> ASCII = Set.of("us-ascii", "ascii");

    private TextDecoder() {}

    /** Whether the file has a byte order mark of UTF-16 or UTF-32. */
    static boolean hasWideMark(byte[] content) {
        return marked(content)
                .filter(charset -> !charset.equals(StandardCharsets.UTF_8))
                .isPresent();
    }

    private static Optional<Charset> marked(byte[] content) {
        if (startsWith(content, 0xEF, 0xBB, 0xBF)) {
            return Optional.of(StandardCharsets.UTF_8);
        }
        // Before UTF-16, whose mark this is as well, followed by a character that no text has.
        if (startsWith(content, 0xFF, 0xFE, 0, 0) || startsWith(content, 0, 0, 0xFE, 0xFF)) {
            return Optional.of(StandardCharsets.UTF_32);
        }
        return startsWith(content, 0xFE, 0xFF) || startsWith(content, 0xFF, 0xFE)
                ? Optional.of(StandardCharsets.UTF_16)
                : Optional.empty();
    }

    private static boolean startsWith(byte[] content, int... mark) {
        return content.length >= mark.length
                && IntStream.range(0, mark.length).allMatch(i -> content[i] == (byte) mark[i]);
    }

    /** Whether an encoding of that name can be read. */
    static boolean isKnown(String charset) {
        return charset.equalsIgnoreCase("utf-16") || named(charset) != null;
    }

    /** Decodes a text. {@code declared} is the encoding that its sender or the text itself names, if any. */
    static String text(byte[] content, @Nullable String declared) {
        var marked = marked(content);
        if (marked.isPresent()) {
            var charset = marked.get();
            return (charset.equals(StandardCharsets.UTF_8) ? decode(content, charset) : strict(content, charset))
                    .map(TextDecoder::withoutMark)
                    .orElseThrow(TextDecoder::unknown);
        }
        if (isAscii(declared)) {
            // What says so and has more is mostly UTF-8.
            var text = strict(content, StandardCharsets.UTF_8).filter(each -> !isShifted(each));
            if (text.isPresent()) {
                return text.get();
            }
        }
        var named = named(declared);
        return Optional.ofNullable(named)
                .flatMap(charset -> decode(content, charset))
                .or(() -> CharsetGuess.wide(content).flatMap(charset -> decode(content, charset)))
                .or(() -> strict(content, StandardCharsets.UTF_8).filter(text -> !isShifted(text)))
                .or(() -> japaneseMail(content))
                .or(() -> decode(content, StandardCharsets.UTF_8).filter(text -> !isShifted(text)))
                .or(() -> CharsetGuess.of(content).flatMap(charset -> decode(content, charset)))
                .map(TextDecoder::withoutMark)
                .orElseThrow(TextDecoder::unknown);
    }

    private static boolean isAscii(@Nullable String declared) {
        return declared != null && ASCII.contains(declared.strip().toLowerCase(Locale.ROOT));
    }

    /** The name of the encoding that is meant by that name. */
    static String meant(String name) {
        return MEANT.getOrDefault(name.toLowerCase(Locale.ROOT), name);
    }

    /** As {@link #text}, with what the page or XML itself declares unless the sender does. */
    static String markup(byte[] content, @Nullable String declared) {
        if (declared != null && isKnown(declared)) {
            return text(content, declared);
        }
        var start = new String(content, 0, Math.min(content.length, DECLARATION_SIZE), StandardCharsets.ISO_8859_1);
        var match = DECLARATION.matcher(start);
        if (!match.find()) {
            return text(content, null);
        }
        return text(content, match.group(1) == null ? match.group(2) : match.group(1));
    }

    /** Whether bytes with zeros are a text all the same. */
    static boolean isWide(byte[] content, @Nullable String declared) {
        var named = named(declared);
        return (named != null
                        && (named.name().startsWith("UTF-16") || named.name().startsWith("UTF-32")))
                || CharsetGuess.wide(content).isPresent();
    }

    private static boolean isShifted(String text) {
        return text.indexOf('\u001b') >= 0 && ISO_2022_JP.matcher(text).find();
    }

    private static Optional<String> japaneseMail(byte[] content) {
        var charset = named("iso-2022-jp");
        return charset == null || !isShifted(new String(content, StandardCharsets.ISO_8859_1))
                ? Optional.empty()
                : decode(content, charset);
    }

    private static Optional<String> strict(byte[] content, Charset charset) {
        try {
            return Optional.of(charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(content))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Decodes with few errors, each of which becomes a replacement character; empty if there are more. */
    private static Optional<String> decode(byte[] content, Charset charset) {
        var decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        int max = Math.max(1, content.length / BYTES_PER_ERROR);
        int errors = 0;
        var in = ByteBuffer.wrap(content);
        var out = CharBuffer.allocate(Math.max(
                16, (int) Math.ceil(content.length * (double) decoder.maxCharsPerByte()) + 1));
        while (true) {
            var result = decoder.decode(in, out, true);
            if (result.isUnderflow()) {
                decoder.flush(out);
                var text = out.flip().toString();
                return errors == 0 || text.chars().filter(c -> c >= 0x80).count() > (long) errors * CHARACTERS_PER_ERROR
                        ? Optional.of(text)
                        : Optional.empty();
            }
            if (++errors > max || !out.hasRemaining()) {
                return Optional.empty();
            }
            in.position(in.position() + Math.min(result.length(), in.remaining()));
            out.put('\uFFFD');
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static @Nullable Charset named(@Nullable String name) {
        if (name == null) {
            return null;
        }
        var asked = name.strip().toLowerCase(Locale.ROOT);
        var meant = MEANT.getOrDefault(asked, asked);
        try {
            // Without a mark, UTF-16 does not say in which order its bytes are.
            if (meant.equals("utf-16") || !Charset.isSupported(meant)) {
                return null;
            }
            return Charset.forName(meant);
        } catch (IllegalCharsetNameException e) {
            return null;
        }
    }

    private static KnowledgeProblem unknown() {
        return new KnowledgeProblem(Problem.Kind.UNPROCESSABLE, "unknown-encoding");
    }
}
