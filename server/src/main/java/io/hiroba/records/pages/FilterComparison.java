package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

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
    NOT_CONTAINS("notContains", "not-contains", "not-contains"),
    WITHIN("within", "within", "within"),
    PAST_DAYS("pastDays", "past-days", "past-days"),
    NEXT_DAYS("nextDays", "next-days", "next-days"),
    IN("in", "one-of", "one-of"),
    NOT_IN("notIn", "none-of", "none-of"),
    EXISTS("exists", "there", "there"),
    MISSING("missing", "missing", "missing"),
    HAS_ALL("hasAll", "has-all", "has-all");

    /** The words that a select offers. */
    static final List<String> WORDS = List.of(
            "today",
            "yesterday",
            "tomorrow",
            "this-week",
            "last-week",
            "next-week",
            "this-month",
            "last-month",
            "next-month");

    private static final Pattern COUNTED_DAYS = Pattern.compile("(past|next)-([0-9]+)-days");

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

    /** The comparison of a test of a query. */
    static Optional<FilterComparison> of(JsonNode test) {
        var coded = coded(test.path("op").asString("eq"));
        var days = coded.filter(WITHIN::equals)
                .map(each -> COUNTED_DAYS.matcher(test.path("value").asString("")))
                .filter(Matcher::matches);
        return days.isPresent() ? days.map(each -> each.group(1).equals("past") ? PAST_DAYS : NEXT_DAYS) : coded;
    }

    /** Whether it is with the days of when it is asked. */
    boolean isRelative() {
        return this == WITHIN || this == PAST_DAYS || this == NEXT_DAYS;
    }

    /** The value of a query for what a relative one is typed as. */
    String days(String typed) {
        return switch (this) {
            case PAST_DAYS -> "past-" + typed.strip() + "-days";
            case NEXT_DAYS -> "next-" + typed.strip() + "-days";
            default -> typed;
        };
    }

    /** What is typed for a value of a query. */
    String typed(String days) {
        var counted = COUNTED_DAYS.matcher(days);
        return this != WITHIN && counted.matches() ? counted.group(2) : days;
    }

    /** The operator of queries. */
    String operator() {
        return isRelative() ? WITHIN.code : code;
    }

    /** Those of them that a rule may make: its answer must not depend on when it is asked. */
    static List<FilterComparison> ofRules(SchemaAttribute attribute) {
        return of(attribute).stream()
                .filter(each -> !each.isRelative() && each != CONTAINS && each != NOT_CONTAINS)
                .toList();
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
                        : List.of(EQ, NE, STARTS_WITH, CONTAINS, NOT_CONTAINS, GTE, LTE, IN, NOT_IN, EXISTS, MISSING);
            case NUMERIC -> List.of(EQ, NE, GT, GTE, LT, LTE, IN, NOT_IN, EXISTS, MISSING);
            case DATE -> List.of(EQ, WITHIN, PAST_DAYS, NEXT_DAYS, GTE, GT, LT, LTE, NE, EXISTS, MISSING);
            case DATETIME -> List.of(GTE, GT, LT, LTE, EQ, WITHIN, PAST_DAYS, NEXT_DAYS, EXISTS, MISSING);
            case BOOL -> List.of(EQ, EXISTS, MISSING);
            case JSONB -> List.of(EXISTS, MISSING);
            case MULTI_SELECT -> List.of(IN, HAS_ALL, NOT_IN, EXISTS, MISSING);
        };
    }
}
