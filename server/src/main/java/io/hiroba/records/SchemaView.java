package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.hiroba.records.AccessRules.WriteKind;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schema as callers see it.
 *
 * @param rules for owners only
 */
record SchemaView(
        int id,
        String name,
        @Nullable String title,
        List<String> aliases,
        int version,
        List<AttributeView> attributes,
        List<FormerName> formerNames,
        List<RemovedView> removedAttributes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RulesView rules) {

    /** @param all the schemas of the project */
    static SchemaView of(ProjectAccess access, Schema schema, List<Schema> all) {
        var others = all.stream().collect(Collectors.toMap(Schema::id, Function.identity()));
        var binding = schema.binding(access.role());
        return new SchemaView(
                schema.id(),
                schema.name(),
                schema.title(),
                schema.aliases(),
                schema.version(),
                schema.attributes().stream()
                        .filter(attribute -> !binding.hidden().contains(attribute.name()))
                        .map(attribute -> AttributeView.of(
                                schema,
                                attribute,
                                others,
                                formerNames(schema, attribute.id()),
                                attribute.isGenerated()
                                        || schema.isComputed(attribute)
                                        || binding.readOnly().contains(attribute.name())))
                        .toList(),
                formerNames(schema, null),
                access.isOwner()
                        ? schema.removed().stream().map(RemovedView::of).toList()
                        : List.of(),
                access.isOwner() ? RulesView.of(schema.rules()) : null);
    }

    /** An attribute that was removed and can be restored until then. */
    record RemovedView(int id, String name, String type, Instant removedAt, Instant until) {

        static RemovedView of(Schema.Removed removed) {
            var attribute = removed.attribute();
            return new RemovedView(
                    attribute.id(), attribute.name(), attribute.type().label(), removed.at(), removed.until());
        }
    }

    /** A name that it had before and is found by until then. */
    record FormerName(String name, Instant until) {}

    private static List<FormerName> formerNames(Schema schema, @Nullable Short attribute) {
        return schema.former().stream()
                // An attribute is also found by the id that it had before its type changed, which is no name.
                .filter(former -> Objects.equals(former.attribute(), attribute) && !SchemaNames.isId(former.name()))
                .map(former -> new FormerName(former.name(), former.until()))
                .toList();
    }

    /**
     * @param many whether values are lists of people or records
     * @param readOnly whether the caller may not write it
     * @param computed the way in which its values are computed; null if they are written
     * @param computing whether they are still to be computed for some records
     */
    record AttributeView(
            int id,
            String name,
            @Nullable String title,
            String type,
            boolean required,
            boolean unique,
            @JsonProperty("default") @Nullable JsonNode initial,
            @JsonProperty("enum") @Nullable List<JsonNode> options,
            @JsonProperty("options") @Nullable List<SelectOption> choices,
            @Nullable JsonNode min,
            @Nullable JsonNode max,
            @Nullable String pattern,
            boolean prefixSearch,
            @Nullable String references,
            @Nullable String format,

            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean many,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String currency,

            boolean readOnly,
            List<FormerName> formerNames,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ComputedDefinition computed,

            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean computing) {

        static AttributeView of(
                Schema schema,
                SchemaAttribute attribute,
                Map<Short, Schema> schemas,
                List<FormerName> former,
                boolean readOnly) {
            var type = attribute.type();
            var target = attribute.references() == null ? null : schemas.get(attribute.references());
            var format = attribute.format();
            return new AttributeView(
                    attribute.id(),
                    attribute.name(),
                    attribute.title(),
                    attribute.isMany() ? type.element().label() : type.label(),
                    attribute.required(),
                    attribute.unique(),
                    shown(type, attribute.initial()),
                    attribute.options().isEmpty()
                            ? null
                            : attribute.options().stream().map(type::shown).toList(),
                    attribute.isSelect() || attribute.isMultiSelect() ? attribute.choices() : null,
                    shown(type, attribute.min()),
                    shown(type, attribute.max()),
                    attribute.pattern(),
                    attribute.prefixSearch(),
                    target == null ? null : target.name(),
                    format == null ? null : format.kind().label(),
                    attribute.isMany(),
                    format == null ? null : format.currency(),
                    readOnly,
                    former,
                    schema.computed(attribute)
                            .map(each -> ComputedDefinition.of(each, schema, schemas))
                            .orElse(null),
                    schema.isComputing(attribute));
        }

        private static @Nullable JsonNode shown(ValueType type, @Nullable JsonNode stored) {
            return stored == null ? null : type.shown(stored);
        }
    }

    record RulesView(
            boolean ownRowsOnly,
            @Nullable MatchingView matching,
            List<String> hidden,
            List<String> readOnly,
            List<TestView> where,
            boolean create,
            boolean update,
            boolean delete,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            RulesView editors) {

        static RulesView of(AccessRules rules) {
            var present = rules.withoutRemoved();
            var matching = rules.matching();
            var editors = rules.editors();
            return new RulesView(
                    rules.ownRowsOnly(),
                    matching == null
                            ? null
                            : new MatchingView(
                                    matching.attribute(),
                                    matching.equals().name().toLowerCase(Locale.ROOT)),
                    present.hidden().stream().sorted().toList(),
                    present.readOnly().stream().sorted().toList(),
                    rules.where().stream().map(TestView::of).toList(),
                    !rules.denied().contains(WriteKind.CREATE),
                    !rules.denied().contains(WriteKind.UPDATE),
                    !rules.denied().contains(WriteKind.DELETE),
                    editors == null ? null : of(editors));
        }
    }

    record MatchingView(String attribute, String equals) {}

    /** A comparison as in queries. */
    record TestView(
            String attr,
            String op,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            JsonNode value) {

        static TestView of(RowTest test) {
            return new TestView(test.attribute(), test.operator(), test.value());
        }
    }
}
