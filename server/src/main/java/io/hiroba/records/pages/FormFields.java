package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Builds the inputs of a form from a schema. */
final class FormFields {

    /** The maximum length of a single-line input. */
    private static final int LINE = 200;

    private final Reader reader;

    FormFields(Reader reader) {
        this.reader = reader;
    }

    /** The input of {@code attribute} with the typed value. */
    FormField of(SchemaAttribute attribute, String typed, boolean readOnly) {
        return new FormField(
                attribute.name(),
                attribute.label(),
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
        return of(attribute, FormValues.text(attribute, value, reader), readOnly);
    }

    /** With the default of a new record. */
    FormField fresh(SchemaAttribute attribute, boolean readOnly) {
        var initial = attribute.initial();
        return of(attribute, initial == null ? null : attribute.type().shown(initial), readOnly);
    }

    /** Includes {@code typed}; otherwise the browser would select another option. */
    private List<Filter.Choice> options(SchemaAttribute attribute, String typed) {
        var options = new ArrayList<Filter.Choice>();
        attribute.options().forEach(each -> {
            var value = attribute.isMultiSelect() ? each.stringValue() : written(attribute, each);
            options.add(new Filter.Choice(value, attribute.choice(value).label()));
        });
        if (attribute.isFormatted(ValueFormat.Kind.RATING)) {
            for (int mark = 1; mark <= attribute.marks(); mark++) {
                options.add(new Filter.Choice(
                        String.valueOf(mark), mark + " " + CellFormatter.stars(mark, attribute.marks())));
            }
        }
        if (!options.isEmpty()
                && !attribute.isMultiSelect()
                && !typed.isEmpty()
                && options.stream().noneMatch(each -> each.value().equals(typed))) {
            options.add(new Filter.Choice(typed, typed));
        }
        return options;
    }

    private static FormField.Kind kind(SchemaAttribute attribute, String typed) {
        if (attribute.isMany()) {
            return FormField.Kind.SEVERAL;
        }
        if (attribute.references() != null) {
            return FormField.Kind.REFERENCE;
        }
        if (!attribute.options().isEmpty() && !attribute.isMultiSelect()) {
            return FormField.Kind.CHOICE;
        }
        var format = attribute.format();
        if (format != null && !attribute.isGenerated()) {
            return switch (format.kind()) {
                case LONG_TEXT -> FormField.Kind.LONG_TEXT;
                case EMAIL -> FormField.Kind.EMAIL;
                case PHONE -> FormField.Kind.PHONE;
                case URL -> FormField.Kind.URL;
                case PERSON -> FormField.Kind.REFERENCE;
                case ATTACHMENTS -> FormField.Kind.FILES;
                case CURRENCY, PERCENT -> FormField.Kind.NUMBER;
                case RATING -> FormField.Kind.CHOICE;
                case DURATION -> FormField.Kind.LINE;
                case AUTONUMBER, CREATED_AT, CREATED_BY, UPDATED_AT, UPDATED_BY ->
                    throw new IllegalArgumentException("nobody writes " + attribute.name());
            };
        }
        return switch (attribute.type()) {
            case TEXT -> {
                var max = attribute.max();
                boolean fits = max != null && max.intValue() <= LINE && typed.indexOf('\n') < 0;
                yield fits ? FormField.Kind.LINE : FormField.Kind.TEXT;
            }
            case NUMERIC -> FormField.Kind.NUMBER;
            case DATE -> FormField.Kind.DAY;
            case DATETIME -> FormField.Kind.MOMENT;
            case BOOL -> attribute.required() ? FormField.Kind.CHECK : FormField.Kind.YES_NO;
            case JSONB -> FormField.Kind.JSON;
            case MULTI_SELECT -> FormField.Kind.CHOICES;
        };
    }

    /** Whether values are typed as they are: an editor needs nothing but a field for a text. */
    static boolean isTyped(SchemaAttribute attribute) {
        if (attribute.isGenerated()
                || attribute.references() != null
                || attribute.isPerson()
                || !attribute.options().isEmpty()) {
            return false;
        }
        return switch (attribute.type()) {
            case TEXT -> true;
            case NUMERIC -> !attribute.isFormatted(ValueFormat.Kind.RATING);
            case DATE, DATETIME, BOOL, JSONB, MULTI_SELECT -> false;
        };
    }

    /** The constraints of a value, in words. */
    private @Nullable String hint(SchemaAttribute attribute) {
        var parts = new ArrayList<Text>();
        var bounds = attribute.type() == ValueType.TEXT ? length(attribute) : bounds(attribute);
        var format = attribute.format();
        if (format == null || format.kind() != ValueFormat.Kind.RATING) {
            bounds.ifPresent(parts::add);
        }
        if (format != null) {
            formatHint(format).ifPresent(parts::add);
        }
        if (attribute.pattern() != null) {
            parts.add(Text.of("records.constraint-pattern", "pattern", attribute.pattern()));
        }
        if (attribute.unique()) {
            parts.add(Text.of("records.constraint-no-twins"));
        }
        if (attribute.type() == ValueType.DATETIME) {
            parts.add(Text.of("records.constraint-zone", "zone", reader.zoneName()));
        }
        return joined(parts).map(reader::sentence).orElse(null);
    }

    private static Optional<Text> formatHint(ValueFormat format) {
        return switch (format.kind()) {
            case CURRENCY ->
                Optional.of(Text.of(
                        "records.constraint-currency", "currency", Objects.requireNonNullElse(format.currency(), "")));
            case PERCENT -> Optional.of(Text.of("records.constraint-percent"));
            case DURATION -> Optional.of(Text.of("records.constraint-duration"));
            case LONG_TEXT -> Optional.of(Text.of("records.constraint-long-text"));
            default -> Optional.empty();
        };
    }

    /** Constraints one after the other; a list that ends in "and" would not do for clauses. */
    static Optional<Text> joined(List<Text> constraints) {
        return constraints.stream()
                .reduce((first, second) -> Text.of("records.constraint-and", "first", first, "second", second));
    }

    private static Optional<Text> length(SchemaAttribute attribute) {
        var min = attribute.min();
        var max = attribute.max();
        if (min != null && max != null) {
            return Optional.of(Text.of("records.constraint-length", "min", min.intValue(), "max", max.intValue()));
        }
        if (min != null) {
            return Optional.of(Text.of("records.constraint-length-at-least", "min", min.intValue()));
        }
        return Optional.ofNullable(max)
                .map(most -> Text.of("records.constraint-length-at-most", "max", most.intValue()));
    }

    private Optional<Text> bounds(SchemaAttribute attribute) {
        var min = attribute.min();
        var max = attribute.max();
        if (min != null && max != null) {
            return Optional.of(
                    Text.of("records.constraint-from-to", "min", bound(attribute, min), "max", bound(attribute, max)));
        }
        if (min != null) {
            return Optional.of(Text.of("records.constraint-at-least", "min", bound(attribute, min)));
        }
        return Optional.ofNullable(max)
                .map(most -> Text.of("records.constraint-at-most", "max", bound(attribute, most)));
    }

    private String bound(SchemaAttribute attribute, JsonNode bound) {
        return written(attribute, bound).replace('T', ' ');
    }

    private String written(SchemaAttribute attribute, JsonNode stored) {
        return FormValues.text(attribute, attribute.type().shown(stored), reader);
    }
}
