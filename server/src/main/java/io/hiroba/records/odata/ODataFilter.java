package io.hiroba.records.odata;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.Navigation;
import io.hiroba.records.odata.EntityModel.Property;
import io.hiroba.records.odata.EntityModel.SystemProperty;
import io.hiroba.records.query.Condition;
import io.hiroba.records.query.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Parses {@code $filter} to a condition. OData has three truths: what is said of a missing value by a function is neither true nor
 * false. A condition has two, so {@code not} goes down to the tests, where it is known which of them are so.
 */
final class ODataFilter {

    static final String OPTION = "$filter";

    private static final int MAX_DEPTH = 20;
    private static final int MAX_TESTS = 100;
    private static final int MAX_VALUES = 1000;

    private static final Map<String, Operator> COMPARISONS = Map.of(
            "eq", Operator.EQ,
            "ne", Operator.NE,
            "gt", Operator.GT,
            "ge", Operator.GTE,
            "lt", Operator.LT,
            "le", Operator.LTE);

    /** The same with its operands in the other order. */
    private static final Map<Operator, Operator> TURNED = Map.of(
            Operator.GT, Operator.LT,
            Operator.GTE, Operator.LTE,
            Operator.LT, Operator.GT,
            Operator.LTE, Operator.GTE);

    private static final Set<Operator> ORDERS = Set.of(Operator.GT, Operator.GTE, Operator.LT, Operator.LTE);

    /** What OData has, and this service does not. */
    private static final Set<String> OTHER_OPERATORS = Set.of("add", "sub", "mul", "div", "divby", "mod", "has");

    private static final Map<String, Operator> FUNCTIONS =
            Map.of("contains", Operator.CONTAINS, "startswith", Operator.STARTS_WITH);

    private final EntityModel model;
    private final EntitySet set;
    private final ODataTokens tokens;
    private @Nullable Element element;
    private int tests;

    /** The element of a list that a test is about, by the name that the test has for it. */
    private record Element(String name, Navigation list) {}

    private ODataFilter(EntityModel model, EntitySet set, String expression) {
        this.model = model;
        this.set = set;
        this.tokens = new ODataTokens(OPTION, expression);
    }

    static Condition parse(EntityModel model, EntitySet set, String expression) {
        var filter = new ODataFilter(model, set, expression);
        var condition = filter.or(false, 0);
        filter.tokens.requireEnd();
        return condition;
    }

    /**
     * One side of a comparison.
     *
     * @param path the path of the query; for a field, the name of the reference that leads to its record, or null
     * @param property null for a field
     * @param field what records have besides their attributes; null for a property
     */
    private record Operand(@Nullable String path, @Nullable Property property, Condition.@Nullable RecordField field) {}

    private Condition or(boolean negated, int depth) {
        if (depth > MAX_DEPTH) {
            throw ODataProblem.invalid(OPTION, Text.of("records.query.depth"));
        }
        var parts = new ArrayList<Condition>();
        do {
            parts.add(and(negated, depth));
        } while (tokens.takes("or"));
        return parts.size() == 1 ? parts.getFirst() : negated ? new Condition.And(parts) : new Condition.Or(parts);
    }

    private Condition and(boolean negated, int depth) {
        var parts = new ArrayList<Condition>();
        do {
            parts.add(factor(negated, depth));
        } while (tokens.takes("and"));
        return parts.size() == 1 ? parts.getFirst() : negated ? new Condition.Or(parts) : new Condition.And(parts);
    }

    private Condition factor(boolean negated, int depth) {
        boolean turned = negated;
        // A property may be called so, and is then compared.
        while (tokens.peek().is("not") && !isComparison(tokens.peek(1))) {
            tokens.take();
            turned = !turned;
        }
        if (tokens.takes("(")) {
            var inner = or(turned, depth + 1);
            tokens.require(")");
            return inner;
        }
        if (++tests > MAX_TESTS) {
            throw ODataProblem.invalid(OPTION, Text.of("records.query.too-many-tests"));
        }
        if (tokens.peek(1).is("(")) {
            return function(turned);
        }
        if (tokens.peek(1).is("/") && tokens.peek(3).is("(")) {
            return lambda(turned);
        }
        return tokens.peek().kind() == ODataTokens.Kind.LITERAL ? turnedComparison(turned) : comparison(turned);
    }

