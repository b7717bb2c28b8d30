package io.hiroba.records.pages;

import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes the inputs of a form from a schema. */
final class Fields {

    /** Up to so many characters fit a line. */
    private static final int LINE = 200;

    private final LocalMoments moments;

    Fields(LocalMoments moments) {
        this.moments = moments;
    }

    /** The input of {@code attribute} with {@code typed} in it. */
    Field of(Attribute attribute, String typed, boolean readOnly) {
        return new Field(
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

    /** With the value that a record has. */
    Field of(Attribute attribute, @Nullable JsonNode value, boolean readOnly) {
        return of(attribute, Typed.text(attribute, value, moments), readOnly);
    }

    /** With what a new record gets. */
    Field fresh(Attribute attribute, boolean readOnly) {
        var initial = attribute.initial();
        return of(attribute, initial == null ? null : attribute.type().shown(initial), readOnly);
    }

    /** With {@code typed} among them, or the browser would choose another for it. */
    private List<String> options(Attribute attribute, String typed) {
        var options = new ArrayList<String>();
        attribute.options().forEach(each -> options.add(written(attribute, each)));
        if (!options.isEmpty() && !typed.isEmpty() && !options.contains(typed)) {
            options.add(typed);
        }
        return options;
    }

    private static Field.Kind kind(Attribute attribute, String typed) {
        if (attribute.references() != null) {
            return Field.Kind.REFERENCE;
        }
        if (!attribute.options().isEmpty()) {
            return Field.Kind.CHOICE;
        }
        return switch (attribute.type()) {
            case TEXT -> {
                var max = attribute.max();
                boolean fits = max != null && max.intValue() <= LINE && typed.indexOf('\n') < 0;
                yield fits ? Field.Kind.LINE : Field.Kind.TEXT;
            }
            case NUMERIC -> Field.Kind.NUMBER;
            case DATE -> Field.Kind.MOMENT;
            case BOOL -> attribute.required() ? Field.Kind.CHECK : Field.Kind.YES_NO;
            case JSONB -> Field.Kind.JSON;
        };
    }

    /** What is asked of a value, in words. */
    private @Nullable String hint(Attribute attribute) {
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
            parts.add("in the time of " + moments.zoneName());
        }
        if (parts.isEmpty()) {
            return null;
        }
        var hint = String.join(", ", parts);
        return Character.toUpperCase(hint.charAt(0)) + hint.substring(1) + ".";
    }

    private String bound(Attribute attribute, JsonNode bound) {
        return attribute.type() == ValueType.TEXT
                ? bound.asString()
                : written(attribute, bound).replace('T', ' ');
    }

    private String written(Attribute attribute, JsonNode stored) {
        return Typed.text(attribute, attribute.type().shown(stored), moments);
    }
}
