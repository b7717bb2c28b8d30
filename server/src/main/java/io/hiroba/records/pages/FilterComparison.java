package io.hiroba.records.pages;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A comparison of a filter clause. */
enum FilterComparison {
    EQ("eq", "is", "is"),
    NE("ne", "is not", "is not"),
    GT("gt", ">", "is after"),
    GTE("gte", "≥", "is at or after"),
    LT("lt", "<", "is before"),
    LTE("lte", "≤", "is at or before"),
    STARTS_WITH("startsWith", "starts with", "starts with"),
    CONTAINS("contains", "contains", "contains"),
    IN("in", "is one of", "is one of"),
    NOT_IN("notIn", "is none of", "is none of"),
    EXISTS("exists", "is there", "is there"),
    MISSING("missing", "is missing", "is missing");

    private final String code;
    private final String label;
    private final String dateLabel;

    FilterComparison(String code, String label, String dateLabel) {
        this.code = code;
        this.label = label;
        this.dateLabel = dateLabel;
    }

    /** The name in query strings. */
    public String code() {
        return code;
    }

    public String label(ValueType type) {
        return type == ValueType.DATE ? dateLabel : label;
    }

    public boolean takesValue() {
        return this != EXISTS && this != MISSING;
    }

    boolean takesSeveral() {
        return this == IN || this == NOT_IN;
    }

    static Optional<FilterComparison> coded(String code) {
        return Stream.of(values()).filter(each -> each.code.equals(code)).findFirst();
    }

    /** The comparisons that apply to an attribute. */
    static List<FilterComparison> of(SchemaAttribute attribute) {
        return of(
                attribute.type(),
                attribute.references() != null || !attribute.options().isEmpty());
    }

    private static List<FilterComparison> of(ValueType type, boolean named) {
        return switch (type) {
            case TEXT ->
                named
                        ? List.of(EQ, NE, IN, NOT_IN, EXISTS, MISSING)
                        : List.of(EQ, NE, STARTS_WITH, CONTAINS, GTE, LTE, IN, NOT_IN, EXISTS, MISSING);
            case NUMERIC -> List.of(EQ, NE, GT, GTE, LT, LTE, IN, NOT_IN, EXISTS, MISSING);
            case DATE -> List.of(GTE, GT, LT, LTE, EQ, EXISTS, MISSING);
            case BOOL -> List.of(EQ, EXISTS, MISSING);
            case JSONB -> List.of(EXISTS, MISSING);
        };
    }
}
