package io.hiroba.records.views;

import io.hiroba.records.SavedQueryNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The attributes that a definition names. */
final class ViewNames {

    private ViewNames() {}

    /** A condition with other names. */
    static @Nullable JsonNode renamed(@Nullable JsonNode condition, UnaryOperator<String> names) {
        if (condition == null) {
            return null;
        }
        var query = JsonNodeFactory.instance.objectNode();
        query.set("where", condition);
        return SavedQueryNames.renamed(query, names).get("where");
    }

    /** All that it names. */
    static Set<String> all(ViewDefinition definition) {
        var all = new LinkedHashSet<>(ViewAttributes.paths(definition.filter()));
        if (definition.sort() != null) {
            definition.sort().forEach(each -> all.add(each.attr()));
        }
        definition.columnList().forEach(each -> all.add(each.attribute()));
        all.addAll(others(definition));
        return all;
    }

    /** Those that are neither in the filter, nor in the order, nor columns. */
    static List<String> others(ViewDefinition definition) {
        var others = new ArrayList<String>();
        var group = definition.groupBy();
        if (group != null) {
            others.add(group.attribute());
        }
        if (definition.sums() != null) {
            definition.sums().forEach(each -> others.add(each.attribute()));
        }
        var settings = definition.set();
        for (var each : new @Nullable String[] {settings.by(), settings.date(), settings.title(), settings.cover()}) {
            if (each != null) {
                others.add(each);
            }
        }
        if (settings.fields() != null) {
            settings.fields().forEach(each -> others.add(each.attribute()));
        }
        return others;
    }
}
