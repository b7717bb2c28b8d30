package io.hiroba.records.odata;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.Property;
import io.hiroba.records.odata.EntityModel.SystemProperty;
import io.hiroba.records.query.Condition;
import io.hiroba.records.query.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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

    /** What OData has, and this service does not. */
    private static final Set<String> OTHER_OPERATORS = Set.of("add", "sub", "mul", "div", "divby", "mod", "has");

    private static final Map<String, Operator> FUNCTIONS =
            Map.of("contains", Operator.CONTAINS, "startswith", Operator.STARTS_WITH);

    private final EntityModel model;
    private final EntitySet set;
    private final ODataTokens tokens;
    private int tests;

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

    /** A property by its path: the path of the query, and the property that it leads to. */
    private record Operand(String path, Property property) {}

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
        return tokens.peek().kind() == ODataTokens.Kind.LITERAL ? turnedComparison(turned) : comparison(turned);
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
        return new Condition.Test(
                operand.path(), Operator.EQ, List.of(JsonNodeFactory.instance.booleanNode(expected)), false);
    }

    private static Condition compared(Operand operand, Operator operator, JsonNode value, boolean negated) {
        if (value.isNull()) {
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

    private static Condition.Test test(Operand operand, Operator operator, List<JsonNode> values) {
        return new Condition.Test(operand.path(), operator, values, false);
    }

    /** A JSON value is text in answers only: what the engine compares is the value. */
    private static void requireComparable(Operand operand) {
        if (operand.property().isJson()) {
            throw unsupportedProperty(operand.property().name());
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
            return operand(set, name, property -> id(property));
        }
        // Functions of collections, and paths of more than one navigation.
        if (tokens.peek(1).is("(") || tokens.peek(1).is("/")) {
            throw unsupportedFunction(tokens.peek().text());
        }
        var navigation = set.navigation(name).orElseThrow(() -> set.unknown(OPTION, name));
        var inner = tokens.word();
        if (inner.equals(SystemProperty.ID.label())) {
            return new Operand(id(navigation.key()), navigation.key());
        }
        return operand(model.target(navigation), inner, property -> id(navigation.key()) + "." + id(property));
    }

    private static Operand operand(EntitySet of, String name, Function<Property, String> path) {
        if (SystemProperty.named(name).isPresent()) {
            throw unsupportedProperty(name);
        }
        var property = of.property(name).orElseThrow(() -> of.unknown(OPTION, name));
        return new Operand(path.apply(property), property);
    }

    /** By its id: the attribute may be renamed before the query runs. */
    private static String id(Property property) {
        return String.valueOf(property.attribute().id());
    }
}
