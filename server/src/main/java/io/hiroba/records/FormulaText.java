package io.hiroba.records;

import io.hiroba.platform.expression.ExpressionException;
import io.hiroba.platform.i18n.Text;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The source of a formula. People write attributes by their names, of any script and between backquotes where a name is no word; stored
 * and compiled is {@code _12} for the attribute 12, so that a formula follows a rename.
 */
final class FormulaText {

    private static final Set<String> RESERVED = Set.of("true", "false", "null", "in");
    private static final Pattern STORED = Pattern.compile("_(\\d{1,5})");
    private static final Pattern QUOTED_STORED = Pattern.compile("'_(\\d{1,5})'");

    private final String stored;
    /** Where in the source each character of the stored text stands. */
    private final int[] places;

    private FormulaText(String stored, int[] places) {
        this.stored = stored;
        this.places = places;
    }

    /** A part of a source. */
    private record Token(int start, int end, Kind kind) {

        String in(String source) {
            return source.substring(start, end);
        }
    }

    private enum Kind {
        NAME,
        QUOTED,
        /** Spaces and comments. */
        SPACE,
        OTHER
    }

    /** Thrown where a name is that of no attribute. */
    static final class UnknownName extends Exception {

        private static final long serialVersionUID = 1L;

        private final String name;
        private final int line;
        private final int column;

        UnknownName(String name, String source, int at) {
            super(name, null, false, false);
            this.name = name;
            this.line = line(source, at);
            this.column = column(source, at);
        }

        String name() {
            return name;
        }

        Text reason() {
            return Text.of(
                    "records.formula.no-attribute",
                    "line",
                    Integer.toString(line),
                    "column",
                    Integer.toString(column),
                    "name",
                    name);
        }
    }

    /** The stored form of {@code source}, with the ids of attributes by {@code named}. */
    static FormulaText parse(String source, Function<String, @Nullable Short> named) throws UnknownName {
        var tokens = tokens(source);
        var stored = new StringBuilder();
        var places = new ArrayList<Integer>();
        for (int i = 0; i < tokens.size(); i++) {
            var token = tokens.get(i);
            var text = replaced(source, tokens, i, named);
            for (int c = 0; c < text.length(); c++) {
                places.add(token.start() + Math.min(c, token.end() - token.start() - 1));
            }
            stored.append(text);
        }
        places.add(source.length());
        return new FormulaText(
                stored.toString(), places.stream().mapToInt(each -> each).toArray());
    }

    private static String replaced(
            String source, List<Token> tokens, int index, Function<String, @Nullable Short> named) throws UnknownName {
        var token = tokens.get(index);
        var text = token.in(source);
        boolean quoted = token.kind() == Kind.QUOTED;
        if ((!quoted && token.kind() != Kind.NAME)
                || beside(source, tokens, index, -1).equals(".")) {
            return text;
        }
        if (!quoted
                && (RESERVED.contains(text) || beside(source, tokens, index, 1).equals("("))) {
            return text;
        }
        var name = SchemaNames.normalized(quoted ? text.substring(1, Math.max(1, text.length() - 1)) : text);
        var id = named.apply(name);
        if (id != null) {
            return "_" + id;
        }
        // Other words may be names that a macro gives.
        if (quoted || STORED.matcher(text).matches() || text.chars().anyMatch(c -> c >= 0x80)) {
            throw new UnknownName(name, source, token.start());
        }
        return text;
    }

    /** The first character of the next token in a direction. */
    private static String beside(String source, List<Token> tokens, int index, int step) {
        for (int i = index + step; i >= 0 && i < tokens.size(); i += step) {
            if (tokens.get(i).kind() != Kind.SPACE) {
                return tokens.get(i).in(source);
            }
        }
        return "";
    }

    /** The form that is compiled and stored. */
    String stored() {
        return stored;
    }

    /** A fault of the stored text as one of the source. */
    Text fault(ExpressionException fault, String source, Function<Short, @Nullable String> names) {
        var reason = fault.reason();
        if (!reason.key().equals("expression.invalid-at")) {
            return reason;
        }
        int at = offset(
                stored,
                Integer.parseInt(String.valueOf(reason.arguments().get("line"))),
                Integer.parseInt(String.valueOf(reason.arguments().get("column"))));
        int place = places[Math.min(at, places.length - 1)];
        return Text.of(
                "expression.invalid-at",
                "line",
                Integer.toString(line(source, place)),
                "column",
                Integer.toString(column(source, place)),
                "problem",
                FormulaFaults.ofSource(
                        named(String.valueOf(reason.arguments().get("problem")), names), isCalled(stored, at)));
    }

    /** Whether the word at a place is followed by a bracket. */
    private static boolean isCalled(String stored, int at) {
        int end = at;
        while (end < stored.length()
                && (Character.isJavaIdentifierPart(stored.charAt(end)) || stored.charAt(end) == '.')) {
            end++;
        }
        return stored.startsWith("(", end);
    }

