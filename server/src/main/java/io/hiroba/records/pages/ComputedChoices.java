package io.hiroba.records.pages;

import io.hiroba.records.ComputedDefinition;
import io.hiroba.records.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The computed attributes of a schema, and what others may come from.
 *
 * @param defined the definitions by the names of the attributes
 * @param computing the names of those that some records are still to get
 * @param names the attributes as formulas call them
 * @param lookups the attributes of records that are referred to, with paths such as {@code customer.name}
 * @param rollups the attributes of records that refer to it, with paths such as {@code order.customer.total}
 * @param counts the references to it, with paths such as {@code order.customer}
 */
public record ComputedChoices(
        Map<String, ComputedDefinition> defined,
        Set<String> computing,
        List<String> names,
        List<Group> lookups,
        List<Group> rollups,
        List<Filter.Choice> counts) {

    static final ComputedChoices NONE =
            new ComputedChoices(Map.of(), Set.of(), List.of(), List.of(), List.of(), List.of());

    public ComputedChoices {
        defined = Map.copyOf(defined);
        computing = Set.copyOf(computing);
        names = List.copyOf(names);
        lookups = List.copyOf(lookups);
        rollups = List.copyOf(rollups);
        counts = List.copyOf(counts);
    }

    /** The attributes at the other end of a reference. */
    public record Group(String label, List<Filter.Choice> choices) {

        public Group {
            choices = List.copyOf(choices);
        }

        private static Group of(String label, String path, Schema schema) {
            return new Group(
                    label,
                    schema.attributes().stream()
                            .map(each -> new Filter.Choice(path + "." + each.name(), each.label()))
                            .toList());
        }
    }

    /** @param all the schemas of the project, as they are now */
    static ComputedChoices of(Schema schema, List<Schema> all) {
        var own = all.stream()
                .filter(each -> each.id() == schema.id())
                .findFirst()
                .orElse(schema);
        var defined = new HashMap<String, ComputedDefinition>();
        var computing = new HashSet<String>();
        for (var attribute : own.attributes()) {
            ComputedDefinition.of(attribute, own, all).ifPresent(each -> defined.put(attribute.name(), each));
            if (own.isComputing(attribute)) {
                computing.add(attribute.name());
            }
        }
        var rollups = new ArrayList<Group>();
        var counts = new ArrayList<Filter.Choice>();
        for (var other : all) {
            for (var relation : other.attributes()) {
                if (Objects.equals(relation.references(), own.id())) {
                    var label = other.label() + " · " + relation.label();
                    var path = other.name() + "." + relation.name();
                    counts.add(new Filter.Choice(path, label));
                    rollups.add(Group.of(label, path, other));
                }
            }
        }
        return new ComputedChoices(
                defined,
                computing,
                own.attributes().stream()
                        .map(each -> ComputedDefinition.inFormula(each.name()))
                        .toList(),
                lookups(own, all),
                rollups,
                counts);
    }

    /** Those of lists of references have none: a lookup needs one record. */
    private static List<Group> lookups(Schema own, List<Schema> all) {
        var lookups = new ArrayList<Group>();
        for (var relation : own.attributes()) {
            all.stream()
                    .filter(each -> !relation.isList() && Objects.equals(relation.references(), each.id()))
                    .map(target -> Group.of(relation.label() + " · " + target.label(), relation.name(), target))
                    .forEach(lookups::add);
        }
        return lookups;
    }

    /** The fields of the row of an attribute; none if its values are written. */
    Map<String, String> values(String attribute) {
        var definition = defined.get(attribute);
        if (definition == null) {
            return Map.of();
        }
        var values = new HashMap<>(ComputedFields.values(definition));
        values.put("computed", ComputedFields.Kind.of(definition).label());
        values.put("computing", computing.contains(attribute) ? "true" : "");
        return values;
    }
}
