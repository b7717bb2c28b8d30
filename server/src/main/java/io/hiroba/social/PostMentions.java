package io.hiroba.social;

import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.HtmlAttribute;
import io.hiroba.platform.markdown.HtmlNode;
import io.hiroba.platform.markdown.HtmlTag;
import io.hiroba.social.MentionStore.Mentioned;
import java.lang.Character.UnicodeScript;
import java.text.BreakIterator;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds and links the {@code @name}s in a text, also with the full-width sign of Japanese keyboards: a nickname without spaces,
 * or an id. Code and links hold none. Where words are written without spaces between them, or with endings, a name also ends where
 * another script begins, and otherwise where the longest nickname does: {@code @annさん} mentions Ann if nobody is called annさん,
 * {@code @さくらさん} Sakura. {@code social.js} completes names by the same rules.
 */
final class PostMentions {

    /** Bounds the lookups. */
    private static final int MAX_NAMES = 100;

    /** Bounds those of nicknames that others may go on behind. */
    private static final int MAX_BEGINNINGS = 500;

    /** A shorter beginning of a word is somebody's name by chance. */
    private static final int MIN_BEGINNING_LENGTH = 2;

    private static final int MAX_NAME_LENGTH = 50;
    private static final int MAX_ENDS = 4;
    private static final int SPACED = 0;
    private static final int EMOJI = 1;
    private static final int LONG_VOWEL = 'ー';

    private static final String UNSPACED = "\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}ー";

    /** Letters before a mention make it a part of an address, unless they are of a script without spaces. */
    private static final String NOT_BEFORE = "[[\\p{L}\\p{N}_@\uFF20/.]&&[^" + UNSPACED + "]]";

    /** Emoji are symbols, joiners, skin tones and the tags of flags. */
    private static final String NAME_CHARACTERS =
            "[\\p{L}\\p{M}\\p{N}\\p{So}_.・\\-\\u200C\\u200D\\x{1F3FB}-\\x{1F3FF}\\x{E0020}-\\x{E007F}]";

    private static final Pattern MENTION = Pattern.compile("(?<!" + NOT_BEFORE + ")[@\uFF20]([\\p{L}\\p{N}\\p{So}_]"
            + NAME_CHARACTERS + "{0,200}+)(?:(?![@\uFF20])|(?<=[" + UNSPACED + "]))");

    private static final Pattern NO_END = Pattern.compile("[.・\\-\\u200C\\u200D]+$");

    private PostMentions() {}

    /** The names that may be mentioned, normalised as {@link #link} expects them, where none of {@code known} is. */
    static Set<String> in(Document document, Set<String> known) {
        var names = new LinkedHashSet<String>();
        var beginnings = new LinkedHashSet<String>();
        document.replacingText(text -> {
            var mention = MENTION.matcher(text.text());
            while (mention.find() && names.size() < MAX_NAMES) {
                var keys =
                        names(mention.group(1)).stream().map(PostMentions::key).toList();
                if (keys.stream().noneMatch(known::contains)) {
                    names.addAll(keys);
                    beginnings(mention.group(1)).map(PostMentions::key).forEach(beginnings::add);
                }
            }
            return List.of(text);
        });
        beginnings.stream().limit(MAX_BEGINNINGS).forEach(names::add);
        return names;
    }

    /** Those of the known names that the text mentions: the longest one at each place. */
    static Map<String, Mentioned> meant(Document document, Map<String, Mentioned> known) {
        var meant = new HashMap<String, Mentioned>();
        document.replacingText(text -> {
            mentions(text.text(), known).forEach(mention -> meant.put(key(mention.name), mention.user));
            return List.of(text);
        });
        return meant;
    }

    /** Links each mention of a known name to its user. */
    static Document link(Document document, Map<String, Mentioned> known) {
        return known.isEmpty() ? document : document.replacingText(text -> linked(text.text(), known));
    }

