package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ComputedDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The fields of a form that say how the values of an attribute are computed. */
public final class ComputedFields {

    static final List<String> PARTS = List.of("formula", "lookup", "rollup", "function", "count");

    private static final String PREFIX = "computed.";

    private ComputedFields() {}

    /** A kind of computed attribute as people know it: the API has a count as a rollup. */
    public enum Kind {
        FORMULA,
        LOOKUP,
        ROLLUP,
        COUNT;

        /** Among the types of a new attribute. */
        public String label() {
            return PREFIX + part();
        }

        /** The field that holds it. */
        public String part() {
            return name().toLowerCase(Locale.ROOT);
        }

        public Text title() {
            return Text.of("records.computed-" + part());
        }

        static Optional<Kind> named(String label) {
            return Stream.of(values())
                    .filter(kind -> kind.label().equals(label))
                    .findFirst();
        }

        static Kind of(ComputedDefinition definition) {
            if (definition.rollup() != null) {
                return definition.rollup().attribute() == null ? COUNT : ROLLUP;
            }
            return definition.lookup() == null ? FORMULA : LOOKUP;
        }
    }

    /** The definition of a kind; empty if its field is. */
    static Optional<ComputedDefinition> definition(Kind kind, Map<String, String> values) {
        var value = values.getOrDefault(kind.part(), "");
        var path = value.split("\\.", -1);
        return switch (kind) {
            case FORMULA -> value.isBlank() ? Optional.empty() : Optional.of(ComputedDefinition.ofFormula(value));
            case LOOKUP ->
                path.length == 2 ? Optional.of(ComputedDefinition.ofLookup(path[0], path[1])) : Optional.empty();
            case ROLLUP ->
                path.length == 3
                        ? Optional.of(ComputedDefinition.ofRollup(new ComputedDefinition.Rollup(
                                path[0], path[1], path[2], values.getOrDefault("function", ""))))
                        : Optional.empty();
            case COUNT ->
                path.length == 2
                        ? Optional.of(ComputedDefinition.ofRollup(
                                new ComputedDefinition.Rollup(path[0], path[1], null, "count")))
                        : Optional.empty();
        };
    }

    /** The fields of a definition; names have no points. */
    static Map<String, String> values(ComputedDefinition definition) {
        var kind = Kind.of(definition);
        var lookup = definition.lookup();
        if (lookup != null) {
            return Map.of(kind.part(), lookup.relation() + "." + lookup.attribute());
        }
        var rollup = definition.rollup();
        if (rollup != null) {
            var by = rollup.schema() + "." + rollup.relation();
            return kind == Kind.COUNT
                    ? Map.of(kind.part(), by)
                    : Map.of(kind.part(), by + "." + rollup.attribute(), "function", rollup.function());
        }
        return Map.of(kind.part(), String.valueOf(definition.formula()));
    }

    /** What values come from. */
    static Text words(Kind kind, Map<String, String> values) {
        var value = values.getOrDefault(kind.part(), "");
        var path = value.split("\\.", -1);
        return switch (kind) {
            case FORMULA -> Text.verbatim(value);
            case LOOKUP -> Text.of("records.computed-lookup-words", "relation", path[0], "attribute", path[1]);
            case ROLLUP ->
                Text.of(
                        "records.computed-rollup-words",
                        "function",
                        Text.of("records.computed-" + values.get("function")),
                        "schema",
                        path[0],
                        "relation",
                        path[1],
                        "attribute",
                        path[2]);
            case COUNT -> Text.of("records.computed-count-words", "schema", path[0], "relation", path[1]);
        };
    }
}
