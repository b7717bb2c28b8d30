package io.hiroba.platform.text;

import com.ibm.icu.text.CharsetDetector;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Guesses the encoding of a text that is not UTF-8 and declares none: every encoding that decodes it without an error is rated by
 * how much the result looks like a language that is written in it.
 */
public final class CharsetGuess {

    /** The size of the sample: what is longer costs time, and tells nothing more. */
    private static final int SAMPLE_SIZE = 32 * 1024;

    private static final int LONG_LINE = 4096;
    private static final double MIN_RATING = 0.7;
    /** An alphabet has few letters, so more of them are right by chance. */
    private static final double MIN_ALPHABETIC = 0.9;
    /** Two ratings that differ by less are equal. */
    private static final double EQUAL = 0.05;

    /** An encoding with the languages that are written in it; of those that read the same text the first is chosen. */
    private record Candidate(String charset, List<LanguageRating> languages) {

        static Candidate of(String charset, LanguageRating... languages) {
            return new Candidate(charset, List.of(languages));
        }

        boolean isMultibyte() {
            return languages.stream().anyMatch(language -> language.compareTo(LanguageRating.KOREAN) <= 0);
        }
    }

    private static final List<Candidate> CANDIDATES = List.of(
            Candidate.of("windows-31j", LanguageRating.JAPANESE),
            Candidate.of("EUC-JP", LanguageRating.JAPANESE),
            Candidate.of("GB18030", LanguageRating.SIMPLIFIED_CHINESE),
            Candidate.of("Big5-HKSCS", LanguageRating.TRADITIONAL_CHINESE),
            Candidate.of("x-windows-949", LanguageRating.KOREAN),
            Candidate.of("windows-1252", LanguageRating.WESTERN),
            Candidate.of("windows-1250", LanguageRating.CENTRAL_EUROPEAN),
            Candidate.of("windows-1251", LanguageRating.CYRILLIC),
            Candidate.of("KOI8-R", LanguageRating.CYRILLIC),
            Candidate.of("windows-1253", LanguageRating.GREEK),
            Candidate.of("windows-1254", LanguageRating.TURKISH),
            Candidate.of("windows-1255", LanguageRating.HEBREW),
            Candidate.of("windows-1256", LanguageRating.ARABIC),
            Candidate.of("windows-1257", LanguageRating.BALTIC),
            Candidate.of("windows-1258", LanguageRating.VIETNAMESE),
            Candidate.of("ISO-8859-2", LanguageRating.CENTRAL_EUROPEAN));

    /** The names of the detector for encodings that are parts of ours. */
    private static final Map<String, String> PARTS = Map.of(
            "ISO-8859-1", "windows-1252",
            "ISO-8859-7", "windows-1253",
            "ISO-8859-8", "windows-1255",
            "ISO-8859-8-I", "windows-1255",
            "ISO-8859-9", "windows-1254");

    private static final String WESTERN = "windows-1252";
    private static final int FEW_LETTERS = 3;
    private static final int ASCII_FOR_EACH = 3;

    private CharsetGuess() {}

    /** A decoded sample with its rating. */
    private record Rated(Charset charset, String text, double rating) {}

    /** UTF-16 if the text begins as one that has characters of ASCII, whose other byte is zero. */
    public static Optional<Charset> wide(byte[] content) {
        for (int i = 0; i < Math.min(content.length, SAMPLE_SIZE); i++) {
            if (content[i] == 0) {
                return utf16(content);
            }
        }
        return Optional.empty();
    }

    /** The encoding; empty if none is likely, or if several are and nothing decides between their texts. */
    public static Optional<Charset> of(byte[] content) {
        var sample = sample(content);
        var rated = new ArrayList<Rated>();
        for (var candidate : CANDIDATES) {
            if (Charset.isSupported(candidate.charset())) {
                var charset = Charset.forName(candidate.charset());
                decode(charset, sample).ifPresent(text -> rated.add(new Rated(charset, text, rating(candidate, text))));
            }
        }
        var best = best(rated, sample);
        // Japanese and Chinese in UTF-16 may have no zero at all.
        return best.isPresent() ? best : utf16(content);
    }

    private static double rating(Candidate candidate, String text) {
        double rating = candidate.languages().stream()
                .mapToDouble(language -> language.of(text))
                .max()
                .orElse(0);
        if (rating < MIN_ALPHABETIC && !candidate.isMultibyte()) {
            return 0;
        }
        // Without kana, Japanese in EUC-JP cannot be told from Chinese and Korean.
        return candidate.charset().equals("EUC-JP") && !hasKana(text) ? 0 : rating;
    }

    private static boolean hasKana(String text) {
        return text.codePoints().anyMatch(c -> c >= 0x3041 && c <= 0x30FE);
    }