    private static List<HtmlNode> linked(String text, Map<String, Mentioned> known) {
        var nodes = new ArrayList<HtmlNode>();
        int done = 0;
        for (var mention : mentions(text, known)) {
            if (mention.start > done) {
                nodes.add(new HtmlNode.Text(text.substring(done, mention.start)));
            }
            nodes.add(new HtmlNode.Element(
                    HtmlTag.A,
                    Map.of(HtmlAttribute.HREF, "/users/" + mention.user.id()),
                    List.of(new HtmlNode.Text(text.charAt(mention.start) + mention.shown()))));
            done = mention.start + 1 + mention.name.length();
        }
        if (done < text.length()) {
            nodes.add(new HtmlNode.Text(text.substring(done)));
        }
        return nodes;
    }

    /** A name in a text, after an at sign at {@code start}. */
    private record Mention(int start, String name, Mentioned user) {

        /** As it was written; an id is written for those whose nickname cannot be, and nobody wants to read it. */
        String shown() {
            return name.equalsIgnoreCase(user.id().hex()) ? user.nickname() : name;
        }
    }

    private static List<Mention> mentions(String text, Map<String, Mentioned> known) {
        var found = new ArrayList<Mention>();
        var mention = MENTION.matcher(text);
        while (mention.find()) {
            var written = mention.group(1);
            Stream.concat(names(written).stream(), beginnings(written))
                    .filter(name -> known.containsKey(key(name)))
                    .max(Comparator.comparingInt(String::length))
                    .map(name -> new Mention(mention.start(), name, Objects.requireNonNull(known.get(key(name)))))
                    .ifPresent(found::add);
        }
        return found;
    }

    /** The beginnings of {@code written} that end within a word of a script with no spaces, or with endings, such as Hangul. */
    private static Stream<String> beginnings(String written) {
        var ends = BreakIterator.getCharacterInstance(Locale.ROOT);
        ends.setText(written);
        var beginnings = new ArrayList<String>();
        int script = SPACED;
        int length = 0;
        for (int i = 0; i < written.length() && length <= MAX_NAME_LENGTH; length++) {
            int c = written.codePointAt(i);
            int next = script(c, script);
            if (length >= MIN_BEGINNING_LENGTH
                    && next == script
                    && next > EMOJI
                    && c != LONG_VOWEL
                    && ends.isBoundary(i)) {
                beginnings.add(trimmed(written.substring(0, i)));
            }
            script = next;
            i += Character.charCount(c);
        }
        return beginnings.stream();
    }

    /** The names that {@code written} may begin with, the longest first. */
    private static List<String> names(String written) {
        var names = new LinkedHashSet<String>();
        int script = SPACED;
        for (int i = 0; i < written.length() && names.size() < MAX_ENDS; ) {
            int c = written.codePointAt(i);
            int next = script(c, script);
            if (i > 0 && next != script && next != SPACED) {
                names.add(trimmed(written.substring(0, i)));
            }
            script = next;
            i += Character.charCount(c);
        }
        names.add(trimmed(written));
        return names.reversed().stream()
                .filter(name -> name.codePointCount(0, name.length()) <= MAX_NAME_LENGTH)
                .toList();
    }

    private static String trimmed(String name) {
        return NO_END.matcher(name).replaceFirst("");
    }

    /** A number for emoji and each script in which words are not told apart by spaces alone, 0 for all others; marks belong to what they follow. */
    private static int script(int c, int before) {
        if (Character.getType(c) == Character.OTHER_SYMBOL) {
            return EMOJI;
        }
        return switch (UnicodeScript.of(c)) {
            case HAN -> 2;
            case HIRAGANA -> 3;
            case KATAKANA -> 4;
            case HANGUL -> 5;
            case THAI -> 6;
            case COMMON, INHERITED -> Character.isDigit(c) ? SPACED : before;
            default -> SPACED;
        };
    }

    /** Lower case letter by letter, as the database has it: a final sigma or a dotted capital I depends on nothing else. */
    private static String key(String name) {
        var composed = Normalizer.normalize(name, Normalizer.Form.NFC);
        return composed.codePoints()
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
