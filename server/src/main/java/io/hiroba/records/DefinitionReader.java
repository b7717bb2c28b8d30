package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Parses schema definitions into attributes and collects all errors. */
final class DefinitionReader {

    private static final Text NAME_RULE = Text.of("records.field.name");
    static final int MAX_ATTRIBUTES = 500;
    /** An id is a small number, and those of removed attributes are not given again. */
    static final int MAX_PLACES = 6_000;

    private static final int MAX_ALIASES = 20;
    private static final int MAX_OPTIONS = 1000;

    private final Function<String, Optional<Short>> targets;
    private final List<FieldError> errors = new ArrayList<>();

    /** @param targets the ids of the schemas that can be referred to, by name */
    DefinitionReader(Function<String, Optional<Short>> targets) {
        this.targets = targets;
    }

    List<FieldError> errors() {
        return errors;
    }

    void names(String name, List<String> aliases) {
        requireName("name", name);
        if (aliases.size() > MAX_ALIASES) {
            wrong("aliases", Text.of("records.field.most", "max", MAX_ALIASES));
        }
        var seen = new HashSet<String>();
        seen.add(name);
        for (var alias : aliases) {
            requireName("aliases", alias);
            if (!seen.add(alias)) {
                wrong("aliases", Text.of("records.field.named-twice", "name", alias));
            }
        }
    }

    /** The attributes; new ones get positions from {@code next} on. */
    List<SchemaAttribute> attributes(
            List<AttributeDefinition> definitions, int next, Function<String, Optional<SchemaAttribute>> there) {
        if (definitions.size() > MAX_ATTRIBUTES) {
            wrong("attributes", Text.of("records.field.most", "max", MAX_ATTRIBUTES));
            return List.of();
        }
        var attributes = new ArrayList<SchemaAttribute>();
        var names = new HashSet<String>();
        int place = next;
        for (int i = 0; i < definitions.size(); i++) {
            var definition = definitions.get(i);
            if (definition.computed() != null) {
                // Read after the others, which it may come from.
                continue;
            }
            var field = "attributes[%d]".formatted(i);
            var given = SchemaNames.normalized(definition.name());
            var known = there.apply(given);
            if (known.isEmpty() && !SchemaNames.isValid(given)) {
                wrong(field + ".name", NAME_RULE);
                continue;
            }
            // An attribute that is called by a former name or its id keeps its name.
            var name = known.map(SchemaAttribute::name).orElse(given);
            if (!names.add(name)) {
                wrong(field + ".name", Text.of("records.field.twice"));
                continue;
            }
            var type = type(field, definition);
            if (type.isEmpty()) {
                continue;
            }
            if (known.isEmpty() && place == MAX_PLACES) {
                wrong(field, Text.of("records.field.no-place"));
                continue;
            }
            var id = known.isPresent() ? known.get().id() : SchemaAttribute.id(place++, type.get());
            var title = known.map(SchemaAttribute::title).orElse(null);
            var styles = known.map(SchemaAttribute::styles).orElse(List.of());
            attributes.add(attribute(field, definition, new Identity(id, name, title, styles), type.get()));
        }
        return attributes;
    }

    /** The type of the values; that of several people or records is a list. */
    private Optional<ValueType> type(String field, AttributeDefinition definition) {
        var type = ValueType.named(Objects.requireNonNullElse(definition.type(), ""));
        if (type.isEmpty()) {
            wrong(field + ".type", Text.of("records.field.type"));
        } else if (definition.isMany()) {
            boolean isPerson = ValueFormat.Kind.PERSON.label().equals(definition.format());
            if (type.get() != ValueType.TEXT
                    || (definition.references() == null && !isPerson)
                    || definition.options() != null
                    || definition.choices() != null) {
                wrong(field + ".many", Text.of("records.field.many"));
                return Optional.empty();
            }
            return Optional.of(ValueType.MULTI_SELECT);
        }
        return type;
    }

    /** @param styles those of the options that it has */
    private record Identity(short id, String name, @Nullable String title, List<SelectOption> styles) {}