    /** A test of what a list refers to, such as {@code refs/any(r:r/name eq 'a')}. */
    private Condition lambda(boolean negated) {
        var name = tokens.word();
        tokens.require("/");
        var function = tokens.word();
        var navigation = set.navigation(name)
                .filter(Navigation::isMany)
                .orElseThrow(() ->
                        set.navigation(name).isPresent() || set.property(name).isPresent()
                                ? unsupportedFunction(function)
                                : set.unknown(OPTION, name));
        if (!function.equals("any")) {
            throw unsupportedFunction(function);
        }
        tokens.require("(");
        Condition condition = new Condition.Test(id(navigation.key()), Operator.EXISTS, List.of(), false);
        if (!tokens.takes(")")) {
            element = new Element(tokens.word(), navigation);
            tokens.require(":");
            condition = element();
            element = null;
            tokens.require(")");
        }
        return negated ? new Condition.Not(condition) : condition;
    }

    /** One test of an element: several would have to be met by the same one. */
    private Condition element() {
        var condition = tokens.peek(1).is("(")
                ? function(false)
                : tokens.peek().kind() == ODataTokens.Kind.LITERAL ? turnedComparison(false) : comparison(false);
        boolean isOfAll = condition instanceof Condition.Not
                || condition instanceof Condition.And
                || (condition instanceof Condition.Test test
                        && (test.operator() == Operator.NE || test.operator() == Operator.MISSING));
        if (isOfAll || !tokens.peek().is(")")) {
            throw ODataProblem.unsupported(OPTION, Text.of("records.odata.any"));
        }
        return condition;
    }

    private static boolean isComparison(ODataTokens.Token token) {
        return COMPARISONS.containsKey(token.text()) || token.is("in");
    }

    private Condition function(boolean negated) {
        var name = tokens.word();
        var operator = FUNCTIONS.get(name);
        if (operator == null) {
            throw unsupportedFunction(name);
        }
        tokens.require("(");
        var operand = operand();
        tokens.require(",");
        var value = value();
        tokens.require(")");
        boolean turned = negated;
        if (tokens.peek().is("eq") || tokens.peek().is("ne")) {
            boolean isEqual = tokens.word().equals("eq");
            var truth = tokens.literal();
            if (!truth.isBoolean()) {
                throw tokens.unexpected(truth.asString());
            }
            turned ^= isEqual != truth.booleanValue();
        }
        if (operand.field() != null) {
            throw unsupportedFunction(name);
        }
        requireComparable(operand);
        if (!value.isString()) {
            throw ODataProblem.invalid(OPTION, Text.of("records.field.text"));
        }
        var test = test(operand, operator, List.of(value));
        return turned
                ? new Condition.And(List.of(test(operand, Operator.EXISTS, List.of()), new Condition.Not(test)))
                : test;
    }

    private Condition turnedComparison(boolean negated) {
        var value = tokens.literal();
        var operator = operator();
        var operand = operand();
        return compared(operand, TURNED.getOrDefault(operator, operator), value, negated);
    }

    private Condition comparison(boolean negated) {
        var operand = operand();
        if (tokens.takes("in")) {
            var test = test(operand, Operator.IN, list());
            requireComparable(operand);
            return negated ? new Condition.Not(test) : test;
        }
        if (!isComparison(tokens.peek())
                && !OTHER_OPERATORS.contains(tokens.peek().text())) {
            return truth(operand, !negated);
        }
        return compared(operand, operator(), value(), negated);
    }

    private Operator operator() {
        var word = tokens.word();
        var operator = COMPARISONS.get(word);
        if (OTHER_OPERATORS.contains(word)) {
            throw ODataProblem.unsupported(OPTION, Text.of("records.odata.operator", "name", word));
        }
        if (operator == null) {
            throw tokens.unexpected(word);
        }
        return operator;
    }

    /** A literal: a property is compared with nothing else. */
    private JsonNode value() {
        var token = tokens.peek();
        if (token.kind() == ODataTokens.Kind.WORD) {
            if (tokens.peek(1).is("(")) {
                throw unsupportedFunction(token.text());
            }
            if (set.property(token.text()).isPresent()
                    || set.navigation(token.text()).isPresent()) {
                throw ODataProblem.unsupported(OPTION, Text.of("records.odata.two-properties"));
            }
        }
        return tokens.literal();
    }

    private static ODataProblem unsupportedFunction(String name) {
        return ODataProblem.unsupported(OPTION, Text.of("records.odata.function", "name", name));
    }

