package io.hiroba.records.odata;

import io.hiroba.records.Documents;
import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.Property;
import io.hiroba.records.odata.EntityModel.SystemProperty;
import io.hiroba.records.odata.EntityReader.Entity;
import io.hiroba.records.odata.EntityReader.EntityPage;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Writes answers in OData's JSON with minimal metadata, or none.
 *
 * @param root the address of the service, with a slash at its end
 * @param metadata whether answers have the address of their description
 * @param numbersAsTexts whether decimals are texts ({@code IEEE754Compatible})
 */
record EntityWriter(String root, boolean metadata, boolean numbersAsTexts) {

    /** The entity sets of the project. */
    byte[] service(List<EntitySet> sets) {
        return object("", out -> {
            out.writeName("value");
            out.writeStartArray();
            for (var set : sets) {
                out.writeStartObject();
                text(out, "name", set.name());
                text(out, "kind", "EntitySet");
                text(out, "url", ODataRoutes.encoded(set.name()));
                if (!set.schema().label().equals(set.name())) {
                    text(out, "title", set.schema().label());
                }
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    /** @param next the address of the next page */
    byte[] page(EntitySet set, ODataOptions options, EntityPage page, @Nullable String next) {
        return object("#" + context(set, options), out -> {
            var count = page.count();
            if (count != null) {
                out.writeName("@odata.count");
                out.writeNumber(count);
            }
            out.writeName("value");
            out.writeStartArray();
            for (var entity : page.entities()) {
                out.writeStartObject();
                entity(out, set, options, entity);
                out.writeEndObject();
            }
            out.writeEndArray();
            if (next != null) {
                text(out, "@odata.nextLink", next);
            }
        });
    }

    byte[] single(EntitySet set, ODataOptions options, Entity entity) {
        return object("#" + context(set, options) + "/$entity", out -> entity(out, set, options, entity));
    }

    private static String context(EntitySet set, ODataOptions options) {
        var select = options.select();
        var parts = Stream.concat(
                        select == null ? Stream.of() : select.stream(),
                        options.expand().stream().map(each -> {
                            var nested = each.select();
                            return each.navigation().name() + "(" + (nested == null ? "" : String.join(",", nested))
                                    + ")";
                        }))
                .collect(Collectors.joining(","));
        return parts.isEmpty() ? set.name() : set.name() + "(" + parts + ")";
    }

    private byte[] object(String context, Consumer<JsonGenerator> content) {
        var bytes = new ByteArrayOutputStream();
        try (var out = Documents.exact().createGenerator(bytes)) {
            out.writeStartObject();
            if (metadata) {
                text(out, "@odata.context", root + "$metadata" + context);
            }
            content.accept(out);
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private void entity(JsonGenerator out, EntitySet set, ODataOptions options, Entity entity) {
        properties(out, set, options.select(), entity);
        for (var expand : options.expand()) {
            var targets = entity.expanded().getOrDefault(expand.navigation().name(), List.of());
            out.writeName(expand.navigation().name());
            if (expand.navigation().isMany()) {
                out.writeStartArray();
                targets.forEach(target -> object(out, expand, target));
                out.writeEndArray();
            } else if (targets.isEmpty()) {
                out.writeNull();
            } else {
                object(out, expand, targets.getFirst());
            }
        }
    }

    private void object(JsonGenerator out, ODataOptions.Expand expand, Entity target) {
        out.writeStartObject();
        properties(out, expand.target(), expand.select(), target);
        out.writeEndObject();
    }

    private void properties(JsonGenerator out, EntitySet set, @Nullable Set<String> select, Entity entity) {
        for (var property : SystemProperty.values()) {
            if (select == null || select.contains(property.label())) {
                out.writeName(property.label());
                switch (property) {
                    case ID -> out.writeString(entity.id());
                    case VERSION -> out.writeNumber(entity.version());
                    case CREATED_AT -> out.writePOJO(entity.createdAt());
                    case CREATED_BY -> out.writeString(entity.createdBy());
                    case UPDATED_AT -> out.writePOJO(entity.updatedAt());
                    case UPDATED_BY -> out.writeString(entity.updatedBy());
                }
            }
        }
        for (var property : set.properties()) {
            if (select == null || select.contains(property.name())) {
                out.writeName(property.name());
                value(out, property, entity.values().get(property.attribute().id()));
            }
        }
    }

    private void value(JsonGenerator out, Property property, @Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            out.writeNull();
        } else if (property.isJson()) {
            out.writeString(Documents.exact().writeValueAsString(value));
        } else if (numbersAsTexts && value.isNumber()) {
            out.writeString(value.decimalValue().toPlainString());
        } else {
            out.writePOJO(value);
        }
    }

    private static void text(JsonGenerator out, String name, String text) {
        out.writeName(name);
        out.writeString(text);
    }
}
