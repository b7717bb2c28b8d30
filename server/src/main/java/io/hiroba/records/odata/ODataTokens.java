package io.hiroba.records.odata;

import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The tokens of an expression of OData, read one after the other. */
final class ODataTokens {

    private static final int MAX_LENGTH = 100_000;
    private static final int MAX_NUMBER_LENGTH = 200;
    private static final char QUOTE = '\'';

    private static final Pattern TOKEN =
            Pattern.compile("""
            (?<space>\\s+)
            |(?<guid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})
            |(?<time>\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,12})?)?(?:Z|[+-]\\d\\d:\\d\\d))?)
            |(?<number>[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)
            |(?<word>%s)
            |(?<sign>[(),/:$@])
            """.replaceAll("\\n", "").formatted(Identifiers.FORM));

    /** The kind of a token. */
    enum Kind {
        WORD,
        SIGN,
        LITERAL,
        END
    }

    /**
     * A token.
     *
     * @param value of a literal
     */
    record Token(Kind kind, String text, JsonNode value) {

        boolean is(String expected) {
            return kind != Kind.LITERAL && text.equals(expected);
        }
    }

    private static final JsonNode NONE = JsonNodeFactory.instance.missingNode();
    private static final Token END = new Token(Kind.END, "", NONE);

    private final String option;
    private final List<Token> tokens = new ArrayList<>();
    private int next;

    /** @param option the query option that the expression is of, for problems */
    ODataTokens(String option, String expression) {
        this.option = option;
        if (expression.length() > MAX_LENGTH) {
            throw unexpected(expression.substring(0, 20));
        }
        var matcher = TOKEN.matcher(expression);
        int at = 0;
        while (at < expression.length()) {
            if (expression.charAt(at) == QUOTE) {
                at = text(expression, at);
                continue;
            }
            matcher.region(at, expression.length());
            if (!matcher.lookingAt()) {
                throw unexpected(expression.substring(at, Math.min(at + 20, expression.length())));
            }
            var guid = matcher.group("guid");
            var time = matcher.group("time");
            var token = guid != null
                    ? literal(guid.toLowerCase(Locale.ROOT))
                    : time != null
                            ? literal(time)
                            : plain(matcher.group("number"), matcher.group("word"), matcher.group("sign"));
            if (token != null) {
                tokens.add(token);
            }
            at = matcher.end();
        }
    }

    /** Adds the text that begins at {@code start}, and returns the place after it. */
    private int text(String expression, int start) {
        var text = new StringBuilder();
        int at = start + 1;
        while (true) {
            int end = expression.indexOf(QUOTE, at);
            if (end < 0) {
                throw unexpected("");
            }
            text.append(expression, at, end);
            at = end + 1;
            if (at >= expression.length() || expression.charAt(at) != QUOTE) {
                tokens.add(literal(text.toString()));
                return at;
            }
            text.append(QUOTE);
            at++;
        }
    }

    /** Null for white space. */
    private @Nullable Token plain(@Nullable String number, @Nullable String word, @Nullable String sign) {
        if (number != null) {
            if (number.length() > MAX_NUMBER_LENGTH) {
                throw ODataProblem.invalid(option, Text.of("records.query.shorter-number"));
            }
            return new Token(Kind.LITERAL, number, JsonNodeFactory.instance.numberNode(new BigDecimal(number)));
        }
        if (word != null) {
            return switch (word) {
                case "true", "false" ->
                    new Token(Kind.LITERAL, word, JsonNodeFactory.instance.booleanNode(word.equals("true")));
                case "null" -> new Token(Kind.LITERAL, word, JsonNodeFactory.instance.nullNode());
                default -> new Token(Kind.WORD, word, NONE);
            };
        }
        return sign == null ? null : new Token(Kind.SIGN, sign, NONE);
    }

    private static Token literal(String value) {
        return new Token(Kind.LITERAL, value, JsonNodeFactory.instance.stringNode(value));
    }

    Token peek() {
        return peek(0);
    }

    Token peek(int ahead) {
        return next + ahead < tokens.size() ? tokens.get(next + ahead) : END;
    }

    Token take() {
        var token = peek();
        next++;
        return token;
    }

    /** Takes the next token if it is {@code expected}. */
    boolean takes(String expected) {
        boolean is = peek().is(expected);
        next += is ? 1 : 0;
        return is;
    }

    void require(String expected) {
        if (!takes(expected)) {
            throw unexpected(peek().text());
        }
    }

    String word() {
        var token = take();
        if (token.kind() != Kind.WORD) {
            throw unexpected(token.text());
        }
        return token.text();
    }

    JsonNode literal() {
        var token = take();
        if (token.kind() != Kind.LITERAL) {
            throw unexpected(token.text());
        }
        return token.value();
    }

    void requireEnd() {
        if (peek().kind() != Kind.END) {
            throw unexpected(peek().text());
        }
    }

    ODataProblem unexpected(String text) {
        return text.isEmpty()
                ? ODataProblem.invalid(option, Text.of("records.odata.incomplete"))
                : ODataProblem.invalid(option, Text.of("records.odata.unexpected", "text", text));
    }
}
