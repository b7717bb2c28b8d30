package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Builds the inputs of a form from a schema. */
final class FormFields {

    /** The maximum length of a single-line input. */
    private static final int LINE = 200;

    private final Reader clock;

    FormFields(Reader clock) {
        this.clock = clock;
    }

    /** The input of {@code attribute} with the typed value. */
    FormField of(SchemaAttribute attribute, String typed, boolean readOnly) {
        return new FormField(
                attribute.name(),
                kind(attribute, typed),
                typed,
                attribute.required(),
                readOnly,
                options(attribute, typed),
                hint(attribute),
                null,
                null,
                null);
    }

    /** With the value of a record. */
    FormField of(SchemaAttribute attribute, @Nullable JsonNode value, boolean readOnly) {
        return of(attribute, FormValues.text(attribute, value, clock), readOnly);
    }

    /** With the default of a new record. */
    FormField fresh(SchemaAttribute attribute, boolean readOnly) {
        var initial = attribute.initial();
        return of(attribute, initial == null ? null : attribute.type().shown(initial), readOnly);
    }

    /** Includes {@code typed}; otherwise the browser would select another option. */
    private List<String> options(SchemaAttribute attribute, String typed) {
        var options = new ArrayList<String>();
        attribute.options().forEach(each -> options.add(written(attribute, each)));
        if (!options.isEmpty() && !typed.isEmpty() && !options.contains(typed)) {
            options.add(typed);
        }
        return options;
    }

    private static FormField.Kind kind(SchemaAttribute attribute, String typed) {
        if (attribute.references() != null) {
            return FormField.Kind.REFERENCE;
        }
        if (!attribute.options().isEmpty()) {
            return FormField.Kind.CHOICE;
        }
        return switch (attribute.type()) {
            case TEXT -> {
                var max = attribute.max();
                boolean fits = max != null && max.intValue() <= LINE && typed.indexOf('\n') < 0;
                yield fits ? FormField.Kind.LINE : FormField.Kind.TEXT;
            }
            case NUMERIC -> FormField.Kind.NUMBER;
            case DATE -> FormField.Kind.MOMENT;
            case BOOL -> attribute.required() ? FormField.Kind.CHECK : FormField.Kind.YES_NO;
            case JSONB -> FormField.Kind.JSON;
        };
    }

    /** The constraints of a value, in words. */
    private @Nullable String hint(SchemaAttribute attribute) {
        var parts = new ArrayList<String>();
        var min = attribute.min();
        var max = attribute.max();
        var unit = attribute.type() == ValueType.TEXT ? " characters" : "";
        if (min != null && max != null) {
            parts.add("from %s to %s%s".formatted(bound(attribute, min), bound(attribute, max), unit));
        } else if (min != null) {
            parts.add("at least " + bound(attribute, min) + unit);
        } else if (max != null) {
            parts.add("at most " + bound(attribute, max) + unit);
        }
        if (attribute.pattern() != null) {
            parts.add("like " + attribute.pattern());
        }
        if (attribute.unique()) {
            parts.add("no two records have the same");
        }
        if (attribute.type() == ValueType.DATE) {
            parts.add("in the time of " + clock.zoneName());
        }
        if (parts.isEmpty()) {
            return null;
        }
        var hint = String.join(", ", parts);
        return Character.toUpperCase(hint.charAt(0)) + hint.substring(1) + ".";
    }

    private String bound(SchemaAttribute attribute, JsonNode bound) {
        return attribute.type() == ValueType.TEXT
                ? bound.asString()
                : written(attribute, bound).replace('T', ' ');
    }

    private String written(SchemaAttribute attribute, JsonNode stored) {
        return FormValues.text(attribute, attribute.type().shown(stored), clock);
    }
}
