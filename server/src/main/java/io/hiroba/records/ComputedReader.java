package io.hiroba.records;

import io.hiroba.platform.expression.ExpressionException;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads definitions of computed attributes of a schema whose other attributes are known. */
final class ComputedReader {

    private final short own;
    private final List<SchemaAttribute> attributes;
    private final Map<Short, Schema> schemas;

    /**
     * @param own the id of the schema
     * @param attributes those of the schema, to which computed ones may be added meanwhile
     * @param schemas those of the project by id
     */
    ComputedReader(short own, List<SchemaAttribute> attributes, Map<Short, Schema> schemas) {
        this.own = own;
        this.attributes = attributes;
        this.schemas = schemas;
    }

    /** A definition that was read, and the type of its values. */
    record Read(Computed computed, ValueType type) {}

    /** Thrown where a definition is refused. */
    static final class Fault extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient FieldError error;
        private final @Nullable String missing;

        private Fault(String field, Text reason, @Nullable String missing) {
            super(field, null, false, false);
            this.error = new FieldError(field, reason);
            this.missing = missing;
        }

        Fault(String field, Text reason) {
            this(field, reason, null);
        }

        FieldError error() {
            return error;
        }

        /** The name of an own attribute that there is not. */
        Optional<String> missing() {
            return Optional.ofNullable(missing);
        }
    }

    /**
     * Reads a definition.
     *
     * @param field the field that holds it
     * @param type the declared type of its values; null to infer it
     */
    Read read(String field, ComputedDefinition definition, @Nullable ValueType type) throws Fault {
        var formula = definition.formula();
        var lookup = definition.lookup();
        var rollup = definition.rollup();
        if ((formula == null ? 0 : 1) + (lookup == null ? 0 : 1) + (rollup == null ? 0 : 1) != 1) {
            throw new Fault(field, Text.of("records.computed.one"));
        }
        var read = formula != null
                ? formula(field + ".formula", formula, type)
                : lookup != null
                        ? lookup(field + ".lookup", lookup)
                        : rollup(field + ".rollup", Objects.requireNonNull(rollup));
        if (type != null && type != read.type()) {
            throw new Fault(
                    field, Text.of("records.computed.type", "type", read.type().title()));
        }
        return read;
    }

    private Read formula(String field, String source, @Nullable ValueType type) throws Fault {
        if (source.isBlank()) {
            throw new Fault(field, Text.of("http.field.required"));
        }
        FormulaText text;
        try {
            text = FormulaText.parse(
                    source, name -> own(name).map(SchemaAttribute::id).orElse(null));
        } catch (FormulaText.UnknownName e) {
            throw new Fault(field, e.reason(), e.name());
        }
        try {
            var formula = type == null
                    ? Formula.compileStrictly(text.stored(), this::own)
                    : Formula.compile(text.stored(), this::own);
            var inferred = type == null ? formula.type() : Optional.of(type);
            if (!formula.isStorable()) {
                throw new Fault(field, Text.of("records.computed.not-storable"));
            }
            if (inferred.isEmpty() || !formula.mayBe(inferred.get())) {
                throw new Fault(
                        field,
                        inferred.isEmpty()
                                ? Text.of("records.computed.type-needed")
                                : Text.of(
                                        "records.computed.other-type",
                                        "type",
                                        inferred.get().title()));
            }
            return new Read(Computed.ofFormula(text.stored()), inferred.get());
        } catch (ExpressionException e) {
            var names = text.fault(
                    e, source, id -> own(id).map(SchemaAttribute::name).orElse(null));
            throw new Fault(
                    field,
                    names,
                    FormulaFaults.undeclared(
                                    String.valueOf(e.reason().arguments().get("problem")))
                            .orElse(null));
        }
    }

    private Read lookup(String field, ComputedDefinition.Lookup lookup) throws Fault {
        var relation = ownNamed(field + ".relation", lookup.relation());
        var target = relation.references();
        if (target == null) {
            throw new Fault(field + ".relation", Text.of("records.computed.relation"));
        }
        if (relation.isList()) {
            throw new Fault(field + ".relation", Text.of("records.computed.relation-list"));
        }
        var attribute = of(field + ".attribute", target, lookup.attribute());
        return new Read(new Computed(null, target, relation.id(), attribute.id(), null), attribute.type());
    }

    private Read rollup(String field, ComputedDefinition.Rollup rollup) throws Fault {
        var schema = schemas.values().stream()
                .filter(each -> each.isCalled(SchemaNames.normalized(rollup.schema()))
                        || each.aliases().contains(SchemaNames.normalized(rollup.schema()))
                        || String.valueOf(each.id()).equals(rollup.schema()))
                .findFirst()
                .orElseThrow(() -> new Fault(field + ".schema", Text.of("records.field.reference-schema")));
        var relation = of(field + ".relation", schema.id(), rollup.relation());
        if (relation.references() == null || relation.references() != own) {
            throw new Fault(field + ".relation", Text.of("records.computed.relation-here"));
        }
        var function = Computed.Function.named(rollup.function())
                .orElseThrow(() -> new Fault(
                        field + ".function", Text.of("http.field.one-of", "values", "count, sum, min, max, average")));
        var named = rollup.attribute();
        if (named == null && function != Computed.Function.COUNT) {
            throw new Fault(field + ".attribute", Text.of("http.field.required"));
        }
        var attribute = named == null ? null : of(field + ".attribute", schema.id(), named);
        var type = attribute == null ? ValueType.NUMERIC : type(field, attribute, function);
        return new Read(
                new Computed(
                        null, schema.id(), relation.id(), attribute == null ? null : (Short) attribute.id(), function),
                type);
    }

    private static ValueType type(String field, SchemaAttribute attribute, Computed.Function function) throws Fault {
        var type = attribute.type();
        boolean ordered = type == ValueType.NUMERIC || type == ValueType.TEXT || type.isTime();
        return switch (function) {
            case COUNT -> ValueType.NUMERIC;
            case SUM, AVERAGE -> {
                if (type != ValueType.NUMERIC) {
                    throw new Fault(field + ".attribute", Text.of("records.computed.numbers"));
                }
                yield type;
            }
            case MIN, MAX -> {
                if (!ordered) {
                    throw new Fault(field + ".attribute", Text.of("records.computed.ordered"));
                }
                yield type;
            }
        };
    }

    private SchemaAttribute ownNamed(String field, String name) throws Fault {
        return own(SchemaNames.normalized(name))
                .orElseThrow(() -> new Fault(field, Text.of("records.computed.no-attribute", "name", name), name));
    }

    private SchemaAttribute of(String field, short schema, String name) throws Fault {
        if (schema == own) {
            return ownNamed(field, name);
        }
        return Optional.ofNullable(schemas.get(schema))
                .flatMap(each -> each.attribute(name))
                .orElseThrow(() -> new Fault(field, Text.of("records.computed.no-attribute", "name", name)));
    }

    private Optional<SchemaAttribute> own(String name) {
        return attributes.stream()
                .filter(each ->
                        each.name().equals(name) || String.valueOf(each.id()).equals(name))
                .findFirst()
                .or(() -> Optional.ofNullable(schemas.get(own))
                        .flatMap(schema -> schema.attribute(name))
                        .flatMap(each -> own(each.id())));
    }

    private Optional<SchemaAttribute> own(short id) {
        return attributes.stream().filter(each -> each.id() == id).findFirst();
    }

    /** The way from {@code start} back to itself, as a text; empty if there is none. */
    static Optional<String> cycle(
            Computed.Input start, Map<Computed.Input, Computed> computed, Map<Short, Schema> schemas) {
        var path = new ArrayList<Computed.Input>();
        if (!leadsTo(start, start, computed, path, new HashSet<>())) {
            return Optional.empty();
        }
        return Optional.of(path.stream()
                .map(each -> named(each, start, schemas))
                .reduce((a, b) -> a + " → " + b)
                .orElse(""));
    }

    private static boolean leadsTo(
            Computed.Input from,
            Computed.Input to,
            Map<Computed.Input, Computed> computed,
            List<Computed.Input> path,
            Set<Computed.Input> seen) {
        path.add(from);
        var definition = computed.get(from);
        if (definition != null && seen.add(from)) {
            for (var input : definition.inputs(from.schema())) {
                if (input.equals(to)) {
                    path.add(to);
                    return true;
                }
                if (leadsTo(input, to, computed, path, seen)) {
                    return true;
                }
            }
        }
        path.removeLast();
        return false;
    }

    private static String named(Computed.Input input, Computed.Input start, Map<Short, Schema> schemas) {
        var schema = schemas.get(input.schema());
        var name = schema == null
                ? String.valueOf(input.attribute())
                : schema.attribute(input.attribute())
                        .map(SchemaAttribute::name)
                        .orElse(String.valueOf(input.attribute()));
        return input.schema() == start.schema() || schema == null ? name : schema.name() + "." + name;
    }
}
