package io.hiroba.inbox.gitlab.handling;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Whom a text names, in lower case.
 *
 * @param addressed those at its very beginning: it is meant for them
 * @param mentioned the others
 */
record Mentions(Set<String> addressed, Set<String> mentioned) {

    /** More are not meant one by one. */
    private static final int MOST = 100;

    private static final String NAME = "@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_])?";
    private static final Pattern CODE = Pattern.compile("""
            (?ms)^[ \\t>]*(?<fence>`{3,}|~{3,}).*?(?:^[ \\t>]*\\k<fence>[`~]*[ \\t]*$|\\z)\
            |(?<!`)(?<ticks>`+)(?!`).+?(?<!`)\\k<ticks>(?!`)\
            |<!--.*?-->\
            |<(?<tag>code|pre)\\b[^>]*>.*?</\\k<tag>>""");
    private static final Pattern MENTION = Pattern.compile("(?<![\\w@/.`+-])(" + NAME + ")(?![\\w@/])");
    private static final Pattern BEGINNING =
            Pattern.compile("\\A\\s*(?:" + NAME + "(?![\\w@/])(?:[\\s,;:&、]|\\band\\b)*)+");

    static final Mentions NONE = new Mentions(Set.of(), Set.of());

    static Mentions of(String text) {
        if (text.indexOf('@') < 0) {
            return NONE;
        }
        var prose = CODE.matcher(text).replaceAll(" ` ");
        var beginning = BEGINNING.matcher(prose);
        int end = beginning.find() ? beginning.end() : 0;
        var addressed = names(prose.substring(0, end));
        var mentioned = names(prose);
        mentioned.removeAll(addressed);
        return new Mentions(addressed, mentioned);
    }

    private static Set<String> names(String prose) {
        return MENTION.matcher(prose)
                .results()
                .map(match -> match.group(1).substring(1).toLowerCase(Locale.ROOT))
                .filter(name -> !name.equals("all"))
                .distinct()
                .limit(MOST)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Without those whom {@code earlier} had named already. */
    Mentions without(Mentions earlier) {
        return new Mentions(minus(addressed, earlier), minus(mentioned, earlier));
    }

    private static Set<String> minus(Set<String> names, Mentions earlier) {
        return names.stream()
                .filter(name -> !earlier.addressed.contains(name) && !earlier.mentioned.contains(name))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
