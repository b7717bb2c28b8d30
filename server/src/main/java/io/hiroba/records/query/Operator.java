package io.hiroba.records.query;

import io.hiroba.records.ValueType;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A comparison operator. A comparison with a missing value is false, and a negated operator is the exact opposite of
 * its counterpart.
 */
public enum Operator {
    EQ("eq", "equals", 1),
    NE("ne", "not_equals", 1),
    GT("gt", "gt", 1),
    GTE("gte", "gte", 1),
    LT("lt", "lt", 1),
    LTE("lte", "lte", 1),
    BETWEEN("between", "between", 2),
    IN("in", "in", -1),
    NOT_IN("notIn", "not_in", -1),
    STARTS_WITH("startsWith", "starts_with", 1),
    CONTAINS("contains", "contains", 1),
    NOT_CONTAINS("notContains", "not_contains", 1),
    /** Of a day or a moment, that it is among {@link RelativeDays}. */
    WITHIN("within", "within", 1),
    EXISTS("exists", "exists", 0),
    MISSING("missing", "missing", 0),
    /** Of a list, that it has all of these; {@link #IN} is that it has any, {@link #NOT_IN} that it has none. */
    HAS_ALL("hasAll", "has_all", -1);

    private static final Set<Operator> OF_ALL = Set.of(EQ, NE, EXISTS, MISSING);
    private static final Set<Operator> OF_LISTS = Set.of(IN, NOT_IN);
    private static final Set<Operator> OF_ORDER = Set.of(GT, GTE, LT, LTE, BETWEEN);

    private final String label;
    private final String oldLabel;
    private final int operands;

    Operator(String label, String oldLabel, int operands) {
        this.label = label;
        this.oldLabel = oldLabel;
        this.operands = operands;
    }

    public static Optional<Operator> named(String name) {
        return Stream.of(values())
                .filter(operator -> operator.label.equals(name) || operator.oldLabel.equals(name))
                .findFirst();
    }

    /** The operator by its name in the design document's condition form. */
    static Optional<Operator> ofOldForm(String name) {
        return Stream.of(values())
                .filter(operator -> operator.operands != 0 && operator.oldLabel.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    public String label() {
        return label;
    }

    /** The number of operands; -1 for a list of any length. */
    int operands() {
        return operands;
    }

    /** Whether the operator applies to values of {@code type}. */
    public boolean suits(ValueType type) {
        if (OF_ALL.contains(this)) {
            return true;
        }
        return switch (type) {
            case TEXT -> this != HAS_ALL && this != WITHIN;
            case NUMERIC -> OF_LISTS.contains(this) || OF_ORDER.contains(this);
            case DATE, DATETIME -> OF_LISTS.contains(this) || OF_ORDER.contains(this) || this == WITHIN;
            case BOOL -> OF_LISTS.contains(this);
            case JSONB -> this == CONTAINS || this == NOT_CONTAINS;
            case MULTI_SELECT -> OF_LISTS.contains(this) || this == HAS_ALL;
        };
    }
}