    private List<JsonNode> list() {
        tokens.require("(");
        var values = new ArrayList<JsonNode>();
        do {
            var value = tokens.literal();
            if (value.isNull() || values.size() == MAX_VALUES) {
                throw ODataProblem.invalid(OPTION, Text.of("records.field.values"));
            }
            values.add(value);
        } while (tokens.takes(","));
        tokens.require(")");
        return values;
    }

    /** A boolean property that stands by itself. */
    private static Condition truth(Operand operand, boolean expected) {
        return test(operand, Operator.EQ, List.of(JsonNodeFactory.instance.booleanNode(expected)));
    }

    private Condition compared(Operand operand, Operator operator, JsonNode value, boolean negated) {
        if (value.isNull() && operand.field() == null) {
            boolean missing = switch (operator) {
                case EQ -> !negated;
                case NE -> negated;
                default -> throw ODataProblem.invalid(OPTION, Text.of("records.odata.null"));
            };
            return test(operand, missing ? Operator.MISSING : Operator.EXISTS, List.of());
        }
        requireComparable(operand);
        var test = test(operand, operator, List.of(value));
        return negated ? new Condition.Not(test) : test;
    }

    private static Condition test(Operand operand, Operator operator, List<JsonNode> values) {
        var field = operand.field();
        if (field == null) {
            return new Condition.Test(Objects.requireNonNull(operand.path()), operator, values, false);
        }
        boolean isOrder = ORDERS.contains(operator);
        if (values.stream().anyMatch(JsonNode::isNull) || (isOrder && field == Condition.RecordField.ID)) {
            throw ODataProblem.unsupported(OPTION, Text.of("records.odata.field"));
        }
        return operator == Operator.NE
                ? new Condition.Not(new Condition.OfRecord(operand.path(), field, Operator.EQ, values))
                : new Condition.OfRecord(operand.path(), field, operator, values);
    }

    /** A JSON value is text in answers only: what the engine compares is the value. */
    private void requireComparable(Operand operand) {
        var property = operand.property();
        boolean isList = element != null && id(element.list().key()).equals(operand.path());
        if (property != null && property.isJson() && !isList) {
            throw unsupportedProperty(property.name());
        }
    }

    private static ODataProblem unsupportedProperty(String name) {
        return ODataProblem.unsupported(OPTION, Text.of("records.odata.not-filterable", "name", name));
    }

    private Operand operand() {
        var name = tokens.word();
        if (tokens.peek().is("(")) {
            throw unsupportedFunction(name);
        }
        if (!tokens.takes("/")) {
            requireNoElement();
            return operand(set, name, null);
        }
        // Functions of collections, and paths of more than one navigation.
        if (tokens.peek(1).is("(") || tokens.peek(1).is("/")) {
            throw unsupportedFunction(tokens.peek().text());
        }
        var of = element;
        if (of != null && !of.name().equals(name)) {
            throw ODataProblem.unsupported(OPTION, Text.of("records.odata.any"));
        }
        var navigation = of != null ? of.list() : set.navigation(name).orElseThrow(() -> set.unknown(OPTION, name));
        if (of == null && navigation.isMany()) {
            throw ODataProblem.unsupported(OPTION, Text.of("records.odata.any"));
        }
        var inner = tokens.word();
        if (inner.equals(SystemProperty.ID.label())) {
            // A list is compared as one that has the id.
            return new Operand(id(navigation.key()), navigation.key(), null);
        }
        return operand(model.target(navigation), inner, id(navigation.key()));
    }

    /** A test within a function of a list is about its elements alone. */
    private void requireNoElement() {
        if (element != null) {
            throw ODataProblem.unsupported(OPTION, Text.of("records.odata.any"));
        }
    }

    /** @param reference the id of the attribute that leads to the entity; null for the one that is filtered */
    private static Operand operand(EntitySet of, String name, @Nullable String reference) {
        var system = SystemProperty.named(name);
        if (system.isPresent()) {
            var field = system.get().field().orElseThrow(() -> unsupportedProperty(name));
            return new Operand(reference, null, field);
        }
        var property = of.property(name).orElseThrow(() -> of.unknown(OPTION, name));
        return new Operand(reference == null ? id(property) : reference + "." + id(property), property, null);
    }

    /** By its id: the attribute may be renamed before the query runs. */
    private static String id(Property property) {
        return String.valueOf(property.attribute().id());
    }
}
