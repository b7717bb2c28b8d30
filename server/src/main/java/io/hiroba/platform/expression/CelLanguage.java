package io.hiroba.platform.expression;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions.Function;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The part of CEL that expressions are written in. Left out is what could take long or grow without bound in a single call:
 * {@code replace}, {@code range}, sorting, patterns that are not written in the source, and messages of Protocol Buffers.
 */
final class CelLanguage {

    private static final int MAX_DEPTH = 60;
    private static final int MAX_NESTED_LOOPS = 3;
    private static final int MAX_PATTERN_LENGTH = 200;
    private static final int MAX_REPEATS = 1000;
    private static final int MAX_PROBLEM_LENGTH = 300;
    private static final int MAX_TOKEN_LENGTH = 60;

    /** The messages of the parser. */
    private static final Pattern SYNTAX = Pattern.compile(
            "(?s)(?:missing '(?<missing>[^']+)' at|mismatched input|extraneous input|no viable alternative at input"
                    + "|token recognition error at:) '(?<token>.*?)'(?: expecting .*)?$");

    private static final Pattern REPEAT = Pattern.compile("\\{(\\d*),?(\\d*)}");

    /** Compiled into what they repeat; neither is executed by the library for each element. */
    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(Expression.MAX_LENGTH)
            .maxParseRecursionDepth(MAX_DEPTH)
            .maxParseErrorRecoveryLimit(3)
            .comprehensionMaxIterations(EvaluationBudget.MAX_ITERATIONS)
            .enableHeterogeneousNumericComparisons(true)
            .enableTimestampEpoch(true)
            .enableHiddenAccumulatorVar(true)
            .enableQuotedIdentifierSyntax(true)
            .evaluateCanonicalTypesToNativeValues(true)
            .build();

    private static final Function[] STRINGS = {
        Function.CHAR_AT,
        Function.INDEX_OF,
        Function.LAST_INDEX_OF,
        Function.LOWER_ASCII,
        Function.SPLIT,
        Function.SUBSTRING,
        Function.TRIM,
        Function.UPPER_ASCII
    };

    /** The first versions of the extensions: slice and flatten of lists; the second of math: rounding, absolute values. */
    private static final int LISTS = 1;

    private static final int MATH = 1;

    private static final Map<Expression.Scope, CelLanguage> KNOWN = new ConcurrentHashMap<>();

    private final Cel cel;
    private final Set<String> objects;
    private final boolean mixesNumbers;

    private CelLanguage(Expression.Scope scope) {
        objects = scope.objects();
        mixesNumbers = scope.mixesNumbers();
        var list = ListType.create(SimpleType.DYN);
        var builder = CelFactory.standardCelBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addCompilerLibraries(CelExtensions.strings(STRINGS))
                .addRuntimeLibraries(CelExtensions.strings(STRINGS))
                .addCompilerLibraries(CelExtensions.lists(LISTS))
                .addRuntimeLibraries(CelExtensions.lists(LISTS))
                .addCompilerLibraries(CelExtensions.math(OPTIONS, MATH))
                .addRuntimeLibraries(CelExtensions.math(OPTIONS, MATH))
                .addFunctionDeclarations(
                        CelFunctionDecl.newFunctionDeclaration(
                                "sum", CelOverloadDecl.newMemberOverload("list_sum", SimpleType.DYN, list)),
                        CelFunctionDecl.newFunctionDeclaration(
                                "join",
                                CelOverloadDecl.newMemberOverload(
                                        "list_join_bounded", SimpleType.STRING, list, SimpleType.STRING)))
                .addFunctionBindings(
                        // Instead of the library's, which rounds halves to even.
                        CelFunctionBinding.from("math_round_double", Double.class, CelLanguage::round),
                        CelFunctionBinding.from("list_sum", List.class, ListFunctions::sum),
                        CelFunctionBinding.from("list_join_bounded", List.class, String.class, ListFunctions::join));
        scope.values().forEach(name -> builder.addVar(name, SimpleType.DYN));
        scope.objects().forEach(name -> builder.addVar(name, MapType.create(SimpleType.STRING, SimpleType.DYN)));
        scope.typed().forEach((name, kind) -> builder.addVar(name, type(kind)));
        if (scope.mixesNumbers()) {
            MixedNumbers.addTo(builder);
        }
        cel = builder.build();
    }

    /** Those with variables of known kinds are as many as there are formulas: what is compiled is cached, not they. */
    static CelLanguage of(Expression.Scope scope) {
        return scope.typed().isEmpty() ? KNOWN.computeIfAbsent(scope, CelLanguage::new) : new CelLanguage(scope);
    }

