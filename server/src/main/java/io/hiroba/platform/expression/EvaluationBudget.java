package io.hiroba.platform.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The work that one evaluation may do. Every part of an expression costs one unit when it is evaluated, and a call costs the
 * size of what it is given, since that is what it may have to look at: without it, a comparison of a value that is made of itself
 * many times over would take for ever.
 */
final class EvaluationBudget implements CelEvaluationListener {

    /** The iterations of all loops of an evaluation together. */
    static final int MAX_ITERATIONS = 20_000;

    /** The longest text, and the most bytes, that come of a call. */
    static final int MAX_TEXT_LENGTH = 1 << 20;

    private static final long UNITS = 1_000_000;
    private static final int CHARACTERS_OF_A_UNIT = 16;

    /**
     * The cost of an argument.
     *
     * @param call the call that it is for
     * @param weight the number that its size is multiplied with
     * @param isProduct whether its size is also multiplied with that of the argument before
     */
    record Charge(long call, int weight, boolean isProduct) {}

    /** Thrown when the budget is used up. */
    static final class Exhausted extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Exhausted() {
            super("the budget is used up", null, false, false);
        }
    }

    private final Map<Long, Charge> charges;
    private final Map<Long, Long> lengths = new HashMap<>();
    private final IdentityHashMap<Object, Long> sizes = new IdentityHashMap<>();
    private long left = UNITS;

    EvaluationBudget(Map<Long, Charge> charges) {
        this.charges = charges;
    }

    boolean isExhausted() {
        return left < 0;
    }

    @Override
    public void callback(CelExpr expression, @Nullable Object value) {
        left--;
        if (value != null && length(value) > MAX_TEXT_LENGTH) {
            left = -1;
        }
        var charge = charges.get(expression.id());
        if (charge != null && value != null && left >= 0) {
            charge(charge, value);
        }
        if (left < 0) {
            throw new Exhausted();
        }
    }

    private void charge(Charge charge, Object value) {
        long length = length(value);
        if (charge.isProduct()) {
            long other = lengths.getOrDefault(charge.call(), 0L);
            left -= other * length / CHARACTERS_OF_A_UNIT / CHARACTERS_OF_A_UNIT;
        } else if (charge.weight() > 1) {
            // The library compiles a pattern for each text.
            left -= (length + CHARACTERS_OF_A_UNIT) * charge.weight() / CHARACTERS_OF_A_UNIT;
        }
        lengths.put(charge.call(), length);
        left -= size(value);
    }

    /** The length of a text or of bytes; of other values 0. */
    private static long length(Object value) {
        return switch (value) {
            case String text -> text.length();
            case CelByteString bytes -> bytes.size();
            default -> 0;
        };
    }

    /** The number of values in {@code value}; known ones are not counted again. */
    private long size(Object value) {
        if (value instanceof String || value instanceof CelByteString) {
            return 1 + length(value) / CHARACTERS_OF_A_UNIT;
        }
        if (value instanceof Map<?, ?> map) {
            return known(map, each -> sum(each.keySet()) + sum(each.values()));
        }
        return value instanceof Iterable<?> list ? known(list, this::sum) : 1;
    }

    private <T> long known(T container, Function<T, Long> count) {
        var known = sizes.get(container);
        if (known != null) {
            return known;
        }
        long size = 1 + count.apply(container);
        sizes.put(container, size);
        return size;
    }

    /** Stops where it is more than there is. */
    private long sum(Iterable<?> elements) {
        long sum = 0;
        for (var each : elements) {
            sum += each == null ? 1 : size(each);
            if (sum > UNITS) {
                return sum;
            }
        }
        return sum;
    }
}
