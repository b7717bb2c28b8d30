package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the search attributes of a workflow. */
final class AttributesReader {

    private static final int MAX = 20;
    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
    private static final Text TYPE_RULE = Text.of("saga.definition.attribute-type");

    private AttributesReader() {}

    /** The attributes; their errors are collected. */
    static List<SearchAttribute> read(FieldReader keys) {
        var object = keys.object("attributes");
        if (object == null) {
            return List.of();
        }
        var attributes = new ArrayList<SearchAttribute>();
        for (var name : object.names()) {
            if (!SearchAttribute.NAME.matcher(name).matches()) {
                object.error(name, Text.of("saga.definition.attribute-name"));
            }
            var attribute = object.object(name);
            if (attribute != null) {
                attributes.add(attribute(name, attribute));
            } else if (!object.has(name)) {
                object.error(name, Text.of("saga.definition.object"));
            }
        }
        if (attributes.size() > MAX) {
            keys.error("attributes", Text.of("saga.definition.attributes", "max", MAX));
        }
        return attributes;
    }

    private static SearchAttribute attribute(String name, FieldReader keys) {
        var type = type(keys);
        var node = keys.find("value");
        var mapping = new InputMapping(Scalars.text(""));
        if (node == null) {
            keys.error("value", Text.of("saga.definition.missing"));
        } else {
            // A saga is indexed when it is started: no step has an answer yet.
            mapping = new InputReader(keys, "value", Set.of(), "").read(node);
        }
        keys.rejectUnknown();
        return new SearchAttribute(name, type, mapping);
    }

    private static SearchAttribute.Type type(FieldReader keys) {
        var text = keys.requiredText("type", ANY, TYPE_RULE);
        for (var each : SearchAttribute.Type.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        if (!text.isEmpty()) {
            keys.error("type", TYPE_RULE);
        }
        return SearchAttribute.Type.STRING;
    }
}
