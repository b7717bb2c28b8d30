package io.hiroba.platform.expression;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload.Binary;
import java.util.ArrayList;
import java.util.List;

/** The arithmetic of a whole number and one with a fraction, which CEL leaves out: {@code price * 2}. */
final class MixedNumbers {

    private record Operation(
            String function, String name, Binary<Double, Long> withWhole, Binary<Long, Double> withFraction) {}

    private static final List<Operation> OPERATIONS = List.of(
            new Operation("_+_", "add", (a, b) -> a + b, (a, b) -> a + b),
            new Operation("_-_", "subtract", (a, b) -> a - b, (a, b) -> a - b),
            new Operation("_*_", "multiply", (a, b) -> a * b, (a, b) -> a * b),
            new Operation("_/_", "divide", (a, b) -> a / b, (a, b) -> a / b));

    private MixedNumbers() {}

    static List<CelFunctionDecl> declarations() {
        return OPERATIONS.stream()
                .map(each -> CelFunctionDecl.newFunctionDeclaration(
                        each.function(),
                        CelOverloadDecl.newGlobalOverload(
                                each.name() + "_double_int", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.INT),
                        CelOverloadDecl.newGlobalOverload(
                                each.name() + "_int_double", SimpleType.DOUBLE, SimpleType.INT, SimpleType.DOUBLE)))
                .toList();
    }

    static List<CelFunctionBinding> bindings() {
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
