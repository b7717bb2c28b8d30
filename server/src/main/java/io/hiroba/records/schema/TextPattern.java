package io.hiroba.records.schema;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** What a text must match as a whole. */
final class TextPattern {

    private static final int LONGEST = 500;

    private final Pattern pattern;

    private TextPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    static TextPattern of(String text) throws BadValue {
        if (text.length() > LONGEST) {
            throw new BadValue("must have at most 500 characters");
        }
        try {
            return new TextPattern(Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            throw new BadValue("is no pattern");
        }
    }

    static TextPattern known(String text) throws BadValue {
        return of(text);
    }

    boolean matches(String text) {
        return pattern.matcher(text).matches();
    }
}
