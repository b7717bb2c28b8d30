package io.hiroba.records;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rule for names of schemas and attributes: any script, without the signs that paths, query strings, lists of names and
 * spreadsheets give a meaning to. Digits alone are an id. Of invisible characters there are joiners alone, between letters that
 * they change (UAX 31).
 */
public final class SchemaNames {

    private static final int MAX_LENGTH = 100;

    /** The length of a name that is made of a text: a number that tells it from another may follow. */
    private static final int MADE_LENGTH = 90;

    static final int MAX_TITLE_LENGTH = 100;

    /** The sign that stands for others where a name is made of a text. */
    private static final String SUBSTITUTE = "_";

    /** The letters and marks of scripts in which joiners change how words are read and written. */
    private static final String JOINED = Stream.of(
                    "Arabic",
                    "Syriac",
                    "Mandaic",
                    "Nko",
                    "Mongolian",
                    "Devanagari",
                    "Bengali",
                    "Gurmukhi",
                    "Gujarati",
                    "Oriya",
                    "Tamil",
                    "Telugu",
                    "Kannada",
                    "Malayalam",
                    "Sinhala",
                    "Myanmar",
                    "Khmer",
                    "Tibetan",
                    "Balinese",
                    "Javanese",
                    "Sundanese",
                    "Chakma",
                    "Kaithi",
                    "Newa",
                    "Tirhuta",
                    "Grantha")
            .map("\\p{Is%s}"::formatted)
            .collect(Collectors.joining("", "[[", "]&&[\\p{L}\\p{M}]]"));

    /** A joiner (U+200C, U+200D) that is not between two of them cannot be seen. */
    private static final Pattern STRAY_JOINER =
            Pattern.compile("(?<!%1$s)[\\u200C\\u200D]|[\\u200C\\u200D](?!%1$s)".formatted(JOINED));

    private static final Pattern ID = Pattern.compile("[0-9]{1,5}");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private SchemaNames() {}

    /** The one form of names that look the same. */
    public static String normalized(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC);
    }

    /** Whether {@code name}, normalized, may be a name. */
    static boolean isValid(String name) {
        return !name.isEmpty()
                && name.codePointCount(0, name.length()) <= MAX_LENGTH
                && Character.isLetterOrDigit(name.codePointAt(0))
                && !name.endsWith(" ")
                && !name.contains("  ")
                && !DIGITS.matcher(name).matches()
                && !STRAY_JOINER.matcher(name).find()
                && name.codePoints().allMatch(SchemaNames::isAllowed);
    }

    /** Whether it may be the id of a schema or an attribute. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** A valid name that is as close to {@code text} as may be; empty if nothing of it can stay. */
    public static String of(String text) {
        var name = new StringBuilder();
        STRAY_JOINER
                .matcher(normalized(text))
                .replaceAll("")
                .strip()
                .codePoints()
                .forEach(c -> {
                    if (isAllowed(c) && c != ' ') {
                        name.appendCodePoint(c);
                    } else if (Character.isSpaceChar(c) || Character.isWhitespace(c)) {
                        name.append(' ');
                    } else {
                        name.append(SUBSTITUTE);
                    }
                });
        var tidy = name.toString()
                .replaceAll(" {2,}", " ")
                .replaceAll("_{2,}", SUBSTITUTE)
                .replaceAll("^[^\\p{L}\\p{Nd}]+|[_ -]+$", "");
        var cut = tidy.codePointCount(0, tidy.length()) > MADE_LENGTH
                ? tidy.substring(0, tidy.offsetByCodePoints(0, MADE_LENGTH)).stripTrailing()
                : tidy;
        return DIGITS.matcher(cut).matches() ? "c" + cut : cut;
    }

    /** A valid title that is as close to {@code text} as may be. */
    public static String titleOf(String text) {
        var title = normalized(text).replaceAll("[\\p{Cc}\\p{Cs}\\s]+", " ").strip();
        return title.codePointCount(0, title.length()) > MAX_TITLE_LENGTH
                ? title.substring(0, title.offsetByCodePoints(0, MAX_TITLE_LENGTH))
                        .stripTrailing()
                : title;
    }

    /** The name in a path. */
    public static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static boolean isAllowed(int c) {
        if (c == '\u200C' || c == '\u200D') {
            return true;
        }
        if (c < 128) {
            return Character.isLetterOrDigit(c) || "_- ()".indexOf(c) >= 0;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