    /** Halves away from zero, as the extension is specified. */
    private static double round(double number) {
        double size = Math.abs(number);
        double whole = Math.floor(size);
        return Math.copySign(size - whole >= 0.5 ? whole + 1 : whole, number);
    }

    private static CelType type(Expression.Kind kind) {
        return switch (kind) {
            case NUMBER -> NullableType.create(SimpleType.DOUBLE);
            case TEXT -> NullableType.create(SimpleType.STRING);
            case BOOLEAN -> NullableType.create(SimpleType.BOOL);
            case MOMENT -> SimpleType.TIMESTAMP;
            case JSON, ANY, ANY_NUMBER, ANY_MOMENT -> SimpleType.DYN;
        };
    }

    /**
     * A checked expression.
     *
     * @param fields the fields that it reads of each object
     * @param charges the costs of its calls, by the ids of their arguments
     * @param keepsMidnight whether moments that it yields are at midnight in UTC if those that it is given are
     */
    record Checked(
            CelAbstractSyntaxTree tree,
            Set<String> variables,
            Map<String, Set<String>> fields,
            Map<Long, EvaluationBudget.Charge> charges,
            boolean keepsMidnight) {

        boolean reads(String variable) {
            return variables.contains(variable);
        }
    }

    Checked check(String source) throws ExpressionException {
        CelAbstractSyntaxTree tree;
        try {
            var result = cel.compile(source);
            if (mixesNumbers) {
                result = MixedNumbers.widened(cel, source, result);
            }
            if (result.hasError()) {
                throw invalid(source, result);
            }
            tree = result.getAst();
        } catch (CelValidationException e) {
            throw invalid(Text.verbatim(shortened(String.valueOf(e.getMessage()), MAX_PROBLEM_LENGTH)));
        } catch (StackOverflowError e) {
            throw invalid(Text.of("expression.too-deep"));
        }
        return checked(tree);
    }

    CelRuntime.Program program(Checked checked) throws ExpressionException {
        try {
            return cel.createProgram(checked.tree());
        } catch (CelEvaluationException e) {
            throw invalid(EvaluationFaults.of(e));
        }
    }

    private Checked checked(CelAbstractSyntaxTree tree) throws ExpressionException {
        var variables = new HashSet<String>();
        var fields = new HashMap<String, Set<String>>();
        var charges = new HashMap<Long, EvaluationBudget.Charge>();
        boolean keepsMidnight = true;
        for (var node : CelNavigableAst.fromAst(tree).getRoot().allNodes().toList()) {
            if (depth(node, false) > MAX_DEPTH || depth(node, true) > MAX_NESTED_LOOPS) {
                throw invalid(Text.of("expression.too-deep"));
            }
            var expression = node.expr();
            if (node.getKind() == Kind.STRUCT) {
                throw invalid(Text.of("expression.no-messages"));
            } else if (node.getKind() == Kind.IDENT) {
                var name = expression.ident().name();
                variables.add(name);
                if (objects.contains(name)) {
                    fields.computeIfAbsent(name, each -> new HashSet<>()).add(field(node, name));
                }
            } else if (node.getKind() == Kind.CALL) {
                charge(expression.id(), expression.call(), charges);
                keepsMidnight &= keepsMidnight(expression.call());
            }
        }
        return new Checked(tree, Set.copyOf(variables), Map.copyOf(fields), Map.copyOf(charges), keepsMidnight);
    }

