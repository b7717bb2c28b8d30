package io.hiroba.records.odata;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Condition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The entity data model of a project for one caller: an entity set for each schema, with the attributes that are not hidden from the
 * caller.
 */
final class EntityModel {

    private final Map<Short, EntitySet> byId = new HashMap<>();
    private final List<EntitySet> sets = new ArrayList<>();

    private EntityModel() {}

    static EntityModel of(ProjectAccess access, List<Schema> schemas) {
        var model = new EntityModel();
        var names = new Identifiers().of(schemas, Schema::name, Schema::id);
        var ids = schemas.stream().map(Schema::id).toList();
        for (var schema : schemas) {
            var rules = schema.binding(access.role());
            var shown = new RecordAccess(schema, rules, access.user(), null).shown();
            var set = EntitySet.of(names.getOrDefault((int) schema.id(), ""), schema, shown, ids);
            model.sets.add(set);
            model.byId.put(schema.id(), set);
        }
        return model;
    }

    /** A field of every record besides its attributes. No attribute has such a name. */
    enum SystemProperty {
        ID("_id", "Edm.Guid"),
        VERSION("_version", "Edm.Int32"),
        CREATED_AT("_createdAt", "Edm.DateTimeOffset"),
        CREATED_BY("_createdBy", "Edm.String"),
        UPDATED_AT("_updatedAt", "Edm.DateTimeOffset"),
        UPDATED_BY("_updatedBy", "Edm.String");

        private final String label;
        private final String edmType;

        SystemProperty(String label, String edmType) {
            this.label = label;
            this.edmType = edmType;
        }

        String label() {
            return label;
        }

        String edmType() {
            return edmType;
        }

        /** What filters know it as; empty if records cannot be filtered by it. */
        Optional<Condition.RecordField> field() {
            return switch (this) {
                case ID -> Optional.of(Condition.RecordField.ID);
                case CREATED_AT -> Optional.of(Condition.RecordField.CREATED_AT);
                case UPDATED_AT -> Optional.of(Condition.RecordField.UPDATED_AT);
                case VERSION, CREATED_BY, UPDATED_BY -> Optional.empty();
            };
        }

        static Optional<SystemProperty> named(String name) {
            return Stream.of(values()).filter(each -> each.label.equals(name)).findFirst();
        }
    }

    /** An attribute as a property; of a reference it is the id of what it refers to. */
    record Property(String name, SchemaAttribute attribute) {

        /** The type in OData. A JSON value or a list is its text, which every client has a column for. */
        String edmType() {
            return attribute.references() != null && !attribute.isList()
                    ? "Edm.Guid"
                    : switch (attribute.type()) {
                        case TEXT, JSONB, MULTI_SELECT -> "Edm.String";
                        case NUMERIC -> "Edm.Decimal";
                        case DATE -> "Edm.Date";
                        case DATETIME -> "Edm.DateTimeOffset";
                        case BOOL -> "Edm.Boolean";
                    };
        }

        boolean isJson() {
            return attribute.type() == ValueType.JSONB || attribute.type() == ValueType.MULTI_SELECT;
        }
    }

    /**
     * The navigation property of a reference, or of a list of them.
     *
     * @param key the property with the id; of a list, with the JSON of the ids
     * @param target the id of the schema that it leads to
     */
    record Navigation(String name, Property key, short target) {

        boolean isMany() {
            return key.attribute().isList();
        }
    }

    /** The records of a schema. Its entity type has the same name. */
    record EntitySet(String name, Schema schema, List<Property> properties, List<Navigation> navigations) {

        private static final String KEY_SUFFIX = "_id";
        private static final String KEYS_SUFFIX = "_ids";

        EntitySet {
            properties = List.copyOf(properties);
            navigations = List.copyOf(navigations);
        }

        /** @param targets the ids of all schemas */
        private static EntitySet of(String name, Schema schema, List<SchemaAttribute> shown, List<Short> targets) {
            var identifiers = new Identifiers();
            var own = identifiers.of(shown, SchemaAttribute::name, SchemaAttribute::id);
            var references = shown.stream()
                    .filter(each -> targets.contains(each.references()))
                    .toList();
            var keys = identifiers.of(
                    references, each -> own.getOrDefault((int) each.id(), "") + suffix(each), SchemaAttribute::id);
            var properties = new ArrayList<Property>();
            var navigations = new ArrayList<Navigation>();
            for (var attribute : shown) {
                var target = attribute.references();
                var itself = own.getOrDefault((int) attribute.id(), "");
                var property = new Property(keys.getOrDefault((int) attribute.id(), itself), attribute);
                properties.add(property);
                if (target != null && references.contains(attribute)) {
                    navigations.add(new Navigation(itself, property, target));
                }
            }
            return new EntitySet(name, schema, properties, navigations);
        }

        /** By its name, or by one that it had before. */
        Optional<Property> property(String named) {
            return properties.stream()
                    .filter(each -> each.name().equals(named))
                    .findFirst()
                    .or(() -> properties.stream()
                            .filter(each ->
                                    wasCalled(each.attribute(), isKey(each) ? suffix(each.attribute()) : "", named))
                            .findFirst());
        }

        /** By its name, or by one that it had before. */
        Optional<Navigation> navigation(String named) {
            return navigations.stream()
                    .filter(each -> each.name().equals(named))
                    .findFirst()
                    .or(() -> navigations.stream()
                            .filter(each -> wasCalled(each.key().attribute(), "", named))
                            .findFirst());
        }

        private static String suffix(SchemaAttribute reference) {
            return reference.isList() ? KEYS_SUFFIX : KEY_SUFFIX;
        }

        private boolean isKey(Property property) {
            return navigations.stream().anyMatch(each -> each.key().equals(property));
        }

        private boolean wasCalled(SchemaAttribute attribute, String suffix, String named) {
            return schema.wasCalled(attribute.id(), former -> (Identifiers.made(former) + suffix).equals(named));
        }

        /** The name that the property has now; empty if there is none. */
        Optional<String> nameOf(String named) {
            return property(named)
                    .map(Property::name)
                    .or(() -> SystemProperty.named(named).map(SystemProperty::label));
        }

        /** Whether an attribute that is shown is found by this name, or by one that it had. */
        boolean isAttribute(String named) {
            return schema.attribute(named)
                    .filter(found -> properties.stream()
                            .anyMatch(each -> each.attribute().id() == found.id()))
                    .isPresent();
        }

        ODataProblem unknown(String option, String named) {
            return ODataProblem.invalid(option, Text.of("records.odata.no-property", "name", named, "set", name));
        }
    }

    List<EntitySet> sets() {
        return List.copyOf(sets);
    }

    /** By its name, or by one that it had before. */
    EntitySet set(String name) {
        return sets.stream()
                .filter(set -> set.name().equals(name))
                .findFirst()
                .or(() -> sets.stream()
                        .filter(set -> set.schema()
                                .wasCalled(
                                        null, former -> Identifiers.made(former).equals(name)))
                        .findFirst())
                .orElseThrow(() -> ODataProblem.noResource(name));
    }

    /** The entity set that {@code navigation} leads to. */
    EntitySet target(Navigation navigation) {
        return Objects.requireNonNull(byId.get(navigation.target()));
    }
}