    private static Optional<Charset> best(List<Rated> rated, byte[] sample) {
        double highest = rated.stream().mapToDouble(Rated::rating).max().orElse(0);
        if (highest < MIN_RATING) {
            return Optional.empty();
        }
        var likely = rated.stream()
                .filter(each -> each.rating() >= MIN_RATING && each.rating() > highest - EQUAL)
                .toList();
        if (likely.stream().map(Rated::text).distinct().count() == 1) {
            return Optional.of(likely.getFirst().charset());
        }
        if (likely.stream().anyMatch(CharsetGuess::isNearlyEnglish)) {
            return Optional.of(Charset.forName(WESTERN));
        }
        var confidence = confidence(sample);
        return likely.stream()
                .max(Comparator.comparingInt(
                        each -> confidence.getOrDefault(each.charset().name(), 0)))
                .filter(each -> confidence.getOrDefault(each.charset().name(), 0) > 0)
                .map(Rated::charset);
    }

    /** Whether it has so few other letters that sequences of them say nothing: an English text with a word from French. */
    private static boolean isNearlyEnglish(Rated rated) {
        long ascii = rated.text()
                .chars()
                .filter(c -> c < 0x80 && Character.isLetter(c))
                .count();
        long beyond = rated.text().chars().filter(c -> c >= 0x80).count();
        return rated.charset().name().equals(WESTERN) && beyond <= FEW_LETTERS && ascii >= ASCII_FOR_EACH * beyond;
    }

    /** What sequences of three letters say, which tell apart encodings with one alphabet. */
    private static Map<String, Integer> confidence(byte[] sample) {
        var confidence = new HashMap<String, Integer>();
        for (var match : new CharsetDetector().setText(sample).detectAll()) {
            var name = PARTS.getOrDefault(match.getName(), match.getName());
            confidence.merge(name, match.getConfidence(), Math::max);
        }
        return confidence;
    }

    /** UTF-16 without a byte order mark. */
    private static Optional<Charset> utf16(byte[] content) {
        if (content.length % 2 != 0) {
            return Optional.empty();
        }
        var sample = Arrays.copyOf(content, Math.min(content.length, SAMPLE_SIZE));
        return List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE).stream()
                .flatMap(
                        charset -> decode(charset, sample).stream().map(text -> new Rated(charset, text, rating(text))))
                .filter(each -> each.rating() >= MIN_RATING)
                .max(Comparator.comparingDouble(Rated::rating))
                .map(Rated::charset);
    }

    /** The rating in any language, with ASCII as one more. */
    private static double rating(String text) {
        if (text.codePoints().anyMatch(c -> !Character.isDefined(c) || isControl(c))) {
            return 0;
        }
        long all = text.codePoints().count();
        long ascii = text.codePoints().filter(c -> c < 0x80).count();
        double language = Arrays.stream(LanguageRating.values())
                .mapToDouble(each -> each.of(text))
                .max()
                .orElse(0);
        return all == 0 ? 0 : (ascii + (all - ascii) * language) / all;
    }

    private static boolean isControl(int c) {
        return Character.isISOControl(c) && "\t\n\r\f\u001b".indexOf(c) < 0;
    }

    /**
     * The lines with characters beyond ASCII, up to a size: a program may have its only ones at its end. A long line begins with the
     * first of them, which no character begins before.
     */
    private static byte[] sample(byte[] content) {
        var sample = new ByteArrayOutputStream();
        int start = 0;
        while (start < content.length && sample.size() < SAMPLE_SIZE) {
            int end = start;
            int first = -1;
            while (end < content.length && content[end] != '\n') {
                first = first < 0 && content[end] < 0 ? end : first;
                end++;
            }
            if (first >= 0) {
                int from = end - start > LONG_LINE ? first : start;
                sample.write(content, from, Math.min(Math.min(end + 1, content.length) - from, SAMPLE_SIZE));
            }
            start = end + 1;
        }
        var lines = sample.toByteArray();
        return lines.length <= SAMPLE_SIZE ? lines : Arrays.copyOf(lines, SAMPLE_SIZE);
    }

    /** The text; empty if it is not in that encoding. A character that the end of the sample cuts is left out. */
    private static Optional<String> decode(Charset charset, byte[] sample) {
        var decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        var out = CharBuffer.allocate((int) (sample.length * (double) decoder.maxCharsPerByte()) + 2);
        boolean isWhole = sample.length < SAMPLE_SIZE;
        var result = decoder.decode(ByteBuffer.wrap(sample), out, isWhole);
        return result.isError() ? Optional.empty() : Optional.of(out.flip().toString());
    }
}
