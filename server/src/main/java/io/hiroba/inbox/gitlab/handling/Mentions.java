package io.hiroba.inbox.gitlab.handling;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
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

    /** What stands further on in a text is not looked at. */
    private static final int LONGEST = 100_000;

    private static final String NAME = "@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_])?";
    private static final Pattern MENTION = Pattern.compile("(?<![\\w@/.`+-])(" + NAME + ")(?![\\w@/])");
    private static final Pattern ADDRESSED = Pattern.compile(NAME + "(?![\\w@/])");
    private static final Pattern BETWEEN = Pattern.compile("[\\s,;:&、]++|\\band\\b");

    static final Mentions NONE = new Mentions(Set.of(), Set.of());

    static Mentions of(String text) {
        if (text.indexOf('@') < 0) {
            return NONE;
        }
        var prose = Prose.of(text.substring(0, Math.min(LONGEST, text.length())));
        int end = beginning(prose);
        var addressed = names(prose.substring(0, end));
        var mentioned = names(prose);
        mentioned.removeAll(addressed);
        return new Mentions(addressed, mentioned);
    }

    /** Where the names with which it begins end. */
    private static int beginning(String prose) {
        var name = ADDRESSED.matcher(prose).useTransparentBounds(true);
        var between = BETWEEN.matcher(prose).useTransparentBounds(true);
        int end = 0;
        int at = prose.length() - prose.stripLeading().length();
        while (name.region(at, prose.length()).lookingAt()) {
            end = name.end();
            at = skip(between, end);
        }
        return end;
    }

    private static int skip(Matcher between, int from) {
        int at = from;
        while (between.region(at, between.regionEnd()).lookingAt()) {
            at = between.end();
        }
        return at;
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
