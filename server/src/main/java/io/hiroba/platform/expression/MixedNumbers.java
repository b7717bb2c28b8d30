package io.hiroba.platform.expression;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.navigation.CelNavigableMutableAst;
import dev.cel.common.navigation.CelNavigableMutableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload.Binary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction.Overload.Conversions;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The arithmetic of a whole number and one with a fraction, which CEL leaves out: {@code price * 2}; whole numbers that are written beside
 * one with a fraction where both have to be of one kind: {@code price == 2}; and numbers as text without an
 * exponent or a fraction of zero: {@code 'INV-' + string(no)}.
 */
final class MixedNumbers {

    private record Operation(
            String function, String name, Binary<Double, Long> withWhole, Binary<Long, Double> withFraction) {}

    private static final List<Operation> OPERATIONS = List.of(
            new Operation("_+_", "add", (a, b) -> a + b, (a, b) -> a + b),
            new Operation("_-_", "subtract", (a, b) -> a - b, (a, b) -> a - b),
            new Operation("_*_", "multiply", (a, b) -> a * b, (a, b) -> a * b),
            new Operation("_/_", "divide", (a, b) -> a / b, (a, b) -> a / b),
            new Operation("_%_", "modulo", (a, b) -> a % b, (a, b) -> a % b));

    private static final CelFunctionDecl REMAINDER = CelFunctionDecl.newFunctionDeclaration(
            "_%_",
            CelOverloadDecl.newGlobalOverload(
                    "modulo_double", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE));

    /** The functions whose arguments have to be of one kind. */
    private static final Set<String> OF_ONE_KIND = Set.of("_==_", "_!=_", "@in", "_?_:_", "math.@max", "math.@min");

    private static final Set<String> EXTREMES = Set.of("math.@max", "math.@min");

    private static final Set<String> ARITHMETIC = Set.of("_+_", "_-_", "_*_", "_/_", "_%_", "-_");

    /** As exact as doubles are. */
    private static final MathContext DIGITS = new MathContext(15);

    private MixedNumbers() {}

    static void addTo(CelBuilder builder) {
        builder.setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(CelStandardDeclarations.newBuilder()
                        .filterFunctions((function, overload) -> true)
                        .build())
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .filterFunctions((function, overload) -> overload != Conversions.DOUBLE_TO_STRING)
                        .build())
                .addFunctionDeclarations(declarations())
                .addFunctionDeclarations(REMAINDER)
                .addFunctionBindings(bindings())
                .addFunctionBindings(
                        CelFunctionBinding.from("modulo_double", Double.class, Double.class, (a, b) -> a % b),
                        CelFunctionBinding.from("double_to_string", Double.class, MixedNumbers::text));
    }

    /**
     * Checks the source again with doubles for whole numbers that are written in it, where that helps: they are in the way, or leave open
     * what it yields.
     */
    static CelValidationResult widened(Cel cel, String source, CelValidationResult first)
            throws CelValidationException {
        boolean isOpen = !first.hasError() && first.getAst().getResultType().kind() == CelKind.DYN;
        if (!first.hasError() && !isOpen) {
            return first;
        }
        var parsed = cel.parse(source);
        if (parsed.hasError()) {
            return first;
        }
        var tree = CelMutableAst.fromCelAst(parsed.getAst());
        var result = first;
        if (isOpen && widen(tree, call -> EXTREMES.contains(call.call().function()))) {
            result = cel.check(tree.toParsedAst());
        }
        while (result.hasError() && widen(tree, faulty(result))) {
            result = cel.check(tree.toParsedAst());
        }
        return result.hasError() ? first : result;
    }

    private static Predicate<CelMutableExpr> faulty(CelValidationResult result) {
        var ids = result.getErrors().stream().map(CelIssue::getExprId).collect(Collectors.toSet());
        return call ->
                ids.contains(call.id()) && OF_ONE_KIND.contains(call.call().function());
    }

    /** Whether it is the largest or smallest of some numbers, which the library leaves open for whole ones beside others. */
    static boolean isExtreme(CelExpr expression) {
        return expression.getKind() == Kind.CALL
                && EXTREMES.contains(expression.call().function());
    }

    private static boolean widen(CelMutableAst tree, Predicate<CelMutableExpr> which) {
        var calls = CelNavigableMutableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .map(CelNavigableMutableExpr::expr)
                .filter(each -> each.getKind() == Kind.CALL && which.test(each))
                .toList();
        boolean widened = false;
        for (var call : calls) {
            widened |= widen(values(call));
        }
        return widened;
    }

    private static boolean widen(List<CelMutableExpr> values) {
        boolean widened = false;
        for (var value : values) {
            switch (value.getKind()) {
                case CONSTANT -> {
                    if (value.constant().getKind() == CelConstant.Kind.INT64_VALUE) {
                        value.setConstant(
                                CelConstant.ofValue((double) value.constant().int64Value()));
                        widened = true;
                    }
                }
                case LIST -> widened |= widen(value.list().elements());
                case CALL -> widened |= widen(values(value));
                default -> {
                    // Not written as a number.
                }
            }
        }
        return widened;
    }

    /** The parts of a call that its kind comes from. */
    private static List<CelMutableExpr> values(CelMutableExpr call) {
        var function = call.call().function();
        var arguments = call.call().args();
        if (function.equals("_?_:_")) {
            return arguments.subList(1, arguments.size());
        }
        return OF_ONE_KIND.contains(function) || ARITHMETIC.contains(function) ? arguments : List.of();
    }

    private static String text(double number) {
        if (!Double.isFinite(number)) {
            return Double.toString(number);
        }
        return BigDecimal.valueOf(number).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    private static List<CelFunctionDecl> declarations() {
        return OPERATIONS.stream()
                .map(each -> CelFunctionDecl.newFunctionDeclaration(
                        each.function(),
                        CelOverloadDecl.newGlobalOverload(
                                each.name() + "_double_int", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.INT),
                        CelOverloadDecl.newGlobalOverload(
                                each.name() + "_int_double", SimpleType.DOUBLE, SimpleType.INT, SimpleType.DOUBLE)))
                .toList();
    }

    private static List<CelFunctionBinding> bindings() {
        var bindings = new ArrayList<CelFunctionBinding>();
        for (var each : OPERATIONS) {
            bindings.add(
                    CelFunctionBinding.from(each.name() + "_double_int", Double.class, Long.class, each.withWhole()));
            bindings.add(CelFunctionBinding.from(
                    each.name() + "_int_double", Long.class, Double.class, each.withFraction()));
        }
        return bindings;
    }
}
