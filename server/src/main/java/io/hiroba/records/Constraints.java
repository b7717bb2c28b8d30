package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.util.HashSet;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Checks values against the constraints of their attribute. */
final class Constraints {

    private static final Pattern ROW = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /** The most people or records in one value. */
    static final int MAX_MANY = 500;

    /** The most files in one value. */
    static final int MAX_FILES = 50;

    private Constraints() {}

    /** Converts a value of the API to the one in documents, if {@code attribute} allows it. */
    public static JsonNode stored(SchemaAttribute attribute, JsonNode given) throws InvalidValueException {
        var typed = attribute.type().stored(given);
        if (attribute.isList()) {
            return list(attribute, typed);
        }
        if (attribute.isAttachments()) {
            return files(typed);
        }
        if (attribute.references() != null) {
            return reference(typed);
        }
        if (attribute.isFormatted(ValueFormat.Kind.PERSON)) {
            return person(attribute, typed);
        }
        var stored = attribute.options().isEmpty() ? typed : option(attribute, typed);
        requireRange(attribute, stored);
        ValueFormat.require(attribute, stored);
        if (attribute.pattern() != null
                && !TextPattern.known(attribute.pattern()).matches(stored.stringValue())) {
            throw new InvalidValueException(Text.of("records.field.match", "pattern", attribute.pattern()));
        }
        return stored;
    }

    private static JsonNode list(SchemaAttribute attribute, JsonNode typed) throws InvalidValueException {
        if (attribute.isMany() && typed.size() > MAX_MANY) {
            throw new InvalidValueException(Text.of("records.field.most", "max", MAX_MANY));
        }
        var list = JsonNodeFactory.instance.arrayNode();
        var seen = new HashSet<JsonNode>();
        for (var each : typed) {
            var one = attribute.references() != null
                    ? reference(each)
                    : attribute.isPerson() ? person(attribute, each) : option(attribute, each);
            // The same id may be written in two ways.
            if (!seen.add(one)) {
                throw new InvalidValueException(Text.of("records.field.list-twice", "value", one.stringValue()));
            }
            list.add(one);
        }
        return list;
    }

    /** Files by their ids; what else is known of them is written beside these when it is known that they are there. */
    private static JsonNode files(JsonNode given) throws InvalidValueException {
        if (!given.isArray() || given.size() > MAX_FILES) {
            throw new InvalidValueException(Text.of("records.field.files", "max", MAX_FILES));
        }
        var files = JsonNodeFactory.instance.arrayNode();
        var seen = new HashSet<String>();
        for (var each : given) {
            var id = each.isObject() ? each.path("id").asString("") : each.asString("");
            if (!Ids.isId(id)) {
                throw new InvalidValueException(Text.of("records.field.files", "max", MAX_FILES));
            }
            var hex = Ids.hex(Ids.parse(id));
            if (!seen.add(hex)) {
                throw new InvalidValueException(Text.of("records.field.list-twice", "value", hex));
            }
            files.addObject().put("id", hex);
        }
        return files;
    }

    private static JsonNode person(SchemaAttribute attribute, JsonNode typed) throws InvalidValueException {
        ValueFormat.require(attribute, typed);
        return JsonNodeFactory.instance.stringNode(Ids.hex(Ids.parse(typed.stringValue())));
    }

    private static JsonNode reference(JsonNode stored) throws InvalidValueException {
        if (!ROW.matcher(stored.stringValue()).matches()) {
            throw new InvalidValueException(Text.of("records.field.record-id"));
        }
        return JsonNodeFactory.instance.stringNode(stored.stringValue().toLowerCase(Locale.ROOT));
    }

    /** Returns the option itself, so that 1.0 for the option 1 is stored as 1. */
    private static JsonNode option(SchemaAttribute attribute, JsonNode stored) throws InvalidValueException {
        for (var option : attribute.options()) {
            if (same(attribute.type(), option, stored)) {
                return option;
            }
        }
        var options = attribute.options().stream()
                .map(option -> attribute.type().shown(option).toString())
                .limit(20)
                .toList();
        throw new InvalidValueException(Text.of("http.field.one-of", "values", String.join(", ", options)));
    }

    private static void requireRange(SchemaAttribute attribute, JsonNode stored) throws InvalidValueException {
        var min = attribute.min();
        if (min != null && compare(attribute.type(), stored, min) < 0) {
            throw new InvalidValueException(
                    attribute.type() == ValueType.TEXT
                            ? Text.of("records.field.min-length", "min", min.intValue())
                            : Text.of("records.field.min", "min", plain(attribute.type(), min)));
        }
        var max = attribute.max();
        if (max != null && compare(attribute.type(), stored, max) > 0) {
            throw new InvalidValueException(
                    attribute.type() == ValueType.TEXT
                            ? Text.of("records.field.max-length", "max", max.intValue())
                            : Text.of("records.field.max", "max", plain(attribute.type(), max)));
        }
    }

    /** Whether two stored values are equal: 1 and 1.0 are. */
    static boolean same(ValueType type, JsonNode one, JsonNode other) {
        return type == ValueType.NUMERIC ? one.decimalValue().compareTo(other.decimalValue()) == 0 : one.equals(other);
    }

    /** Compares a value with a bound; of a text, its length. */
    private static int compare(ValueType type, JsonNode stored, JsonNode bound) {
        if (type == ValueType.TEXT) {
            var text = stored.stringValue();
            return Integer.compare(text.codePointCount(0, text.length()), bound.intValue());
        }
        return stored.decimalValue().compareTo(bound.decimalValue());
    }

    private static String plain(ValueType type, JsonNode value) {
        var shown = type.shown(value);
        return shown.isNumber() ? shown.decimalValue().toPlainString() : shown.asString("");
    }
}
