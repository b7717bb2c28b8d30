package io.hiroba.platform.expression;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.hiroba.platform.i18n.Text;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * An expression in CEL that is compiled, checked and bounded: its length, its depth, the work of an evaluation and the size
 * of what comes out. It has no effects and reads no clock, so that it yields the same whenever it is evaluated with the same
 * values.
 */
public final class Expression {

    /** The longest source, in characters. */
    public static final int MAX_LENGTH = 2000;

    private static final int MAX_SHOWN_LENGTH = 100;
    private static final int MAX_CACHED = 1000;
    private static final Pattern PLACE = Pattern.compile("^evaluation error( at <input>:\\d+)?: ");
    private static final Cache<Key, Expression> COMPILED =
            Caffeine.newBuilder().maximumSize(MAX_CACHED).build();

    /**
     * The variables of an expression.
     *
     * @param values those that may be used in any way
     * @param objects those whose fields have to be named in the source, so that it is known which ones an expression reads
     * @param typed those whose kind is known; each may be null
     * @param mixesNumbers whether whole numbers and others may be added, subtracted, multiplied and divided with each other
     */
    public record Scope(Set<String> values, Set<String> objects, Map<String, Kind> typed, boolean mixesNumbers) {

        public Scope {
            values = Set.copyOf(values);
            objects = Set.copyOf(objects);
            typed = Map.copyOf(typed);
        }

        /** Variables of which nothing is known but whether their fields have to be named. */
        public Scope(Set<String> values, Set<String> objects) {
            this(values, objects, Map.of(), false);
        }

        /** Variables of known kinds, in expressions that calculate. */
        public static Scope calculating(Map<String, Kind> typed) {
            return new Scope(Set.of(), Set.of(), typed, true);
        }
    }

    /** The kind of a value. */
    public enum Kind {
        /** A double, whether it is whole or not, so that dividing yields the same for 4 and 4.0. */
        NUMBER,
        TEXT,
        BOOLEAN,
        /** A moment, which is given as a text of RFC 3339. */
        MOMENT,
        /** A list or a map. */
        JSON,
        /** Anything, which is a number if JSON has one. */
        ANY,
        /** A number, and not known to be one: it is compared with and chosen beside anything. */
        ANY_NUMBER,
        /** A moment likewise. */
        ANY_MOMENT
    }

    private record Key(String source, Scope scope) {}

    private final String source;
    private final CelRuntime.Program program;
    private final CelLanguage.Checked checked;

    private final Scope scope;

    private Expression(String source, Scope scope, CelRuntime.Program program, CelLanguage.Checked checked) {
        this.source = source;
        this.scope = scope;
        this.program = program;
        this.checked = checked;
    }

    /** Compiles {@code source}, or takes what was compiled before. */
    public static Expression compile(String source, Scope scope) throws ExpressionException {
        var key = new Key(source, scope);
        var known = COMPILED.getIfPresent(key);
        if (known != null) {
            return known;
        }
        if (source.length() > MAX_LENGTH) {
            throw new ExpressionException(Text.of("expression.too-long", "max", MAX_LENGTH));
        }
        var language = CelLanguage.of(scope);
        var checked = language.check(source);
        var compiled = new Expression(source, scope, language.program(checked), checked);
        COMPILED.put(key, compiled);
        return compiled;
    }

    /** The names of the fields of the object {@code variable} that it reads. */
    public Set<String> fieldsOf(String variable) {
        return checked.fields().getOrDefault(variable, Set.of());
    }

    /** Whether it may yield true or false; what it yields is not always known before it is evaluated. */
    public boolean mayBeBoolean() {
        return is(CelKind.BOOL);
    }

    /** Whether it may yield a duration, or a text that is one. */
    public boolean mayBeDuration() {
        return is(CelKind.DURATION) || is(CelKind.STRING);
    }

    /** Whether it may yield a moment, or a text that is one. */
    public boolean mayBeMoment() {
        return is(CelKind.TIMESTAMP) || is(CelKind.STRING);
    }

    /** The kind of what it yields; {@link Kind#ANY} if that is not known before it is evaluated, empty if it is none of them. */
    public Optional<Kind> yields() {
        return switch (checked.tree().getResultType().kind()) {
            case INT, UINT, DOUBLE -> Optional.of(Kind.NUMBER);
            case STRING -> Optional.of(Kind.TEXT);
            case BOOL -> Optional.of(Kind.BOOLEAN);
            case TIMESTAMP -> Optional.of(Kind.MOMENT);
            case LIST, MAP -> Optional.of(Kind.JSON);
            case DYN, ANY -> Optional.of(MixedNumbers.isExtreme(checked.tree().getExpr()) ? Kind.NUMBER : Kind.ANY);
            default -> Optional.empty();
        };
    }

    /** Whether moments that it yields are at midnight in UTC if those that it is given are. */
    public boolean keepsMidnight() {
        return checked.keepsMidnight();
    }

    private boolean is(CelKind kind) {
        CelType type = checked.tree().getResultType();
        return type.kind() == kind || type.kind() == CelKind.DYN;
    }

    /** Its value as JSON: moments are texts of RFC 3339, durations texts such as {@code 600s}. */
    public JsonNode evaluate(Map<String, JsonNode> variables) throws ExpressionException {
        try {
            return CelValues.json(value(variables));
        } catch (CelValues.NoJson e) {
            throw failed(e.reason());
        }
    }

    /** Its value, which must be true or false. */
    public boolean test(Map<String, JsonNode> variables) throws ExpressionException {
        if (value(variables) instanceof Boolean truth) {
            return truth;
        }
        throw failed(Text.of("expression.not-boolean"));
    }

    private Object value(Map<String, JsonNode> variables) throws ExpressionException {
        var values = new HashMap<String, Object>();
        variables.forEach((name, node) -> {
            if (checked.reads(name)) {
                values.put(name, CelValues.of(node, scope.typed().getOrDefault(name, Kind.ANY)));
            }
        });
        var budget = new EvaluationBudget(checked.charges());
        try {
            var value = program.trace(values, budget);
            // An error on one side of || or && is dropped where the other side decides.
            if (budget.isExhausted()) {
                throw failed(Text.of("expression.too-much-work"));
            }
            return value;
        } catch (CelEvaluationException e) {
            throw failed(
                    budget.isExhausted()
                            ? Text.of("expression.too-much-work")
                            // Formulas have words of their own for what the library says.
                            : scope.mixesNumbers()
                                    ? Text.verbatim(problem(String.valueOf(e.getMessage())))
                                    : EvaluationFaults.of(e));
        }
    }

    private static String problem(String message) {
        var words = PLACE.matcher(message).replaceFirst("");
        return CelLanguage.shortened(words.endsWith(".") ? words.substring(0, words.length() - 1) : words, MAX_LENGTH);
    }

    private ExpressionException failed(Text problem) {
        return new ExpressionException(Text.of(
                "expression.failed",
                "expression",
                CelLanguage.shortened(source, MAX_SHOWN_LENGTH),
                "problem",
                problem));
    }

    @Override
    public String toString() {
        return source;
    }
}
