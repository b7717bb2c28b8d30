package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.PayloadSchema.PayloadField;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the fields of a form: that of an approval, or the payload of a workflow. */
final class FormFieldReader {

    private static final int MAX_FIELDS = 50;
    private static final int MAX_OPTIONS = 100;
    private static final Pattern ANY = Pattern.compile("(?s).{0,20000}");
    private static final Pattern LABEL = Pattern.compile("(?=.*\\S).{1,200}");
    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    private static final Text LABEL_RULE = Text.of("saga.definition.line", "max", 200);

    private FormFieldReader() {}

    /** The form of an approval; its errors are collected. */
    static List<Step.Field> form(FieldReader of) {
        return fields(of, "form", false).stream().map(PayloadField::field).toList();
    }

    /** The form of an agent's answer; its errors are collected. */
    static void answer(FieldReader of) {
        fields(of, "answer", false);
    }

    /** The payload of a workflow; its errors are collected. */
    static PayloadSchema payload(FieldReader of) {
        return new PayloadSchema(fields(of, "payload", true));
    }

    private static List<PayloadField> fields(FieldReader of, String key, boolean withDefaults) {
        var fields = new ArrayList<PayloadField>();
        if (!of.has(key)) {
            return fields;
        }
        var names = new HashSet<String>();
        var items = of.find(key) instanceof Items list ? list.items() : List.<SourceNode>of();
        if (items.isEmpty() || items.size() > MAX_FIELDS) {
            of.error(key, Text.of("saga.definition.fields", "max", MAX_FIELDS));
        }
        for (int i = 0; i < items.size(); i++) {
            var path = "%s[%d]".formatted(key, i);
            if (!(items.get(i) instanceof Fields object)) {
                of.error(items.get(i).position(), path, Text.of("saga.definition.object"));
                continue;
            }
            var inner = of.within(object, path);
            var read = field(inner);
            var initial = withDefaults ? initial(inner, read) : null;
            inner.rejectUnknown();
            if (!read.name().isEmpty() && !names.add(read.name())) {
                inner.error("name", Text.of("saga.definition.duplicate-field"));
            }
            fields.add(new PayloadField(read, initial));
        }
        return fields;
    }

    private static Step.Field field(FieldReader keys) {
        var name = keys.requiredText("name", FIELD_NAME, Text.of("saga.definition.field-name"));
        var label = keys.text("label", LABEL, LABEL_RULE);
        var type = type(keys);
        var required = keys.flag("required");
        return new Step.Field(
                name, label == null ? name : label, type, required != null && required, options(keys, type));
    }

    private static @Nullable JsonNode initial(FieldReader keys, Step.Field field) {
        var node = keys.find("default");
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !FieldValues.fits(field, scalar.json())) {
            keys.error("default", FieldValues.rule(field));
            return null;
        }
        return scalar.json();
    }

    private static Step.FieldType type(FieldReader keys) {
        var text = keys.text("type", ANY, Text.of("saga.definition.field-type"));
        if (text == null) {
            return Step.FieldType.TEXT;
        }
        for (var type : Step.FieldType.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(text)) {
                return type;
            }
        }
        keys.error("type", Text.of("saga.definition.field-type"));
        return Step.FieldType.TEXT;
    }

    private static List<String> options(FieldReader keys, Step.FieldType type) {
        if (type != Step.FieldType.CHOICE) {
            if (keys.has("options")) {
                keys.error("options", Text.of("saga.definition.options-of-choice"));
            }
            return List.of();
        }
        var options = keys.find("options") instanceof Items items
                ? items.items().stream()
                        .map(item ->
                                item instanceof Scalar scalar && scalar.json().isString()
                                        ? scalar.json().stringValue()
                                        : "")
                        .toList()
                : List.<String>of();
        if (options.isEmpty()
                || options.size() > MAX_OPTIONS
                || options.stream().anyMatch(option -> !LABEL.matcher(option).matches())
                || Set.copyOf(options).size() < options.size()) {
            keys.error("options", Text.of("saga.definition.options", "max", MAX_OPTIONS));
        }
        return options;
    }
}
