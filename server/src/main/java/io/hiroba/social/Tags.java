package io.hiroba.social;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.HtmlAttribute;
import io.hiroba.platform.markdown.HtmlNode;
import io.hiroba.platform.markdown.HtmlTag;
import io.hiroba.platform.markdown.Markdown;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses tags of posts, typed or in their text: lower case, without the hash sign, at most {@value #MAX_TAGS} a post. */
public final class Tags {

    public static final int MAX_TAGS = 5;
    static final int MAX_LENGTH = 50;

    /** Says something, with the joiners and skin tones of emoji; joiners stand in words of Persian and Indian scripts too. */
    private static final Pattern NAME = Pattern.compile(
            "(?=.*[\\p{L}\\p{N}\\p{So}_])[\\p{L}\\p{M}\\p{N}\\p{So}_.+\\-・ー\\u200C\\u200D\\x{1F3FB}-\\x{1F3FF}]+");

    /** A full stop, a dash or a joiner ends a tag unless more of it follows. */
    private static final Pattern IN_TEXT = Pattern.compile(
            "(?<![\\p{L}\\p{M}\\p{N}_&/#\uFF03.])[#\uFF03]"
                    + "([\\p{L}\\p{N}\\p{So}_](?:[.\\-\\u200C\\u200D]?[\\p{L}\\p{M}\\p{N}\\p{So}_+\u30FB\u30FC\\x{1F3FB}-\\x{1F3FF}])*+)(?![#\uFF03])");

    private static final Pattern SAYS_SOMETHING = Pattern.compile("[\\p{L}\\p{So}]");

    private Tags() {}

    static List<String> parse(List<String> typed) {
        var names = new LinkedHashSet<String>();
        for (var tag : typed) {
            names.add(parse(tag));
        }
        if (names.size() > MAX_TAGS) {
            throw SocialProblem.invalid("tags", Text.of("social.field.too-many-tags", "max", MAX_TAGS));
        }
        return List.copyOf(names);
    }

    /** Parses one tag as typed. */
    public static String parse(String typed) {
        return parse("tags", typed);
    }

    /** @param field is named in the problem */
    static String parse(String field, String typed) {
        var name = typed.length() > 4 * MAX_LENGTH ? "" : normal(typed);
        if (name.codePointCount(0, name.length()) > MAX_LENGTH
                || !NAME.matcher(name).matches()) {
            throw SocialProblem.invalid(field, Text.of("social.field.bad-tag", "max", MAX_LENGTH));
        }
        return name;
    }

    /** The tags in a text, such as {@code #tea}, in their order. Code and links hold none, and numbers alone are none. */
    static List<String> in(Document document) {
        var names = new LinkedHashSet<String>();
        document.replacingText(text -> {
            var tag = IN_TEXT.matcher(text.text());
            while (tag.find()) {
                names.add(normal(tag.group(1)));
            }
            return List.of(text);
        });
        names.removeIf(name -> !isTag(name));
        return List.copyOf(names);
    }

    /** The tags of a post: the typed ones, and those of its text as far as there is room. */
    static List<String> ofPost(List<String> typed, Document document) {
        var names = new LinkedHashSet<>(typed);
        for (var name : in(document)) {
            if (names.size() < MAX_TAGS) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }

    /** Those of a post's tags that its text does not have, for its author to edit. */
    public static List<String> typed(List<String> tags, String content) {
        var inText = in(Markdown.parse(content));
        return tags.stream().filter(tag -> !inText.contains(tag)).toList();
    }

    /** Links the tags in a text that are tags of its post. */
    static Document link(Document document, Collection<String> tags) {
        return tags.isEmpty() ? document : document.replacingText(text -> linked(text.text(), tags));
    }

    private static List<HtmlNode> linked(String text, Collection<String> tags) {
        var nodes = new ArrayList<HtmlNode>();
        var tag = IN_TEXT.matcher(text);
        int done = 0;
        while (tag.find()) {
            var name = normal(tag.group(1));
            if (tags.contains(name)) {
                if (tag.start() > done) {
                    nodes.add(new HtmlNode.Text(text.substring(done, tag.start())));
                }
                nodes.add(new HtmlNode.Element(
                        HtmlTag.A, Map.of(HtmlAttribute.HREF, path(name)), List.of(new HtmlNode.Text(tag.group()))));
                done = tag.end();
            }
        }
        if (done < text.length()) {
            nodes.add(new HtmlNode.Text(text.substring(done)));
        }
        return nodes;
    }

    /** The page of a tag. */
    public static String path(String tag) {
        return "/tags/" + URLEncoder.encode(tag, StandardCharsets.UTF_8);
    }

    private static boolean isTag(String name) {
        return name.codePointCount(0, name.length()) <= MAX_LENGTH
                && NAME.matcher(name).matches()
                && SAYS_SOMETHING.matcher(name).find();
    }

    private static String normal(String typed) {
        var name = Normalizer.normalize(typed, Normalizer.Form.NFKC).strip().toLowerCase(Locale.ROOT);
        return name.startsWith("#") ? name.substring(1) : name;
    }
}
