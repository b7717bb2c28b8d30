package io.hiroba.social;

import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.HtmlAttribute;
import io.hiroba.platform.markdown.HtmlNode;
import io.hiroba.platform.markdown.HtmlTag;
import io.hiroba.social.MentionStore.Mentioned;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds and links the {@code @name}s in a text, also with the full-width sign of Japanese keyboards: a nickname without spaces,
 * or an id. Code and links hold none. Where words are written without spaces between them, a name also ends where another
 * script begins: {@code @annさん} mentions Ann if nobody is called annさん. {@code social.js} completes names by the same rules.
 */
final class PostMentions {

    /** Bounds the lookups. */
    private static final int MAX_NAMES = 100;

    private static final int MAX_NAME_LENGTH = 50;
    private static final int MAX_ENDS = 4;
    private static final int SPACED = 0;

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
        document.replacingText(text -> {
            var mention = MENTION.matcher(text.text());
            while (mention.find() && names.size() < MAX_NAMES) {
                var keys =
                        names(mention.group(1)).stream().map(PostMentions::key).toList();
                if (keys.stream().noneMatch(known::contains)) {
                    names.addAll(keys);
                }
            }
            return List.of(text);
        });
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
            for (var name : names(mention.group(1))) {
                var user = known.get(key(name));
                if (user != null) {
                    found.add(new Mention(mention.start(), name, user));
                    break;
                }
            }
        }
        return found;
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

    /** A number for emoji and each script without spaces, 0 for all others; marks belong to what they follow. */
    private static int script(int c, int before) {
        if (Character.getType(c) == Character.OTHER_SYMBOL) {
            return 1;
        }
        return switch (UnicodeScript.of(c)) {
            case HAN -> 2;
            case HIRAGANA -> 3;
            case KATAKANA -> 4;
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
