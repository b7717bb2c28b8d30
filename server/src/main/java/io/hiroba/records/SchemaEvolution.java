package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
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
public record SchemaEvolution(List<Text> changes, List<FieldError> refused) {

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
            evolution.refuse("name", Text.of("records.change.name"));
        }
        evolution.aliases(before.aliases(), aliases);
        for (var existing : before.attributes()) {
            attributes.stream()
                    .filter(attribute -> attribute.name().equals(existing.name()))
                    .findFirst()
                    .ifPresentOrElse(
                            attribute -> evolution.compare(existing, attribute),
                            () -> evolution.refuse(existing.name(), Text.of("records.change.removed")));
        }
        for (var attribute : attributes) {
            if (before.attribute(attribute.name()).isEmpty()) {
                evolution.add(attribute);
            }
        }
        return new SchemaEvolution(evolution.changes, evolution.refused);
    }

    /** A change of a format, in words. */
    static Text change(SchemaAttribute attribute, @Nullable ValueFormat format) {
        return format == null
                ? Text.of("records.change.no-format", "attribute", attribute.name())
                : Text.of(
                        "records.change.format",
                        "attribute",
                        attribute.name(),
                        "format",
                        format.kind().title());
    }

    private static final class Comparison {

        private final List<Text> changes = new ArrayList<>();
        private final List<FieldError> refused = new ArrayList<>();

        void refuse(String field, Text reason) {
            refused.add(new FieldError(field, reason));
        }

        void aliases(List<String> before, List<String> after) {
            after.stream()
                    .filter(alias -> !before.contains(alias))
                    .forEach(alias -> changes.add(Text.of("records.change.adds-alias", "alias", alias)));
            before.stream()
                    .filter(alias -> !after.contains(alias))
                    .forEach(alias -> changes.add(Text.of("records.change.removes-alias", "alias", alias)));
        }

        void add(SchemaAttribute attribute) {
            if (attribute.required()) {
                // A default would apply to new records only.
                refuse(attribute.name(), Text.of("records.change.new-required"));
            } else {
                changes.add(Text.of(
                        "records.change.adds",
                        "attribute",
                        attribute.name(),
                        "type",
                        attribute.type().title()));
            }
        }

        void compare(SchemaAttribute before, SchemaAttribute after) {
            if (before.type() != after.type()) {
                refuse(
                        before.name(),
                        Text.of(
                                "records.change.type",
                                "before",
                                before.type().title(),
                                "after",
                                after.type().title()));
                return;
            }
            if (before.isAttachments() != after.isAttachments()
                    || before.isMany() != after.isMany()
                    || (before.isMany() && before.isPerson() != after.isPerson())) {
                refuse(before.name(), Text.of("records.change.list-kind"));
                return;
            }
            flag(before, "required", before.required(), after.required());
            flag(before, "unique", before.unique(), after.unique());
            options(before, after);
            bound(before, "min", negated(before.min()), negated(after.min()));
            bound(before, "max", decimal(before.max()), decimal(after.max()));
            pattern(before, after);
            references(before, after);
            format(before, after);
            if (!Objects.equals(before.initial(), after.initial())) {
                changes.add(Text.of("records.change.default", "attribute", before.name()));
            }
            if (!before.styles().equals(after.styles())) {
                changes.add(Text.of("records.change.option-styles", "attribute", before.name()));
            }
            if (before.prefixSearch() != after.prefixSearch()) {
                changes.add(Text.of("records.change.search", "attribute", before.name()));
            }
        }

        private void flag(SchemaAttribute attribute, String what, boolean before, boolean after) {
            if (!before && after) {
                refuse(attribute.name(), Text.of("records.change.becomes-" + what));
            } else if (before && !after) {
                changes.add(Text.of("records.change.no-longer-" + what, "attribute", attribute.name()));
            }
        }

        private void options(SchemaAttribute before, SchemaAttribute after) {
            if (before.options().isEmpty() && after.options().isEmpty()) {
                return;
            }
            if (after.options().isEmpty()) {
                changes.add(Text.of("records.change.any-value", "attribute", before.name()));
                return;
            }
            if (before.options().isEmpty()) {
                refuse(before.name(), Text.of("records.change.narrowed"));
                return;
            }
            var removed = before.options().stream()
                    .filter(option -> lacks(after, option))
                    .map(option -> before.type().shown(option).toString())
                    .toList();
            if (!removed.isEmpty()) {
                refuse(before.name(), Text.of("records.change.options-lost", "values", String.join(", ", removed)));
            }
            after.options().stream()
                    .filter(option -> lacks(before, option))
                    .forEach(option -> changes.add(Text.of(
                            "records.change.option",
                            "attribute",
                            before.name(),
                            "value",
                            before.type().shown(option).toString())));
        }

        private static boolean lacks(SchemaAttribute attribute, JsonNode option) {
            return attribute.options().stream().noneMatch(one -> Constraints.same(attribute.type(), one, option));
        }

        /** A constraint with bounds. */
        private void bound(
                SchemaAttribute attribute, String what, @Nullable BigDecimal before, @Nullable BigDecimal after) {
            if (after != null && (before == null || after.compareTo(before) < 0)) {
                refuse(attribute.name(), Text.of("records.change.tighter", "bound", what));
            } else if (before != null && (after == null || after.compareTo(before) > 0)) {
                changes.add(Text.of("records.change.wider", "bound", what, "attribute", attribute.name()));
            }
        }

        private void pattern(SchemaAttribute before, SchemaAttribute after) {
            if (after.pattern() != null && !after.pattern().equals(before.pattern())) {
                refuse(before.name(), Text.of("records.change.pattern"));
            } else if (before.pattern() != null && after.pattern() == null) {
                changes.add(Text.of("records.change.no-pattern", "attribute", before.name()));
            }
        }

        private void references(SchemaAttribute before, SchemaAttribute after) {
            if (after.references() != null && !after.references().equals(before.references())) {
                refuse(before.name(), Text.of("records.change.reference"));
            } else if (before.references() != null && after.references() == null) {
                changes.add(Text.of("records.change.no-reference", "attribute", before.name()));
            }
        }

        private void format(SchemaAttribute before, SchemaAttribute after) {
            var format = after.format();
            if (Objects.equals(before.format(), format)) {
                return;
            }
            boolean same =
                    before.format() != null && format != null && before.format().kind() == format.kind();
            if (format != null && format.kind().restricts() && !same) {
                refuse(before.name(), Text.of("records.change.format-narrowed"));
            } else {
                changes.add(change(before, format));
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
