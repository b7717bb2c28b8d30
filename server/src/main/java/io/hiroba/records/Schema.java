package io.hiroba.records;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The shape of some records of a project. */
public final class Schema {

    private final short id;
    private final Names names;
    private final int version;
    private final List<SchemaAttribute> attributes;
    private final List<Removed> removed;
    private final List<Conversion> conversions;
    private final int places;
    private final AccessRules rules;
    private final Map<String, SchemaAttribute> byName;
    private final Map<Short, SchemaAttribute> byId;

    public Schema(short id, Names names, int version, Shape shape, AccessRules rules) {
        this.id = id;
        this.names = names;
        this.version = version;
        this.attributes = shape.attributes();
        this.removed = shape.removed();
        this.conversions = shape.conversions();
        this.places = shape.places();
        this.rules = rules;
        this.byName =
                attributes.stream().collect(Collectors.toUnmodifiableMap(SchemaAttribute::name, Function.identity()));
        this.byId = attributes.stream().collect(Collectors.toUnmodifiableMap(SchemaAttribute::id, Function.identity()));
    }

    /**
     * The names of a schema.
     *
     * @param title the one that pages show; null for the name
     * @param former those that it and its attributes had before
     */
    public record Names(String name, @Nullable String title, List<String> aliases, List<Former> former) {

        public Names {
            aliases = List.copyOf(aliases);
            former = List.copyOf(former);
        }
    }

    /**
     * A name that a schema or an attribute had, and still leads to it.
     *
     * @param attribute the id of the attribute; null for a name of the schema
     * @param since the time of the change
     * @param until the time from which it leads nowhere
     */
    public record Former(String name, @Nullable Short attribute, Instant since, Instant until) {}

    /**
     * The attributes of a schema.
     *
     * @param places the number of places in a document, also of attributes that are gone
     */
    public record Shape(
            List<SchemaAttribute> attributes, List<Removed> removed, List<Conversion> conversions, int places) {

        public Shape {
            attributes = List.copyOf(attributes);
            removed = List.copyOf(removed);
            conversions = List.copyOf(conversions);
        }
    }

    /**
     * A change of an attribute's type, after which another attribute has its name.
     *
     * @param doneAt when the names changed; null while values are converted
     */
    public record Conversion(
            SchemaAttribute from,
            SchemaAttribute to,
            @Nullable Instant doneAt) {

        /** The value after the change; JSON null for one that cannot be converted. */
        JsonNode convert(JsonNode stored) {
            return ValueConversion.convertOrNull(from.type(), to.type(), stored);
        }

        /** Whether a record that was written {@code at} had the value of before. */
        boolean isAfter(Instant at) {
            return doneAt == null || at.isBefore(doneAt);
        }
    }

    /** An attribute that was removed, and can be restored until then. */
    public record Removed(SchemaAttribute attribute, Instant at, Instant until) {}

    /** From 100. */
    public short id() {
        return id;
    }

    public String name() {
        return names.name();
    }

    /** The name that pages show. */
    public String label() {
        var title = names.title();
        return title == null ? names.name() : title;
    }

    public @Nullable String title() {
        return names.title();
    }

    public List<String> aliases() {
        return names.aliases();
    }

    /** The names that the schema and its attributes had before. */
    public List<Former> former() {
        return names.former();
    }

    /** Goes up with every change of the schema or its rules. */
    public int version() {
        return version;
    }

    /** In the order in which they are shown. */
    public List<SchemaAttribute> attributes() {
        return attributes;
    }

    /** The attributes that can be restored. */
    public List<Removed> removed() {
        return removed;
    }

    /** The changes of types, the oldest first: what is under way, and what was changed and not undone. */
    List<Conversion> conversions() {
        return conversions;
    }

    /** The changes of types that led to {@code attribute}, the oldest first. */
    List<Conversion> conversionsTo(SchemaAttribute attribute) {
        var led = new ArrayList<Conversion>();
        short next = attribute.id();
        for (var conversion : conversions.reversed()) {
            // One that is there again by itself has a history of its own.
            if (conversion.doneAt() != null
                    && conversion.to().id() == next
                    && !byId.containsKey(conversion.from().id())) {
                next = conversion.from().id();
                led.addFirst(conversion);
            }
        }
        return led;
    }

    /** Whether an attribute that is there has the place of {@code removed} since its type was changed. */
    public boolean isReplaced(SchemaAttribute removed) {
        return attributes.stream()
                .anyMatch(each -> conversionsTo(each).stream()
                        .anyMatch(conversion -> conversion.from().id() == removed.id()));
    }

    /** The number of places in a document. */
    public int places() {
        return places;
    }

    /** All attributes whose values are kept: those that are there, and those that can be restored. */
    List<SchemaAttribute> kept() {
        return Stream.concat(attributes.stream(), removed.stream().map(Removed::attribute))
                .toList();
    }

    public AccessRules rules() {
        return rules;
    }

    /** The attribute by its name, by one that it had before, or by its id. */
    public Optional<SchemaAttribute> attribute(String named) {
        var attribute = byName.get(named);
        return attribute == null ? known(SchemaNames.normalized(named)) : Optional.of(attribute);
    }

    private Optional<SchemaAttribute> known(String named) {
        if (byName.containsKey(named)) {
            return Optional.ofNullable(byName.get(named));
        }
        for (var former : names.former()) {
            var of = former.attribute();
            if (of != null && former.name().equals(named)) {
                FormerNames.note(former);
                return attribute((short) of);
            }
        }
        return SchemaNames.isId(named) && Integer.parseInt(named) <= Short.MAX_VALUE
                ? attribute(Short.parseShort(named))
                : Optional.empty();
    }

    /** By its id, as history and links hold it. */
    public Optional<SchemaAttribute> attribute(short identified) {
        return Optional.ofNullable(byId.get(identified));
    }

    /** The same with another definition of an attribute that it has. */
    Schema with(SchemaAttribute changed) {
        var all = attributes.stream()
                .map(each -> each.id() == changed.id() ? changed : each)
                .toList();
        return new Schema(id, names, version, new Shape(all, removed, conversions, places), rules);
    }

    /** Whether this is its name or a former one. */
    boolean isCalled(String used) {
        return name().equals(used)
                || names.former().stream()
                        .anyMatch(former ->
                                former.attribute() == null && former.name().equals(used));
    }

    /** Notes that a request used {@code used}, if the schema is not called so any more. */
    Schema calledBy(String used) {
        names.former().stream()
                .filter(former -> former.attribute() == null && former.name().equals(used))
                .forEach(FormerNames::note);
        return this;
    }
}
