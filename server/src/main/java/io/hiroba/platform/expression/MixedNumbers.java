package io.hiroba.platform.expression;

import dev.cel.bundle.CelBuilder;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload.Binary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction.Overload.Conversions;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The arithmetic of a whole number and one with a fraction, which CEL leaves out: {@code price * 2}; and numbers as text without an
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
