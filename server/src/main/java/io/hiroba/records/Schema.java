package io.hiroba.records;

import io.hiroba.platform.expression.ExpressionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
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
    private final Calculations calculations;
    private final Map<Short, Formula> formulas = new ConcurrentHashMap<>();
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
        this.calculations = shape.calculations();
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
            List<SchemaAttribute> attributes,
            List<Removed> removed,
            List<Conversion> conversions,
            int places,
            Calculations calculations) {

        public Shape {
            attributes = List.copyOf(attributes);
            removed = List.copyOf(removed);
            conversions = List.copyOf(conversions);
        }
    }

    /**
     * A change of an attribute's type, after which another attribute has its name.
     *
     * @param written how the texts are written that are converted
     * @param doneAt when the names changed; null while values are converted
     */
    public record Conversion(
            SchemaAttribute from,
            SchemaAttribute to,
            ValueConversion.Written written,
            @Nullable Instant doneAt) {

        /** The value after the change; JSON null for one that cannot be converted. */
        JsonNode convertOrNull(JsonNode stored) {
            return new ValueConversion(from, to.type(), written).convertOrNull(stored);
        }

        /** The value after the change. */
        JsonNode convert(JsonNode stored) throws InvalidValueException {
            return new ValueConversion(from, to.type(), written).convert(stored);
        }

        /** Whether a record that was written {@code at} had the value of before. */
        boolean isAfter(Instant at) {
            return doneAt == null || at.isBefore(doneAt);
        }
    }

    /**
     * The attributes that are computed.
     *
     * @param computed by id, also of those that were removed
     * @param concealed those that come from what only owners see
     * @param computing those that were not computed for all records when this was read
     * @param dependents those, of any schema, whose values come from records of this one
     */
    public record Calculations(
            Map<Short, Computed> computed,
            Set<Short> concealed,
            Set<Short> computing,
            List<Computed.Dependent> dependents) {

        static final Calculations NONE = new Calculations(Map.of(), Set.of(), Set.of(), List.of());

        public Calculations {
            computed = Map.copyOf(computed);
            concealed = Set.copyOf(concealed);
            computing = Set.copyOf(computing);
            dependents = List.copyOf(dependents);
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

    /** The rules that apply to {@code role}. What comes from hidden values is hidden as well. */
    public AccessRules binding(ProjectRole role) {
        var binding = rules.binding(role);
        return role == ProjectRole.OWNER || calculations.concealed().isEmpty()
                ? binding
                : binding.hiding(attributes.stream()
                        .filter(each -> calculations.concealed().contains(each.id()))
                        .map(SchemaAttribute::name)
                        .collect(Collectors.toSet()));
    }

    /** The way in which values of {@code attribute} are computed; empty if they are written. */
    public Optional<Computed> computed(SchemaAttribute attribute) {
        return Optional.ofNullable(calculations.computed().get(attribute.id()));
    }

    public boolean isComputed(SchemaAttribute attribute) {
        return calculations.computed().containsKey(attribute.id());
    }

    /** Whether {@code attribute} was not computed for all records when this was read. */
    public boolean isComputing(SchemaAttribute attribute) {
        return calculations.computing().contains(attribute.id());
    }

    boolean isConcealed(SchemaAttribute attribute) {
        return calculations.concealed().contains(attribute.id());
    }

    /** The computed attributes, each after those of the same record that it comes from. */
    List<SchemaAttribute> computedInOrder() {
        if (calculations.computed().isEmpty()) {
            return List.of();
        }
        var ordered = new LinkedHashSet<SchemaAttribute>();
        attributes.stream().filter(this::isComputed).forEach(each -> order(each, ordered));
        return List.copyOf(ordered);
    }

    /** Definitions have no cycle. */
    private void order(SchemaAttribute attribute, Set<SchemaAttribute> ordered) {
        if (ordered.contains(attribute)) {
            return;
        }
        computed(attribute)
                .filter(Computed::isOfOneRecord)
                .ifPresent(computed -> computed.inputs(id)
                        .forEach(input -> attribute(input.attribute())
                                .filter(this::isComputed)
                                .ifPresent(each -> order(each, ordered))));
        ordered.add(attribute);
    }

    /** The formula of {@code attribute}; empty if it cannot be compiled any more. */
    Optional<Formula> formula(SchemaAttribute attribute) {
        return computed(attribute).map(Computed::formula).flatMap(stored -> {
            var known = formulas.get(attribute.id());
            if (known != null) {
                return Optional.of(known);
            }
            try {
                var formula = Formula.compile(stored, this::attribute);
                formulas.put(attribute.id(), formula);
                return Optional.of(formula);
            } catch (ExpressionException _) {
                return Optional.empty();
            }
        });
    }

    /** The computed attributes, of any schema, whose values come from records of this one. */
    List<Computed.Dependent> dependents() {
        return calculations.dependents();
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
        return new Schema(id, names, version, new Shape(all, removed, conversions, places, calculations), rules);
    }

    /** Whether this is its name or a former one. */
    boolean isCalled(String used) {
        return name().equals(used)
                || names.former().stream()
                        .anyMatch(former ->
                                former.attribute() == null && former.name().equals(used));
    }

    /** Whether a former name of the attribute, or of the schema itself, fits; it is noted as used by the request. */
    public boolean wasCalled(@Nullable Short attribute, Predicate<String> fits) {
        var used = names.former().stream()
                .filter(former -> Objects.equals(former.attribute(), attribute) && fits.test(former.name()))
                .findFirst();
        used.ifPresent(FormerNames::note);
        return used.isPresent();
    }

    /** Notes that a request used {@code used}, if the schema is not called so any more. */
    Schema calledBy(String used) {
        names.former().stream()
                .filter(former -> former.attribute() == null && former.name().equals(used))
                .forEach(FormerNames::note);
        return this;
    }
}
