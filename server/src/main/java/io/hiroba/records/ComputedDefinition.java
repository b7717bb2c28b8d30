package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a computed attribute as callers write it, with schemas and attributes by name. One of the three is given.
 *
 * @param formula an expression in CEL over other attributes of the record
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ComputedDefinition(
        @Nullable String formula,
        @Nullable Lookup lookup,
        @Nullable Rollup rollup) {

    /** The functions of formulas that people use most. */
    public static final String FUNCTIONS = FormulaFaults.FUNCTIONS;

    /** The value of {@code attribute} in the record that {@code relation} refers to. */
    public record Lookup(String relation, String attribute) {}

    /**
     * A function of the records of {@code schema} whose {@code relation} refers to the record.
     *
     * @param attribute the attribute that it is of; null if records are counted
     * @param function {@code count}, {@code sum}, {@code min}, {@code max} or {@code average}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Rollup(
            String schema, String relation, @Nullable String attribute, String function) {}

    public static ComputedDefinition ofFormula(String formula) {
        return new ComputedDefinition(formula, null, null);
    }

    public static ComputedDefinition ofLookup(String relation, String attribute) {
        return new ComputedDefinition(null, new Lookup(relation, attribute), null);
    }

    public static ComputedDefinition ofRollup(Rollup rollup) {
        return new ComputedDefinition(null, null, rollup);
    }

    /** The name of an attribute as formulas call it. */
    public static String inFormula(String name) {
        return FormulaText.quoted(name);
    }

    /**
     * The definition of an attribute with the names of now; empty if its values are written.
     *
     * @param all the schemas of the project
     */
    public static Optional<ComputedDefinition> of(SchemaAttribute attribute, Schema own, List<Schema> all) {
        return own.computed(attribute)
                .map(computed ->
                        of(computed, own, all.stream().collect(Collectors.toMap(Schema::id, Function.identity()))));
    }

    /**
     * The definition with the names of now.
     *
     * @param all the schemas of the project by id
     */
    static ComputedDefinition of(Computed computed, Schema own, Map<Short, Schema> all) {
        if (computed.formula() != null) {
            return ofFormula(FormulaText.shown(
                    computed.formula(),
                    id -> own.attribute(id).map(SchemaAttribute::name).orElse(null)));
        }
        var other = computed.other() == own.id() ? own : all.get(computed.other());
        Function<@Nullable Short, @Nullable String> ofOther = id -> id == null
                ? null
                : Optional.ofNullable(other)
                        .flatMap(schema -> schema.attribute((short) id))
                        .map(SchemaAttribute::name)
                        .orElse(String.valueOf(id));
        var function = computed.function();
        if (function == null) {
            var relation =
                    own.attribute(computed.by()).map(SchemaAttribute::name).orElse("");
            return new ComputedDefinition(
                    null, new Lookup(relation, String.valueOf(ofOther.apply(computed.attribute()))), null);
        }
        return new ComputedDefinition(
                null,
                null,
                new Rollup(
                        other == null ? String.valueOf(computed.other()) : other.name(),
                        String.valueOf(ofOther.apply(computed.by())),
                        ofOther.apply(computed.attribute()),
                        function.label()));
    }
}
