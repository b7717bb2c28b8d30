package io.hiroba.records;

import io.hiroba.platform.i18n.Language;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A template of a project: its schemas with options, formats, computed attributes, views and some records, in one language.
 *
 * @param name the name in requests
 * @param about what it is for
 */
public record ProjectTemplate(String name, String title, String about, List<Table> schemas, List<Board> dashboards) {

    private static final Set<String> CODES =
            Set.of(Language.values()).stream().map(Language::code).collect(Collectors.toUnmodifiableSet());
    private static final Pattern DAY = Pattern.compile("@day([+-]\\d{1,4})");

    public ProjectTemplate {
        schemas = List.copyOf(schemas);
        dashboards = List.copyOf(dashboards);
    }

    /**
     * A schema of a template.
     *
     * @param later computed attributes that are added when all schemas are there: they come from records of one that refers to this one
     * @param records as in requests, but a record may have a {@code _key}, by which others refer to it as {@code @key}; {@code @day+3} is in three days
     */
    public record Table(
            String name,
            String title,
            List<JsonNode> attributes,
            @Nullable List<JsonNode> later,
            List<Look> views,
            @Nullable List<JsonNode> records) {

        public Table {
            attributes = List.copyOf(attributes);
            later = later == null ? null : List.copyOf(later);
            views = List.copyOf(views);
            records = records == null ? null : List.copyOf(records);
        }

        List<JsonNode> allAttributes() {
            return later == null
                    ? attributes
                    : Stream.concat(attributes.stream(), later.stream()).toList();
        }

        List<JsonNode> examples() {
            return records == null ? List.of() : records;
        }
    }

    /** A dashboard, with panels as in requests. */
    public record Board(String name, List<JsonNode> panels) {

        public Board {
            panels = List.copyOf(panels);
        }
    }

    /** A view of a schema, as in requests. */
    public record Look(String name, String kind, @Nullable JsonNode definition) {}

    /** The template in {@code language}: each text is there in all of them. */
    static ProjectTemplate read(JsonNode resource, Language language) {
        return Documents.exact().treeToValue(in(language, resource), ProjectTemplate.class);
    }

    private static JsonNode in(Language language, JsonNode node) {
        if (node.isArray()) {
            var list = JsonNodeFactory.instance.arrayNode();
            node.forEach(each -> list.add(in(language, each)));
            return list;
        }
        if (!node.isObject()) {
            return node;
        }
        if (Set.copyOf(node.propertyNames()).equals(CODES)) {
            return node.get(language.code());
        }
        var object = JsonNodeFactory.instance.objectNode();
        node.properties().forEach(each -> object.set(each.getKey(), in(language, each.getValue())));
        return object;
    }

    /** The day that a value means; empty for another value. */
    static @Nullable JsonNode day(JsonNode value, LocalDate today) {
        var matcher = DAY.matcher(value.asString(""));
        return matcher.matches()
                ? JsonNodeFactory.instance.stringNode(
                        today.plusDays(Integer.parseInt(matcher.group(1))).toString())
                : null;
    }
}
