package io.hiroba.records;

import io.hiroba.platform.problem.Problem.FieldError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The outcome of a change of a schema. A change is refused if a record that is valid now could be invalid afterwards,
 * whether such a record exists or not.
 *
 * @param changes the changes, in words
 * @param refused the reasons of a refusal, by attribute
 */
public record SchemaEvolution(List<String> changes, List<FieldError> refused) {

    public SchemaEvolution {
        changes = List.copyOf(changes);
        refused = List.copyOf(refused);
    }

    public boolean isAllowed() {
        return refused.isEmpty();
    }

    static SchemaEvolution of(Schema before, String name, List<String> aliases, List<SchemaAttribute> attributes) {
        var evolution = new Comparison();
        if (!name.equals(before.name())) {
            evolution.refuse("name", "cannot change: add an alias");
        }
        evolution.aliases(before.aliases(), aliases);
        for (var existing : before.attributes()) {
            attributes.stream()
                    .filter(attribute -> attribute.name().equals(existing.name()))
                    .findFirst()
                    .ifPresentOrElse(
                            attribute -> evolution.compare(existing, attribute),
                            () -> evolution.refuse(
                                    existing.name(), "cannot be removed or renamed: records may have a value of it"));
        }
        for (var attribute : attributes) {
            if (before.attribute(attribute.name()).isEmpty()) {
                evolution.add(attribute);
            }
        }
        return new SchemaEvolution(evolution.changes, evolution.refused);
    }

    private static final class Comparison {

        private final List<String> changes = new ArrayList<>();
        private final List<FieldError> refused = new ArrayList<>();

        void refuse(String field, String reason) {
            refused.add(new FieldError(field, reason));
        }

        void aliases(List<String> before, List<String> after) {
            after.stream()
                    .filter(alias -> !before.contains(alias))
                    .forEach(alias -> changes.add("adds the alias `%s`".formatted(alias)));
            before.stream()
                    .filter(alias -> !after.contains(alias))
                    .forEach(alias -> changes.add("removes the alias `%s`".formatted(alias)));
        }

        void add(SchemaAttribute attribute) {
            if (attribute.required()) {
                // A default would apply to new records only.
                refuse(attribute.name(), "cannot be required: the records that are there do not have it");
            } else {
                changes.add("adds `%s` (%s)"
                        .formatted(attribute.name(), attribute.type().label()));
            }
        }

        void compare(SchemaAttribute before, SchemaAttribute after) {
            if (before.type() != after.type()) {
                refuse(
                        before.name(),
                        "cannot change its type from %s to %s: add another attribute"
                                .formatted(before.type().label(), after.type().label()));
                return;
            }
            flag(before, "required", before.required(), after.required(), "some records may not have it");
            flag(before, "unique", before.unique(), after.unique(), "some records may have the same value");
            options(before, after);
            bound(before, "min", negated(before.min()), negated(after.min()));
            bound(before, "max", decimal(before.max()), decimal(after.max()));
            pattern(before, after);
            references(before, after);
            if (!Objects.equals(before.initial(), after.initial())) {
                changes.add("gives new records another default of `%s`".formatted(before.name()));
            }
            if (before.prefixSearch() != after.prefixSearch()) {
                changes.add("changes how `%s` is searched".formatted(before.name()));
            }
        }

        private void flag(SchemaAttribute attribute, String what, boolean before, boolean after, String reason) {
            if (!before && after) {
                refuse(attribute.name(), "cannot become %s: %s".formatted(what, reason));
            } else if (before && !after) {
                changes.add("`%s` need not be %s any more".formatted(attribute.name(), what));
            }
        }

        private void options(SchemaAttribute before, SchemaAttribute after) {
            if (before.options().isEmpty() && after.options().isEmpty()) {
                return;
            }
            if (after.options().isEmpty()) {
                changes.add("`%s` may have any value".formatted(before.name()));
                return;
            }
            if (before.options().isEmpty()) {
                refuse(before.name(), "cannot be narrowed to an enum: records may have other values");
                return;
            }
            var removed = before.options().stream()
                    .filter(option -> lacks(after, option))
                    .map(option -> before.type().shown(option).toString())
                    .toList();
            if (!removed.isEmpty()) {
                refuse(before.name(), "cannot lose a value of its enum: " + String.join(", ", removed));
            }
            after.options().stream()
                    .filter(option -> lacks(before, option))
                    .forEach(option -> changes.add("`%s` may be %s"
                            .formatted(before.name(), before.type().shown(option))));
        }

        private static boolean lacks(SchemaAttribute attribute, JsonNode option) {
            return attribute.options().stream().noneMatch(one -> Constraints.same(attribute.type(), one, option));
        }

        /** A constraint with bounds. */
        private void bound(
                SchemaAttribute attribute, String what, @Nullable BigDecimal before, @Nullable BigDecimal after) {
            if (after != null && (before == null || after.compareTo(before) < 0)) {
                refuse(attribute.name(), "cannot have a tighter %s: records may be beyond it".formatted(what));
            } else if (before != null && (after == null || after.compareTo(before) > 0)) {
                changes.add("widens %s of `%s`".formatted(what, attribute.name()));
            }
        }

        private void pattern(SchemaAttribute before, SchemaAttribute after) {
            if (after.pattern() != null && !after.pattern().equals(before.pattern())) {
                refuse(before.name(), "cannot have another pattern: records may not match it");
            } else if (before.pattern() != null && after.pattern() == null) {
                changes.add("`%s` need not match a pattern any more".formatted(before.name()));
            }
        }

        private void references(SchemaAttribute before, SchemaAttribute after) {
            if (after.references() != null && !after.references().equals(before.references())) {
                refuse(before.name(), "cannot refer to another schema: records may hold what is no record of it");
            } else if (before.references() != null && after.references() == null) {
                changes.add("`%s` need not refer to a record any more".formatted(before.name()));
            }
        }

        private static @Nullable BigDecimal decimal(@Nullable JsonNode bound) {
            return bound == null ? null : bound.decimalValue();
        }

        private static @Nullable BigDecimal negated(@Nullable JsonNode bound) {
            return bound == null ? null : bound.decimalValue().negate();
        }
    }
}
