package io.hiroba.saga.workflow;

import io.hiroba.platform.config.Durations;
import io.hiroba.platform.config.Nearest;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.SourceNode.Field;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one object of a workflow by name and collects their errors; fields that were never read are errors
 * too.
 */
final class FieldReader {

    private final Fields fields;
    private final String path;
    private final ValidationErrors errors;
    private final Set<String> known = new LinkedHashSet<>();

    FieldReader(Fields fields, String path, ValidationErrors errors) {
        this.fields = fields;
        this.path = path;
        this.errors = errors;
    }

    /** A range of durations. */
    record Range(Duration min, Duration max) {

        boolean holds(Duration duration) {
            return duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0;
        }

        Text rule() {
            return between(Durations.text(min), Durations.text(max));
        }
    }

    /** The keys, in their order. */
    Set<String> names() {
        return fields.fields().keySet();
    }

    boolean has(String key) {
        return find(key) != null;
    }

    /** Whether the key is present, even without a value. */
    boolean isPresent(String key) {
        return fields.fields().containsKey(key);
    }

    private SourcePosition position(String key) {
        var field = fields.fields().get(key);
        return field == null ? fields.position() : field.position();
    }

    void error(String key, Text reason) {
        error(position(key), key, reason);
    }

    void error(SourcePosition position, String key, Text reason) {
        errors.add(position, path(key), reason);
    }

    private String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** The value; null where the key is missing or empty. */
    @Nullable
    SourceNode find(String key) {
        known.add(key);
        var field = fields.fields().get(key);
        return field == null || isNull(field) ? null : field.value();
    }

    private static boolean isNull(Field field) {
        return field.value() instanceof Scalar scalar && scalar.json().isNull();
    }

    /** A text that matches the pattern; null where there is none. */
    @Nullable
    String text(String key, Pattern form, Text rule) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !scalar.json().isString()) {
            error(
                    key,
                    node instanceof Scalar
                            ? Text.of("saga.definition.string-in-quotes")
                            : Text.of("saga.definition.string"));
            return null;
        }
        var text = scalar.json().stringValue();
        if (!form.matcher(text).matches()) {
            error(key, rule);
            return null;
        }
        return text;
    }

    /** As above, but required; empty where it is missing or invalid. */
    String requiredText(String key, Pattern form, Text rule) {
        if (!has(key)) {
            error(key, Text.of("saga.definition.missing"));
            return "";
        }
        var text = text(key, form, rule);
        return text == null ? "" : text;
    }

    @Nullable
    Boolean flag(String key) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !scalar.json().isBoolean()) {
            error(key, Text.of("http.field.boolean"));
            return null;
        }
        return scalar.json().booleanValue();
    }

    /** A whole number in either spelling. */
    @Nullable
    Integer integer(String key, String snakeKey, int min, int max) {
        var chosen = either(key, snakeKey);
        var number = integer(chosen, find(chosen), min, max);
        return number == null ? null : number.intValue();
    }

    private @Nullable Long integer(String key, @Nullable SourceNode node, long min, long max) {
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !scalar.json().canConvertToExactIntegral()) {
            error(key, Text.of("saga.definition.whole-number"));
            return null;
        }
        if (!scalar.json().canConvertToLong()
                || scalar.json().longValue() < min
                || scalar.json().longValue() > max) {
            error(key, between(Long.toString(min), Long.toString(max)));
            return null;
        }
        return scalar.json().longValue();
    }

    @Nullable
    Double fraction(String key) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar)
                || !scalar.json().isNumber()
                || scalar.json().decimalValue().signum() < 0
                || scalar.json().decimalValue().compareTo(BigDecimal.ONE) > 0) {
            error(key, Text.of("saga.definition.fraction"));
            return null;
        }
        return scalar.json().doubleValue();
    }

    /**
     * A duration, written {@code 30s} under {@code key}, or as a number of {@code unit} under {@code snakeKey}; null where
     * there is none.
     */
    @Nullable
    Duration duration(String key, String snakeKey, Duration unit, Range range) {
        var chosen = either(key, snakeKey);
        var node = find(chosen);
        if (node == null) {
            return null;
        }
        if (chosen.equals(snakeKey)) {
            var number = integer(
                    snakeKey,
                    node,
                    Math.ceilDiv(range.min().toMillis(), unit.toMillis()),
                    range.max().dividedBy(unit));
            return number == null ? null : unit.multipliedBy(number);
        }
        Duration duration;
        try {
            duration = Durations.parse(
                    node instanceof Scalar scalar ? scalar.json().asString("") : "");
        } catch (IllegalArgumentException e) {
            error(key, Text.of("saga.definition.duration"));
            return null;
        }
        if (!range.holds(duration)) {
            error(key, range.rule());
            return null;
        }
        return duration;
    }

    /** The spelling that is used; both at once are an error. */
    private String either(String key, String snakeKey) {
        known.add(key);
        known.add(snakeKey);
        boolean both = fields.fields().containsKey(key) && fields.fields().containsKey(snakeKey);
        if (both && !key.equals(snakeKey)) {
            error(snakeKey, Text.of("saga.definition.same-setting", "key", key));
        }
        return fields.fields().containsKey(key) ? key : snakeKey;
    }

    @Nullable
    FieldReader object(String key) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Fields object)) {
            error(key, Text.of("saga.definition.object"));
            return null;
        }
        return new FieldReader(object, path(key), errors);
    }

    /** The fields of an object in a list of this one. */
    FieldReader within(Fields object, String key) {
        return new FieldReader(object, path(key), errors);
    }

    /** The items of a list; none where it is missing or not a list. */
    List<SourceNode> items(String key, int max) {
        var node = find(key);
        if (!(node instanceof Items list)
                || list.items().isEmpty()
                || list.items().size() > max) {
            error(key, Text.of("saga.definition.steps", "max", max));
            return List.of();
        }
        return list.items();
    }

    /** Reports every key that was not read; call it last. */
    void rejectUnknown() {
        for (var key : fields.fields().keySet()) {
            if (!known.contains(key)) {
                error(
                        key,
                        Nearest.to(key, known)
                                .map(nearest -> Text.of("saga.definition.unknown-key-nearest", "nearest", nearest))
                                .orElseGet(() -> Text.of("saga.definition.unknown-key")));
            }
        }
    }

    /** The limits as they are typed in a definition. */
    private static Text between(String min, String max) {
        return Text.of("saga.definition.between", "min", min, "max", max);
    }
}
