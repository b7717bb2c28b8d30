package io.hiroba.inbox.gitlab;

import io.hiroba.platform.markdown.Markdown;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The user names that a text mentions, in lower case. Groups and {@code @all} are none.
 *
 * @param addressed the names at its beginning
 * @param mentioned the other names
 */
record GitlabMentions(Set<String> addressed, Set<String> mentioned) {

    private static final int MAX_MENTIONS = 100;

    /** Text after this is not scanned. */
    private static final int MAX_TEXT_LENGTH = 100_000;

    private static final String NAME = "@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_])?";
    private static final Pattern MENTION = Pattern.compile("(?<![\\w@/.`+-])(" + NAME + ")(?![\\w@/])");
    private static final Pattern ADDRESSED = Pattern.compile(NAME + "(?![\\w@/])");
    private static final Pattern SEPARATOR = Pattern.compile("[\\s,;:&、]++|\\band\\b");

    static final GitlabMentions NONE = new GitlabMentions(Set.of(), Set.of());

    static GitlabMentions of(String text) {
        if (text.indexOf('@') < 0) {
            return NONE;
        }
        var prose = Markdown.prose(text.substring(0, Math.min(MAX_TEXT_LENGTH, text.length())));
        int end = beginning(prose);
        var addressed = names(prose.substring(0, end));
        var mentioned = names(prose);
        mentioned.removeAll(addressed);
        return new GitlabMentions(addressed, mentioned);
    }

    /** Finds the end of the mentions at the beginning. */
    private static int beginning(String prose) {
        var name = ADDRESSED.matcher(prose).useTransparentBounds(true);
        var between = SEPARATOR.matcher(prose).useTransparentBounds(true);
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
                .limit(MAX_MENTIONS)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Without the names in {@code earlier}. */
    GitlabMentions without(GitlabMentions earlier) {
        return new GitlabMentions(minus(addressed, earlier), minus(mentioned, earlier));
    }

    private static Set<String> minus(Set<String> names, GitlabMentions earlier) {
        return names.stream()
                .filter(name -> !earlier.addressed.contains(name) && !earlier.mentioned.contains(name))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
