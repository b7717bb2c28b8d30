package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.PatternNode.At;
import io.hiroba.records.PatternNode.Either;
import io.hiroba.records.PatternNode.One;
import io.hiroba.records.PatternNode.Place;
import io.hiroba.records.PatternNode.Repeated;
import io.hiroba.records.PatternNode.Sequence;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Parses patterns. Constructs that need backtracking are refused: back-references, lookaround and possessive
 * quantifiers.
 */
final class PatternParser {

    private static final Pattern COUNT = Pattern.compile("\\{(\\d{1,4})(,(\\d{1,4})?)?\\}");
    private static final Pattern GROUP = Pattern.compile("\\((\\?:|\\?<[A-Za-z][A-Za-z0-9]*>)?");
    private static final Pattern ESCAPE =
            Pattern.compile("\\\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[pP](\\{\\w+\\}|[A-Z])|[dDwWsStnrfv]|[^A-Za-z0-9])");
    private static final int MAX_DEPTH = 50;
    private static final int ASCII = 128;

    private final String text;
    private int at;
    private int depth;

    PatternParser(String text) {
        this.text = text;
    }

    PatternNode read() throws InvalidValueException {
        var node = either();
        if (at < text.length()) {
            throw wrong(Text.of("records.field.pattern-closing"));
        }
        return node;
    }

    private PatternNode either() throws InvalidValueException {
        if (++depth > MAX_DEPTH) {
            throw wrong(Text.of("records.field.pattern-depth"));
        }
        var alternatives = new ArrayList<PatternNode>();
        alternatives.add(sequence());
        while (take('|')) {
            alternatives.add(sequence());
        }
        depth--;
        return alternatives.size() == 1 ? alternatives.getFirst() : new Either(alternatives);
    }

    private PatternNode sequence() throws InvalidValueException {
        var parts = new ArrayList<PatternNode>();
        while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
            parts.add(repeated(part()));
        }
        return new Sequence(parts);
    }

    private PatternNode repeated(PatternNode part) throws InvalidValueException {
        PatternNode repeated;
        var count = COUNT.matcher(text).region(at, text.length());
        if (take('*')) {
            repeated = new Repeated(part, 0, -1);
        } else if (take('+')) {
            repeated = new Repeated(part, 1, -1);
        } else if (take('?')) {
            repeated = new Repeated(part, 0, 1);
        } else if (count.lookingAt()) {
            at = count.end();
            repeated = counted(part, count);
        } else {
            return part;
        }
        // Greedy or lazy makes no difference to a match of the whole text.
        take('?');
        if (at < text.length() && (text.charAt(at) == '*' || text.charAt(at) == '+')) {
            throw wrong(Text.of("records.field.pattern-repeats-repetition"));
        }
        return repeated;
    }

    private PatternNode counted(PatternNode part, Matcher count) throws InvalidValueException {
        int least = Integer.parseInt(count.group(1));
        int most = least;
        if (count.group(2) != null) {
            most = count.group(3) == null ? -1 : Integer.parseInt(count.group(3));
        }
        if (most >= 0 && most < least) {
            throw wrong(Text.of("records.field.pattern-counts-down"));
        }
        return new Repeated(part, least, most);
    }

    private PatternNode part() throws InvalidValueException {
        char c = text.charAt(at);
        return switch (c) {
            case '(' -> group();
            case '[' -> characters(classEnd());
            case '\\' -> escape();
            case '.' -> {
                at++;
                yield new One(character -> character != '\n' && character != '\r');
            }
            case '^' -> place(Place.BEGINNING, 1);
            case '$' -> place(Place.END, 1);
            case '*', '+', '?', '{' -> throw wrong(Text.of("records.field.pattern-repeats-nothing"));
            default -> {
                int literal = text.codePointAt(at);
                at += Character.charCount(literal);
                yield new One(character -> character == literal);
            }
        };
    }

    private PatternNode group() throws InvalidValueException {
        var opening = GROUP.matcher(text).region(at, text.length());
        if (!opening.lookingAt() || text.startsWith("?", opening.end())) {
            throw wrong(Text.of("records.field.pattern-flags"));
        }
        at = opening.end();
        var inside = either();
        if (!take(')')) {
            throw wrong(Text.of("records.field.pattern-opening"));
        }
        return inside;
    }

    private PatternNode escape() throws InvalidValueException {
        if (text.startsWith("\\b", at)) {
            return place(Place.WORD_EDGE, 2);
        }
        if (text.startsWith("\\B", at)) {
            return place(Place.NO_WORD_EDGE, 2);
        }
        var escape = ESCAPE.matcher(text).region(at, text.length());
        if (!escape.lookingAt()) {
            throw wrong(Text.of("records.field.pattern-escape"));
        }
        return characters(escape.end());
    }

    private PatternNode place(Place place, int length) {
        at += length;
        return new At(place);
    }

    private int classEnd() throws InvalidValueException {
        int open = 0;
        for (int i = at; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[') {
                open++;
            } else if (c == ']' && --open == 0) {
                return i + 1;
            }
        }
        throw wrong(Text.of("records.field.pattern-bracket"));
    }

    /** The character class up to {@code end}, matched by the JDK's engine: a single character cannot backtrack. */
    private PatternNode characters(int end) throws InvalidValueException {
        Pattern one;
        try {
            one = Pattern.compile(text.substring(at, end));
        } catch (PatternSyntaxException e) {
            throw wrong(Text.of("records.field.pattern-class"));
        }
        at = end;
        var ascii = new BitSet(ASCII);
        for (int c = 0; c < ASCII; c++) {
            ascii.set(c, one.matcher(Character.toString(c)).matches());
        }
        IntPredicate character = c ->
                c < ASCII ? ascii.get(c) : one.matcher(Character.toString(c)).matches();
        return new One(character);
    }

    private boolean take(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private static InvalidValueException wrong(Text what) {
        return new InvalidValueException(what);
    }
}
