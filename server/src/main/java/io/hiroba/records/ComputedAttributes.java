package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the computed attributes of a definition: each after those that it comes from, so that their types are known. */
final class ComputedAttributes {

    private final ComputedReader reader;
    private final @Nullable Schema before;
    private final List<AttributeDefinition> definitions;
    private final List<SchemaAttribute> attributes;
    private int next;

    ComputedAttributes(
            ComputedReader reader,
            @Nullable Schema before,
            List<AttributeDefinition> definitions,
            List<SchemaAttribute> attributes,
            int places) {
        this.reader = reader;
        this.before = before;
        this.definitions = definitions;
        this.attributes = attributes;
        this.next = attributes.stream().mapToInt(each -> each.place() + 1).reduce(places, Math::max);
    }

    /** The faults of computed attributes that a change describes without saying how they are computed: they stay as they are. */
    static List<FieldError> kept(Schema before, List<SchemaAttribute> attributes) {
        return attributes.stream()
                .filter(each -> before.isComputed(each) && isConstrained(each))
                .map(each -> new FieldError(each.name(), Text.of("records.computed.unconstrained")))
                .toList();
    }

    private static boolean isConstrained(SchemaAttribute attribute) {
        return attribute.required()
                || attribute.unique()
                || attribute.initial() != null
                || !attribute.options().isEmpty()
                || attribute.min() != null
                || attribute.max() != null
                || attribute.pattern() != null
                || attribute.references() != null;
    }

    /** @param pending the names of those to read, with their places in the definition */
    Map<Short, Computed> read(Map<String, Integer> pending, List<FieldError> errors) {
        var computed = new LinkedHashMap<Short, Computed>();
        var faults = new HashMap<String, ComputedReader.Fault>();
        int left;
        do {
            left = pending.size();
            for (var name : List.copyOf(pending.keySet())) {
                int index = pending.getOrDefault(name, 0);
                try {
                    add(name, "attributes[%d]".formatted(index), definitions.get(index), computed);
                    pending.remove(name);
                } catch (ComputedReader.Fault e) {
                    faults.put(name, e);
                }
            }
        } while (pending.size() < left);
        pending.forEach((name, index) -> Optional.ofNullable(faults.get(name))
                .ifPresent(fault -> errors.add(cycle(name, pending, faults)
                        .map(cycle -> new FieldError(
                                "attributes[%d].computed".formatted(index),
                                Text.of("records.computed.cycle", "cycle", cycle)))
                        .orElse(fault.error()))));
        return computed;
    }

    private void add(String name, String field, AttributeDefinition definition, Map<Short, Computed> computed)
            throws ComputedReader.Fault {
        var known = Optional.ofNullable(before).flatMap(schema -> schema.attribute(name));
        if (known.isPresent() && before != null && !before.isComputed(known.get())) {
            throw new ComputedReader.Fault(field + ".computed", Text.of("records.computed.stored"));
        }
        if (known.isEmpty() && !SchemaNames.isValid(name)) {
            throw new ComputedReader.Fault(field + ".name", Text.of("records.field.name"));
        }
        if (attributes.stream().anyMatch(each -> each.name().equals(name))) {
            throw new ComputedReader.Fault(field + ".name", Text.of("records.field.twice"));
        }
        if (attributes.size() >= DefinitionReader.MAX_ATTRIBUTES || next >= DefinitionReader.MAX_PLACES) {
            throw new ComputedReader.Fault(field, Text.of("records.field.no-place"));
        }
        var attribute = attribute(field, name, definition, known, computed);
        attributes.add(attribute);
    }

    private SchemaAttribute attribute(
            String field,
            String name,
            AttributeDefinition definition,
            Optional<SchemaAttribute> known,
            Map<Short, Computed> computed)
            throws ComputedReader.Fault {
        if (definition.isRequired()
                || definition.isUnique()
                || definition.initial() != null
                || definition.options() != null
                || definition.choices() != null
                || definition.min() != null
                || definition.max() != null
                || definition.pattern() != null
                || definition.references() != null) {
            throw new ComputedReader.Fault(field + ".computed", Text.of("records.computed.unconstrained"));
        }
        var label = definition.type();
        var declared = label == null ? known.map(SchemaAttribute::type) : ValueType.named(label);
        if (label != null && declared.isEmpty()) {
            throw new ComputedReader.Fault(field + ".type", Text.of("records.field.type"));
        }
        var asked = definition.computed();
        if (asked == null) {
            throw new IllegalStateException("not computed");
        }
        var read = reader.read(field + ".computed", asked, declared.orElse(null));
        if (known.isPresent() && known.get().type() != read.type()) {
            throw new ComputedReader.Fault(field + ".type", Text.of("records.computed.keeps-type"));
        }
        short id = known.map(SchemaAttribute::id).orElseGet(() -> SchemaAttribute.id(next++, read.type()));
        computed.put(id, read.computed());
        var plain = new SchemaAttribute(
                id,
                known.map(SchemaAttribute::name).orElse(name),
                known.map(SchemaAttribute::title).orElse(null),
                read.type(),
                false,
                false,
                null,
                List.of(),
                null,
                null,
                null,
                Boolean.TRUE.equals(definition.prefixSearch()),
                null);
        return plain.formatted(format(field, plain, definition, known));
    }

    /** A format that not every value has is none for values that nobody writes, unless it is there already. */
    private static @Nullable ValueFormat format(
            String field, SchemaAttribute attribute, AttributeDefinition definition, Optional<SchemaAttribute> known)
            throws ComputedReader.Fault {
        if (definition.format() == null) {
            return null;
        }
        try {
            var format = ValueFormat.of(attribute, definition.format(), definition.currency());
            if (format.kind().restricts()
                    && known.filter(each -> each.isFormatted(format.kind())).isEmpty()) {
                throw new InvalidValueException(Text.of("records.computed.unconstrained"));
            }
            return format;
        } catch (InvalidValueException e) {
            throw new ComputedReader.Fault(field + ".format", e.reason());
        }
    }

    /** The way of what is missing from one to the next, if it comes back. */
    private static Optional<String> cycle(
            String start, Map<String, Integer> pending, Map<String, ComputedReader.Fault> faults) {
        var path = new ArrayList<String>();
        String at = start;
        while (at != null && pending.containsKey(at) && !path.contains(at)) {
            path.add(at);
            var fault = faults.get(at);
            at = fault == null
                    ? null
                    : fault.missing().map(SchemaNames::normalized).orElse(null);
        }
        if (at == null || !path.contains(at)) {
            return Optional.empty();
        }
        var cycle = new ArrayList<>(path.subList(path.indexOf(at), path.size()));
        cycle.add(at);
        return Optional.of(String.join(" → ", cycle));
    }
}
