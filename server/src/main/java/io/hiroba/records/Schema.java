package io.hiroba.records;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The shape of some records of a project. */
public final class Schema {

    private final short id;
    private final String name;
    private final List<String> aliases;
    private final int version;
    private final List<SchemaAttribute> attributes;
    private final AccessRules rules;
    private final Map<String, SchemaAttribute> byName;

    public Schema(
            short id,
            String name,
            List<String> aliases,
            int version,
            List<SchemaAttribute> attributes,
            AccessRules rules) {
        this.id = id;
        this.name = name;
        this.aliases = List.copyOf(aliases);
        this.version = version;
        this.attributes = List.copyOf(attributes);
        this.rules = rules;
        this.byName =
                attributes.stream().collect(Collectors.toUnmodifiableMap(SchemaAttribute::name, Function.identity()));
    }

    /** From 100. */
    public short id() {
        return id;
    }

    public String name() {
        return name;
    }

    public List<String> aliases() {
        return aliases;
    }

    /** Goes up with every change of the schema or its rules. */
    public int version() {
        return version;
    }

    /** In the order of their places. */
    public List<SchemaAttribute> attributes() {
        return attributes;
    }

    public AccessRules rules() {
        return rules;
    }

    public Optional<SchemaAttribute> attribute(String named) {
        return Optional.ofNullable(byName.get(named));
    }

    /** By its id, as history and links hold it. */
    public Optional<SchemaAttribute> attribute(short identified) {
        int place = identified / ValueType.STORAGE_CLASSES;
        return place < attributes.size() ? Optional.of(attributes.get(place)) : Optional.empty();
    }
}
