package io.hiroba.platform.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.expression.Expression.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExpressionTest {

    private static final Scope SCOPE = new Scope(Set.of("payload"), Set.of("steps"));

    private static final String PAYLOAD = """
            {"total": 120, "vip": true, "name": "広場 🍣", "due": "2027-01-31T09:00:00+09:00", "note": null,
             "items": [{"price": 3, "tags": ["a"]}, {"price": 4.5, "tags": []}]}""";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            payload.total > 100 && payload.vip            | true
            payload.total == 120.0                        | true
            payload.total + 1                             | 121
            payload.items.map(i, double(i.price)).sum()   | 7.5
            payload.items.map(i, i.price)                 | [3,4.5]
            payload.items.map(i, size(i.tags)).sum()      | 1
            [payload.name, 'x'].join('-')                 | "広場 🍣-x"
            size(payload.name)                            | 4
            payload.items.exists(i, i.price > 4)          | true
            {'sum': payload.total, 'none': payload.note}  | {"sum":120,"none":null}
            has(payload.missing) ? 1 : 2                  | 2
            has(steps.charge)                             | true
            has(steps.pack)                               | false
            steps['charge'].id                            | "c-1"
            timestamp(payload.due) - duration('1h')       | "2027-01-30T23:00:00Z"
            duration('90m')                               | "5400s"
            timestamp(payload.due).getHours('Asia/Tokyo') | 9
            math.round(2.6) + math.abs(-1.0)              | 4.0
            [0.5, 1.5, 2.5, -2.5, 2.4].map(n, math.round(n)) | [1.0,2.0,3.0,-3.0,2.0]
            math.round(0.49999999999999994)               | 0.0
            math.bitAnd(6, 3)                             | 2
            math.isFinite(1.0) && 'x' in ['x']            | true
            'abc'.substring(1).upperAscii()               | "BC"
            payload.items.filter(i, i.price > 3).size()   | 1
            3u                                            | 3
            'a,b'.split(',')                              | ["a","b"]
            math.greatest(payload.total, 7)               | 120
            [[1], [2, 3]].flatten()                       | [1,2,3]
            'order-7'.matches('^[a-z]+-[0-9]{1,5}$')      | true
            """)
    void valuesOfJsonAreReadAndMade(String source, String expected) throws ExpressionException {
        assertThat(evaluate(source)).isEqualTo(JsonMapper.shared().readTree(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            payload.                     | line 1, column 9: it ends too early
            1 +                          | line 1, column 4: it ends too early
            size(payload.items           | column 19: `)` is missing here
            payload.total > > 1          | line 1, column 17: `>` is not expected here
            payload.total > nothing      | column 17: undeclared reference to 'nothing'
            size(steps)                  | `steps` must be followed by a name
            steps[payload.name]          | `steps` must be followed by a name
            google.protobuf.Struct{}     | undeclared reference
            payload.name.matches(payload.name) | the pattern of matches()
            'a'.matches('((a{100}){100}){100}') | the pattern of matches()
            'a'.replace('a', 'b')        | undeclared reference to 'replace'
            lists.range(1000000000)      | undeclared reference
            """)
    void whatIsNotValidIsSaidWithItsPlace(String source, String problem) {
        assertThat(refused(source)).contains("is not a valid expression", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            payload.missing > 1     | `missing` is missing
            steps.pack.id           | `pack` is missing
            payload.name.first      | `first` is a field of something that has no fields
            1 / 0                   | it divides by zero
            payload.name + 1        | `+` cannot be used with these values
            9223372036854775807 + 1 | a number is too large
            [9223372036854775807, 1].sum() | a number is too large
            [1, 2].join('-')        | join() joins strings only
            ['a'].sum()             | sum() adds numbers only
            int('12x')              | “12x” is not written as it must be
            timestamp('noon')       | is not written as it must be
            [1][3]                  | a list has no element at that place
            1.0 / 0.0               | not a finite number
            type(1)                 | no form in JSON
            {1: 2}                  | a key that is not a string
            '\\x00'                 | characters that cannot be stored
            """)
    void whatCannotBeEvaluatedIsSaid(String source, String problem) {
        assertThat(failed(source)).contains("the expression `" + source + "` failed", problem);
    }

    @Test
    void aTestYieldsTrueOrFalseOnly() throws ExpressionException {
        assertThat(Expression.compile("payload.vip", SCOPE).test(variables())).isTrue();
        assertThat(Expression.compile("payload.total", SCOPE).mayBeBoolean()).isTrue();
        assertThat(Expression.compile("1 + 1", SCOPE).mayBeBoolean()).isFalse();
        var counted = Expression.compile("payload.total", SCOPE);
        assertThat(catchThrowableOfType(ExpressionException.class, () -> counted.test(variables()))
                        .reason()
                        .toString())
                .contains("must be true or false");
    }

    @Test
    void theStepsThatAreReadAreKnown() throws ExpressionException {
        var expression = Expression.compile("steps.a.x + steps['b-c'].y + size(payload.items)", SCOPE);
        assertThat(expression.fieldsOf("steps")).containsExactlyInAnyOrder("a", "b-c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Loops in loops.
                "payload.many.map(a, payload.many.map(b, payload.many.map(c, a + b + c)))",
                "payload.many.all(a, payload.many.all(b, payload.many.all(c, a + b + c >= 0)))",
                // A list that is made of itself many times over, compared with itself.
                "[[payload.many, payload.many]].all(a, [[a, a, a, a, a, a, a, a]].all(b, "
                        + "[[b, b, b, b, b, b, b, b]].all(c, [c, c, c, c, c, c, c, c, c] == [c, c, c, c, c, c, c, c, c])))",
                // A text that doubles.
                "[payload.long + payload.long].all(a, [a + a + a + a + a].all(b, [b + b + b + b].all(c, "
                        + "size(c + c + c + c + c + c + c + c + c + c) > 0)))",
                // A search whose time is the product of both lengths.
                "payload.many.all(a, payload.long.contains(payload.long + 'b') == false)",
                "payload.many.all(a, payload.long.matches('^(a?){100}(a|aa)+b$') == false)",
                "payload.many.map(a, payload.long).join(payload.long).size() > 0",
                // Bytes grow as texts do.
                "[bytes(payload.long)].all(a, size(a + a + a + a + a + a + a + a) > 0)",
                // A pattern is compiled for each text, also for an empty one.
                "payload.many.all(a, ''.matches('([a-z][b-y][c-x][d-w][e-v][f-u][g-t][h-s][i-r]){900}') == false)",
            })
    void hostileExpressionsAreCutInBoundedTime(String source) {
        var many = JsonMapper.shared().createArrayNode();
        for (int i = 0; i < 3000; i++) {
            many.add(i);
        }
        var payload = JsonMapper.shared().createObjectNode().put("long", "a".repeat(300_000));
        payload.set("many", many);
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            var expression = Expression.compile(source, SCOPE);
            var failure = catchThrowableOfType(
                    ExpressionException.class, () -> expression.evaluate(Map.of("payload", payload)));
            assertThat(failure.reason().toString())
                    .containsAnyOf("too much work", "Iteration budget exceeded", "iteration");
        });
    }

    @Test
    void hostileSourcesAreRefused() {
        assertThat(refused("(".repeat(900) + "1" + ")".repeat(900))).contains("not a valid expression");
        assertThat(refused("[".repeat(900) + "]".repeat(900))).contains("not a valid expression");
        assertThat(refused("!".repeat(1999) + "true")).contains("longer than 2,000");
        assertThat(refused("1" + "+1".repeat(900))).contains("recursion limit exceeded");
        assertThat(refused("payload" + ".a".repeat(900))).contains("not a valid expression");
        assertThat(refused("[1].map(a, [a].map(b, [b].map(c, [c].map(d, d))))")).contains("nested too deeply");
        assertThatCode(() -> refused("'" + "\\".repeat(1000))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            'INV-' + string(no)   | 3        | "INV-3"
            string(no)            | 12345678 | "12345678"
            string(no)            | -2.50    | "-2.5"
            string(no + 0.1)      | 0.2      | "0.3"
            string(no)            | 1e20     | "100000000000000000000"
            string(7) + string(1 < 2) | 0    | "7true"
            no % 2                | 7        | 1
            no % 2.5              | 7        | 2
            7 % no                | 4        | 3
            no % 2 == 1.0         | 7        | true
            no == null ? 0.0 : no | 7        | 7
            """)
    void numbersOfFormulasAreWrittenAsTheyAreAndHaveARemainder(String source, String no, String expected)
            throws ExpressionException {
        var mapper = JsonMapper.shared();
        for (var kind : List.of(Expression.Kind.NUMBER, Expression.Kind.ANY_NUMBER)) {
            var result = Expression.compile(source, Scope.calculating(Map.of("no", kind)))
                    .evaluate(Map.of("no", mapper.readTree(no)));
            var wanted = mapper.readTree(expected);
            if (wanted.isNumber()) {
                assertThat(result.doubleValue()).isEqualTo(wanted.doubleValue());
            } else {
                assertThat(result).isEqualTo(wanted);
            }
        }
    }

    private static String refused(String source) {
        return catchThrowableOfType(ExpressionException.class, () -> Expression.compile(source, SCOPE))
                .reason()
                .toString();
    }

    private static String failed(String source) {
        return catchThrowableOfType(ExpressionException.class, () -> evaluate(source))
                .reason()
                .toString();
    }

    private static JsonNode evaluate(String source) throws ExpressionException {
        return Expression.compile(source, SCOPE).evaluate(variables());
    }

    private static Map<String, JsonNode> variables() {
        return Map.of(
                "payload",
                JsonMapper.shared().readTree(PAYLOAD),
                "steps",
                JsonMapper.shared().readTree("{\"charge\": {\"id\": \"c-1\"}}"));
    }
}
