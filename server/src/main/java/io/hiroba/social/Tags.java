package io.hiroba.social;

import io.hiroba.platform.i18n.Text;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Parses tags of posts: lower case, without the hash sign, at most {@value #MAX_TAGS} a post. */
public final class Tags {

    public static final int MAX_TAGS = 5;
    static final int MAX_LENGTH = 50;

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{So}_.+\\-・ー]+");

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
        var name = typed.length() > 4 * MAX_LENGTH ? "" : normal(typed);
        if (name.codePointCount(0, name.length()) > MAX_LENGTH
                || !NAME.matcher(name).matches()) {
            throw SocialProblem.invalid("tags", Text.of("social.field.bad-tag", "max", MAX_LENGTH));
        }
        return name;
    }

    private static String normal(String typed) {
        var name = Normalizer.normalize(typed, Normalizer.Form.NFKC).strip().toLowerCase(Locale.ROOT);
        return name.startsWith("#") ? name.substring(1) : name;
    }
}
