package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way in which the values of an attribute are computed, with attributes by their ids. A formula comes from other values of the
 * record, a lookup from the record that it refers to, and a rollup from the records that refer to it.
 *
 * @param formula an expression as {@link FormulaText} stores it; null for the others
 * @param about the schema of the other records; null for a formula
 * @param relation the attribute that refers: of the own schema for a lookup, of the other one for a rollup
 * @param attribute the attribute of the other schema; null if records are counted
 * @param function the function of a rollup; null for the others
 */
record Computed(
        @Nullable String formula,
        @Nullable Short about,
        @Nullable Short relation,
        @Nullable Short attribute,
        @Nullable Function function) {

    /** The function of a rollup. */
    public enum Function {
        COUNT,
        SUM,
        MIN,
        MAX,
        AVERAGE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Function> named(String name) {
            return Stream.of(values()).filter(each -> each.label().equals(name)).findFirst();
        }
    }

    /** An attribute that values come from. */
    record Input(short schema, short attribute) {}

    /** A computed attribute of another schema, or of the same, whose values come from records of a schema. */
    record Dependent(short schema, short attribute, Computed computed) {}

    static Computed ofFormula(String stored) {
        return new Computed(stored, null, null, null, null);
    }

    @JsonIgnore
    public boolean isOfOneRecord() {
        return formula != null;
    }

    @JsonIgnore
    public boolean isLookup() {
        return formula == null && function == null;
    }

    @JsonIgnore
    public boolean isRollup() {
        return function != null;
    }

    /** The schema of the other records. */
    short other() {
        if (about == null) {
            throw new IllegalStateException("a formula is about its own record");
        }
        return about;
    }

    /** The attribute that refers. */
    short by() {
        if (relation == null) {
            throw new IllegalStateException("a formula has no relation");
        }
        return relation;
    }

    /** The attributes that values of the schema {@code own} come from. */
    Set<Input> inputs(short own) {
        var inputs = new LinkedHashSet<Input>();
        if (formula != null) {
            FormulaText.ids(formula).forEach(each -> inputs.add(new Input(own, each)));
        } else {
            inputs.add(new Input(isLookup() ? own : other(), by()));
            if (attribute != null) {
                inputs.add(new Input(other(), attribute));
            }
        }
        return inputs;
    }
}