    private SchemaAttribute attribute(String field, AttributeDefinition definition, Identity identity, ValueType type) {
        if (definition.isUnique() && !type.mayBeUnique()) {
            wrong(field + ".unique", Text.of("records.field.ordered-only"));
        }
        var min = bound(field + ".min", type, definition.min());
        var max = bound(field + ".max", type, definition.max());
        if (min != null && max != null && min.decimalValue().compareTo(max.decimalValue()) > 0) {
            wrong(field + ".max", Text.of("records.field.below-min"));
        }
        var pattern = pattern(field + ".pattern", type, definition.pattern());
        if (Boolean.TRUE.equals(definition.prefixSearch()) && type != ValueType.TEXT) {
            wrong(field + ".prefixSearch", Text.of("records.field.text-only"));
        }
        var plain = new SchemaAttribute(
                identity.id(),
                identity.name(),
                identity.title(),
                type,
                definition.isRequired(),
                definition.isUnique(),
                null,
                List.of(),
                min,
                max,
                pattern,
                Boolean.TRUE.equals(definition.prefixSearch()),
                target(field, type, definition));
        var chosen = definition.isMany()
                ? plain
                : plain.with(null, options(field + ".enum", plain, values(field, plain, definition)));
        var bounded = chosen.formatted(format(field, chosen, definition));
        return bounded.with(initial(field + ".default", bounded, definition), bounded.options())
                .styled(styles(definition, identity, bounded.options()));
    }

    /** The values of the options, whichever way they are given. */
    private @Nullable List<JsonNode> values(String field, SchemaAttribute attribute, AttributeDefinition definition) {
        var choices = definition.choices();
        if (choices == null) {
            return definition.options();
        }
        var faults = SelectOption.faults(field + ".options", attribute, choices);
        errors.addAll(faults);
        var values =
                attribute.choosing(faults.isEmpty() ? choices : List.of(), null).options();
        if (definition.options() != null && !definition.options().equals(values)) {
            wrong(field + ".options", Text.of("records.field.options-enum"));
        }
        return values.isEmpty() ? null : values;
    }

    /** Those that are given, or those of options that stay. */
    private static List<SelectOption> styles(
            AttributeDefinition definition, Identity identity, List<JsonNode> options) {
        return definition.choices() != null
                ? definition.choices()
                : identity.styles().stream()
                        .filter(style -> options.stream()
                                .anyMatch(each ->
                                        each.isString() && each.stringValue().equals(style.value())))
                        .toList();
    }

    private @Nullable JsonNode bound(String field, ValueType type, @Nullable JsonNode given) {
        if (given == null || given.isNull()) {
            return null;
        }
        try {
            return switch (type) {
                case TEXT -> length(given);
                case NUMERIC, DATE, DATETIME -> type.stored(given);
                case BOOL, JSONB, MULTI_SELECT ->
                    throw new InvalidValueException(Text.of("records.field.ordered-only"));
            };
        } catch (InvalidValueException e) {
            wrong(field, e.reason());
            return null;
        }
    }

    private static JsonNode length(JsonNode given) throws InvalidValueException {
        if (!given.isIntegralNumber() || !given.canConvertToInt() || given.intValue() < 0) {
            throw new InvalidValueException(Text.of("records.field.length"));
        }
        return given;
    }

    private @Nullable String pattern(String field, ValueType type, @Nullable String given) {
        if (given == null) {
            return null;
        }
        if (type != ValueType.TEXT) {
            wrong(field, Text.of("records.field.text-only"));
            return null;
        }
        try {
            TextPattern.of(given);
            return given;
        } catch (InvalidValueException e) {
            wrong(field, e.reason());
            return null;
        }
    }