    private static String named(String problem, Function<Short, @Nullable String> names) {
        return QUOTED_STORED.matcher(problem).replaceAll(found -> {
            var name = names.apply(Short.parseShort(found.group(1)));
            return Matcher.quoteReplacement(name == null ? found.group() : "'" + name + "'");
        });
    }

    /** The source of a stored formula with the names of now. */
    static String shown(String stored, Function<Short, @Nullable String> names) {
        var shown = new StringBuilder();
        for (var token : tokens(stored)) {
            var text = token.in(stored);
            var id = token.kind() == Kind.NAME ? STORED.matcher(text) : null;
            var name = id != null && id.matches() ? names.apply(Short.parseShort(id.group(1))) : null;
            shown.append(name == null ? text : quoted(name));
        }
        return shown.toString();
    }

    /** A name as formulas call it: between backquotes unless it is a word. */
    static String quoted(String name) {
        return isWord(name) ? name : "`" + name + "`";
    }

    private static boolean isWord(String name) {
        var tokens = tokens(name);
        return tokens.size() == 1 && tokens.getFirst().kind() == Kind.NAME && !RESERVED.contains(name);
    }

    /** The attributes that a stored formula reads. */
    static Set<Short> ids(String stored) {
        var ids = new LinkedHashSet<Short>();
        for (var token : tokens(stored)) {
            var id = STORED.matcher(token.in(stored));
            if (token.kind() == Kind.NAME && id.matches()) {
                ids.add(Short.parseShort(id.group(1)));
            }
        }
        return ids;
    }

    private static List<Token> tokens(String source) {
        var tokens = new ArrayList<Token>();
        int at = 0;
        while (at < source.length()) {
            int c = source.codePointAt(at);
            int end;
            var kind = Kind.OTHER;
            if (Character.isWhitespace(c)) {
                end = at + 1;
                kind = Kind.SPACE;
            } else if (source.startsWith("//", at)) {
                end = endOfLine(source, at);
                kind = Kind.SPACE;
            } else if (isStringStart(source, at)) {
                end = endOfString(source, at);
            } else if (c == '`') {
                int close = source.indexOf('`', at + 1);
                end = close < 0 ? source.length() : close + 1;
                kind = close < 0 ? Kind.OTHER : Kind.QUOTED;
            } else if (c == '_' || Character.isLetter(c)) {
                end = at;
                while (end < source.length() && isPart(source.codePointAt(end))) {
                    end += Character.charCount(source.codePointAt(end));
                }
                kind = Kind.NAME;
            } else if (c >= '0' && c <= '9') {
                end = at + 1;
                while (end < source.length() && isDigitPart(source.charAt(end))) {
                    end++;
                }
            } else {
                end = at + Character.charCount(c);
            }
            tokens.add(new Token(at, end, kind));
            at = end;
        }
        return tokens;
    }

    private static boolean isPart(int c) {
        return c == '_' || (Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
    }

    private static boolean isDigitPart(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
    }

    private static int endOfLine(String source, int at) {
        int end = source.indexOf('\n', at);
        return end < 0 ? source.length() : end;
    }

    /** Strings may begin with r and b, in any case and order. */
    private static boolean isStringStart(String source, int at) {
        int quote = quote(source, at);
        return quote < source.length() && (source.charAt(quote) == '"' || source.charAt(quote) == '\'');
    }

    private static int quote(String source, int at) {
        int quote = at;
        while (quote < source.length() && quote < at + 2 && "rRbB".indexOf(source.charAt(quote)) >= 0) {
            quote++;
        }
        return quote;
    }

    private static int endOfString(String source, int at) {
        int quote = quote(source, at);
        boolean raw = source.substring(at, quote).toLowerCase(Locale.ROOT).contains("r");
        var one = source.substring(quote, quote + 1);
        var mark = source.startsWith(one.repeat(3), quote) ? one.repeat(3) : one;
        int end = quote + mark.length();
        while (end < source.length()) {
            if (source.startsWith(mark, end)) {
                return end + mark.length();
            }
            end += source.charAt(end) == '\\' && !raw ? 2 : 1;
        }
        return source.length();
    }

    private static int offset(String text, int line, int column) {
        int at = 0;
        for (int i = 1; i < line && at < text.length(); i++) {
            at = endOfLine(text, at) + 1;
        }
        int end = Math.min(text.length(), Math.max(at, 0));
        for (int i = 1; i < column && end < text.length(); i++) {
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }

    private static int line(String source, int at) {
        return 1 + (int) source.substring(0, at).chars().filter(c -> c == '\n').count();
    }

    private static int column(String source, int at) {
        int start = source.lastIndexOf('\n', at - 1) + 1;
        return source.codePointCount(start, at) + 1;
    }
}
