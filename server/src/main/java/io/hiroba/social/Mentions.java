package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.markdown.Attribute;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Node;
import io.hiroba.platform.markdown.Tag;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The {@code @name}s in a text: a nickname without spaces, or an id. Code and links hold none. */
final class Mentions {

    /** More than anybody means to call; each is a lookup. */
    private static final int MOST = 50;

    private static final Pattern MENTION = Pattern.compile(
            "(?<![\\p{L}\\p{N}_@/.])@([\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_.\\-]{0,48}[\\p{L}\\p{M}\\p{N}_])?)(?![\\p{L}\\p{M}\\p{N}_@])");

    private Mentions() {}

    /** Who is mentioned, in the form that {@link #link} asks for. */
    static Set<String> in(Document document) {
        var names = new LinkedHashSet<String>();
        document.replacingText(text -> {
            var mention = MENTION.matcher(text.text());
            while (mention.find() && names.size() < MOST) {
                names.add(key(mention));
            }
            return List.of(text);
        });
        return names;
    }

    /** The text with each mention of somebody known as a link to them. */
    static Document link(Document document, Map<String, UserId> known) {
        return known.isEmpty() ? document : document.replacingText(text -> linked(text.text(), known));
    }

    private static List<Node> linked(String text, Map<String, UserId> known) {
        var nodes = new ArrayList<Node>();
        var mention = MENTION.matcher(text);
        int done = 0;
        while (mention.find()) {
            var user = known.get(key(mention));
            if (user != null) {
                if (mention.start() > done) {
                    nodes.add(new Node.Text(text.substring(done, mention.start())));
                }
                nodes.add(new Node.Element(
                        Tag.A, Map.of(Attribute.HREF, "/users/" + user), List.of(new Node.Text(mention.group()))));
                done = mention.end();
            }
        }
        if (done < text.length()) {
            nodes.add(new Node.Text(text.substring(done)));
        }
        return nodes;
    }

    private static String key(Matcher mention) {
        return Normalizer.normalize(mention.group(1), Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }
}
