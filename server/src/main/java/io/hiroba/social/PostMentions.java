package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.HtmlAttribute;
import io.hiroba.platform.markdown.HtmlNode;
import io.hiroba.platform.markdown.HtmlTag;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds and links the {@code @name}s in a text: a nickname without spaces, or an id. Code and links hold none. */
final class PostMentions {

    /** Bounds the lookups. */
    private static final int MAX_MENTIONS = 50;

    private static final Pattern MENTION = Pattern.compile(
            "(?<![\\p{L}\\p{N}_@/.])@([\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_.\\-]{0,48}[\\p{L}\\p{M}\\p{N}_])?)(?![\\p{L}\\p{M}\\p{N}_@])");

    private PostMentions() {}

    /** The mentioned names, normalised as {@link #link} expects them. */
    static Set<String> in(Document document) {
        var names = new LinkedHashSet<String>();
        document.replacingText(text -> {
            var mention = MENTION.matcher(text.text());
            while (mention.find() && names.size() < MAX_MENTIONS) {
                names.add(key(mention));
            }
            return List.of(text);
        });
        return names;
    }

    /** Links each mention of a known name to its user. */
    static Document link(Document document, Map<String, UserId> known) {
        return known.isEmpty() ? document : document.replacingText(text -> linked(text.text(), known));
    }

    private static List<HtmlNode> linked(String text, Map<String, UserId> known) {
        var nodes = new ArrayList<HtmlNode>();
        var mention = MENTION.matcher(text);
        int done = 0;
        while (mention.find()) {
            var user = known.get(key(mention));
            if (user != null) {
                if (mention.start() > done) {
                    nodes.add(new HtmlNode.Text(text.substring(done, mention.start())));
                }
                nodes.add(new HtmlNode.Element(
                        HtmlTag.A,
                        Map.of(HtmlAttribute.HREF, "/users/" + user),
                        List.of(new HtmlNode.Text(mention.group()))));
                done = mention.end();
            }
        }
        if (done < text.length()) {
            nodes.add(new HtmlNode.Text(text.substring(done)));
        }
        return nodes;
    }

    private static String key(Matcher mention) {
        return Normalizer.normalize(mention.group(1), Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }
}
