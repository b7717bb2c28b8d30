package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A comparison of a filter clause. */
enum FilterComparison {
    EQ("eq", "is", "is"),
    NE("ne", "is-not", "is-not"),
    GT("gt", "over", "after"),
    GTE("gte", "at-least", "from"),
    LT("lt", "under", "before"),
    LTE("lte", "at-most", "until"),
    STARTS_WITH("startsWith", "starts-with", "starts-with"),
    CONTAINS("contains", "contains", "contains"),
    IN("in", "one-of", "one-of"),
    NOT_IN("notIn", "none-of", "none-of"),
    EXISTS("exists", "there", "there"),
    MISSING("missing", "missing", "missing"),
    HAS_ALL("hasAll", "has-all", "has-all");

    private final String code;
    private final String word;
    private final String dateWord;

    /**
     * @param word the last part of the keys of its messages
     * @param dateWord the same for dates
     */
    FilterComparison(String code, String word, String dateWord) {
        this.code = code;
        this.word = word;
        this.dateWord = dateWord;
    }

    /** The name in query strings. */
    public String code() {
        return code;
    }

    /** Its words in a list of comparisons. */
    Text label(ValueType type) {
        return Text.of("records.comparison." + word(type));
    }

    /** A whole condition in words. */
    Text condition(SchemaAttribute attribute, String value) {
        return Text.of("records.condition." + word(attribute.type()), "attribute", attribute.label(), "value", value);
    }

    private String word(ValueType type) {
        if (type == ValueType.MULTI_SELECT) {
            return this == IN ? "has-any" : this == NOT_IN ? "has-none" : word;
        }
        return type.isTime() ? dateWord : word;
    }

    public boolean takesValue() {
        return this != EXISTS && this != MISSING;
    }

    boolean takesSeveral() {
        return this == IN || this == NOT_IN || this == HAS_ALL;
    }

    static Optional<FilterComparison> coded(String code) {
        return Stream.of(values()).filter(each -> each.code.equals(code)).findFirst();
    }

    /** The comparisons that apply to an attribute. */
    static List<FilterComparison> of(SchemaAttribute attribute) {
        return of(
                attribute.type(),
                attribute.references() != null || !attribute.options().isEmpty() || attribute.isPerson());
    }

    private static List<FilterComparison> of(ValueType type, boolean named) {
        return switch (type) {
            case TEXT ->
                named
                        ? List.of(EQ, NE, IN, NOT_IN, EXISTS, MISSING)
                        : List.of(EQ, NE, STARTS_WITH, CONTAINS, GTE, LTE, IN, NOT_IN, EXISTS, MISSING);
            case NUMERIC -> List.of(EQ, NE, GT, GTE, LT, LTE, IN, NOT_IN, EXISTS, MISSING);
            case DATE -> List.of(EQ, GTE, GT, LT, LTE, NE, EXISTS, MISSING);
            case DATETIME -> List.of(GTE, GT, LT, LTE, EQ, EXISTS, MISSING);
            case BOOL -> List.of(EQ, EXISTS, MISSING);
            case JSONB -> List.of(EXISTS, MISSING);
            case MULTI_SELECT -> List.of(IN, HAS_ALL, NOT_IN, EXISTS, MISSING);
        };
    }
}