    /** Durations of whole days are written out, as {@code duration('48h')}, or differences of days. */
    private static boolean keepsMidnight(CelExpr.CelCall call) {
        if (!call.function().equals("timestamp") && !call.function().equals("duration")) {
            return true;
        }
        var given = call.args().getFirst().constantOrDefault();
        if (given.getKind() != CelConstant.Kind.STRING_VALUE) {
            return false;
        }
        if (call.function().equals("timestamp")) {
            return given.stringValue().endsWith("T00:00:00Z");
        }
        try {
            var duration = Duration.parse("PT" + given.stringValue());
            return duration.equals(Duration.ofDays(duration.toDays()));
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static int depth(CelNavigableExpr node, boolean loops) {
        int depth = 0;
        for (var at = node.parent(); at.isPresent(); at = at.get().parent()) {
            depth += !loops || at.get().getKind() == Kind.COMPREHENSION ? 1 : 0;
        }
        return depth + (loops && node.getKind() == Kind.COMPREHENSION ? 1 : 0);
    }

    /** The field in {@code steps.name} or {@code steps["name"]}. */
    private static String field(CelNavigableExpr node, String object) throws ExpressionException {
        var parent = node.parent().map(CelNavigableExpr::expr).orElse(null);
        if (parent != null && parent.getKind() == Kind.SELECT) {
            return parent.select().field();
        }
        if (parent != null
                && parent.getKind() == Kind.CALL
                && parent.call().function().equals("_[_]")
                && parent.call().args().getFirst().id() == node.id()
                && parent.call().args().get(1).constantOrDefault().getKind() == CelConstant.Kind.STRING_VALUE) {
            return parent.call().args().get(1).constant().stringValue();
        }
        throw invalid(Text.of("expression.field-needed", "object", object));
    }

    private static void charge(long id, CelExpr.CelCall call, Map<Long, EvaluationBudget.Charge> charges)
            throws ExpressionException {
        switch (call.function()) {
            case "_?_:_", "_&&_", "_||_", "!_", "_[_]", "@not_strictly_false" -> {}
            case "matches" -> {
                var pattern = call.args().getLast();
                if (pattern.constantOrDefault().getKind() != CelConstant.Kind.STRING_VALUE) {
                    throw invalid(Text.of("expression.pattern"));
                }
                var steps = steps(pattern.constant().stringValue());
                var searched = call.target().orElse(call.args().getFirst());
                charges.put(searched.id(), new EvaluationBudget.Charge(id, steps, false));
            }
            // Their time may be the product of both lengths.
            case "contains", "indexOf", "lastIndexOf", "split" -> {
                call.target().ifPresent(each -> charges.put(each.id(), new EvaluationBudget.Charge(id, 1, false)));
                call.args().forEach(each -> charges.put(each.id(), new EvaluationBudget.Charge(id, 1, true)));
            }
            default -> {
                call.target().ifPresent(each -> charge(id, each, charges));
                call.args().forEach(each -> charge(id, each, charges));
            }
        }
    }

    /** Not the list that a loop adds to: the library adds in place. */
    private static void charge(long id, CelExpr argument, Map<Long, EvaluationBudget.Charge> charges) {
        boolean isAccumulator =
                argument.getKind() == Kind.IDENT && argument.ident().name().startsWith("@");
        if (!isAccumulator) {
            charges.put(argument.id(), new EvaluationBudget.Charge(id, 1, false));
        }
    }

    /** About how many states the library keeps for a pattern: a repetition is written out. */
    private static int steps(String pattern) throws ExpressionException {
        int repeats = 1;
        var found = REPEAT.matcher(pattern);
        while (found.find()) {
            for (int i = 1; i <= 2; i++) {
                var count = found.group(i);
                int times = count.isEmpty() ? 1 : Integer.parseInt(count.substring(0, Math.min(4, count.length())));
                repeats = Math.min(
                        MAX_REPEATS + 1,
                        repeats * Math.max(1, i == 1 && !found.group(2).isEmpty() ? 1 : times));
            }
        }
        if (pattern.length() > MAX_PATTERN_LENGTH || repeats > MAX_REPEATS) {
            throw invalid(Text.of("expression.pattern"));
        }
        return pattern.length() * repeats;
    }

    private static ExpressionException invalid(String source, CelValidationResult result) {
        var first = result.getErrors().getFirst();
        var place = first.getSourceLocation();
        return new ExpressionException(Text.of(
                "expression.invalid-at",
                "line",
                Integer.toString(Math.max(1, place.getLine())),
                "column",
                Integer.toString(Math.max(0, place.getColumn()) + 1),
                "problem",
                problem(first.getMessage(), isAtEnd(source, place))));
    }

    private static boolean isAtEnd(String source, CelSourceLocation place) {
        var lines = source.stripTrailing().split("\n", -1);
        return place.getLine() >= lines.length && place.getColumn() >= lines[lines.length - 1].length();
    }

    /** What is wrong in words of the language, not of the parser's tables. */
    private static Text problem(String message, boolean atEnd) {
        var syntax = SYNTAX.matcher(message);
        if (!syntax.find()) {
            return Text.verbatim(shortened(message.replace(" (in container '')", ""), MAX_PROBLEM_LENGTH));
        }
        if (syntax.group("missing") != null) {
            return Text.of("expression.missing", "token", syntax.group("missing"));
        }
        var token = syntax.group("token");
        return atEnd || token.endsWith("<EOF>")
                ? Text.of("expression.unfinished")
                : Text.of("expression.unexpected", "token", shortened(token, MAX_TOKEN_LENGTH));
    }

    private static ExpressionException invalid(Text problem) {
        return new ExpressionException(Text.of("expression.invalid", "problem", problem));
    }

    static String shortened(String text, int max) {
        return text.codePointCount(0, text.length()) <= max
                ? text
                : text.substring(0, text.offsetByCodePoints(0, max)) + "…";
    }
}