    private @Nullable ValueFormat format(String field, SchemaAttribute attribute, AttributeDefinition definition) {
        try {
            if (definition.format() != null) {
                var format = ValueFormat.of(attribute, definition.format(), definition.currency());
                if (format.kind() == ValueFormat.Kind.ATTACHMENTS && !absent(definition.initial())) {
                    throw new InvalidValueException(Text.of("records.field.files-default"));
                }
                if (format.kind().isGenerated() && (definition.isRequired() || !absent(definition.initial()))) {
                    throw new InvalidValueException(Text.of("records.field.format-generated"));
                }
                return format;
            }
            if (definition.currency() != null) {
                throw new InvalidValueException(Text.of("records.field.format-no-currency"));
            }
        } catch (InvalidValueException e) {
            wrong(field + ".format", e.reason());
        }
        return null;
    }

    private @Nullable Short target(String field, ValueType type, AttributeDefinition definition) {
        if (definition.references() == null) {
            return null;
        }
        if (type != ValueType.TEXT && !(type == ValueType.MULTI_SELECT && definition.isMany())) {
            wrong(field + ".references", Text.of("records.field.reference-text-only"));
        }
        if (definition.options() != null
                || definition.choices() != null
                || definition.pattern() != null
                || !absent(definition.min())
                || !absent(definition.max())) {
            wrong(field + ".references", Text.of("records.field.reference-bounds"));
        }
        if (!absent(definition.initial())) {
            wrong(field + ".references", Text.of("records.field.reference-default"));
        }
        var target = targets.apply(SchemaNames.normalized(definition.references()));
        if (target.isEmpty()) {
            wrong(field + ".references", Text.of("records.field.reference-schema"));
        }
        return target.orElse(null);
    }

    private List<JsonNode> options(String field, SchemaAttribute attribute, @Nullable List<JsonNode> given) {
        if (given == null) {
            if (attribute.isMultiSelect()) {
                wrong(field, Text.of("records.field.options-needed"));
            }
            return List.of();
        }
        if (attribute.type() == ValueType.BOOL || attribute.type() == ValueType.JSONB) {
            wrong(field, Text.of("records.field.ordered-only"));
            return List.of();
        }
        if (given.isEmpty() || given.size() > MAX_OPTIONS) {
            wrong(field, Text.of("records.field.values"));
        }
        var options = new ArrayList<JsonNode>();
        for (int i = 0; i < given.size(); i++) {
            try {
                var option = attribute.isMultiSelect()
                        ? option("%s[%d]".formatted(field, i), attribute, given.get(i))
                        : Constraints.stored(attribute, given.get(i));
                if (option.isString() && option.stringValue().isBlank()) {
                    throw new InvalidValueException(Text.of("records.field.option-value"));
                }
                if (options.stream().anyMatch(other -> Constraints.same(attribute.type(), other, option))) {
                    throw new InvalidValueException(Text.of("records.field.twice"));
                }
                options.add(option);
            } catch (InvalidValueException e) {
                wrong("%s[%d]".formatted(field, i), e.reason());
            }
        }
        return options;
    }

    /** An option of lists, each of which can be one line of a form. */
    private JsonNode option(String field, SchemaAttribute attribute, JsonNode given) throws InvalidValueException {
        var option = ValueType.TEXT.stored(given);
        var faults = SelectOption.faults(field, attribute, List.of(new SelectOption(option.stringValue(), null, null)));
        if (!faults.isEmpty()) {
            throw new InvalidValueException(faults.getFirst().message());
        }
        return option;
    }

    private @Nullable JsonNode initial(String field, SchemaAttribute attribute, AttributeDefinition definition) {
        var given = definition.initial();
        if (given == null || given.isNull() || (attribute.isList() && given.isArray() && given.isEmpty())) {
            return null;
        }
        if (attribute.unique()) {
            wrong(field, Text.of("records.field.unique-default"));
        }
        try {
            return attribute.references() == null && !attribute.isAttachments()
                    ? Constraints.stored(attribute, given)
                    : null;
        } catch (InvalidValueException e) {
            wrong(field, e.reason());
            return null;
        }
    }

    private void requireName(String field, String name) {
        if (!SchemaNames.isValid(name)) {
            wrong(field, NAME_RULE);
        }
    }

    private void wrong(String field, Text message) {
        errors.add(new FieldError(field, message));
    }

    private static boolean absent(@Nullable JsonNode given) {
        return given == null || given.isNull();
    }
}
