package io.hiroba.saga.workflow;

import io.hiroba.platform.config.Durations;
import io.hiroba.platform.config.Nearest;
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
 * The keys of one object of a workflow. Each is asked for by its name, and what is wrong with it is remembered; what
 * nobody asked for is a mistake too.
 */
final class FieldReader {

    private final Fields fields;
    private final String path;
    private final ValidationErrors mistakes;
    private final Set<String> known = new LinkedHashSet<>();

    FieldReader(Fields fields, String path, ValidationErrors mistakes) {
        this.fields = fields;
        this.path = path;
        this.mistakes = mistakes;
    }

    /** How long something may be. */
    record Range(Duration least, Duration most) {

        boolean holds(Duration duration) {
            return duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0;
        }

        String text() {
            return "must be between %s and %s".formatted(Durations.text(least), Durations.text(most));
        }
    }

    boolean has(String key) {
        return find(key) != null;
    }

    /** Whether the key is there, even if it says nothing. */
    boolean names(String key) {
        return fields.fields().containsKey(key);
    }

    private SourcePosition place(String key) {
        var field = fields.fields().get(key);
        return field == null ? fields.place() : field.place();
    }

    void mistake(String key, String reason) {
        mistake(place(key), key, reason);
    }

    void mistake(SourcePosition place, String key, String reason) {
        mistakes.add(place, path(key), reason);
    }

    private String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** The value; null where the key is missing or says nothing. */
    @Nullable
    SourceNode find(String key) {
        known.add(key);
        var field = fields.fields().get(key);
        return field == null || isNull(field) ? null : field.value();
    }

    private static boolean isNull(Field field) {
        return field.value() instanceof Scalar scalar && scalar.json().isNull();
    }

    /** A text of this form; null where there is none. */
    @Nullable
    String text(String key, Pattern form, String rule) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !scalar.json().isString()) {
            mistake(key, "must be a text" + (node instanceof Scalar ? ": put it in quotes" : ""));
            return null;
        }
        var text = scalar.json().stringValue();
        if (!form.matcher(text).matches()) {
            mistake(key, rule);
            return null;
        }
        return text;
    }

    /** As above, but it must be there; an empty text stands for one that is missing or wrong. */
    String requiredText(String key, Pattern form, String rule) {
        if (!has(key)) {
            mistake(key, "is missing");
            return "";
        }
        var text = text(key, form, rule);
        return text == null ? "" : text;
    }

    @Nullable
    Boolean truth(String key) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !scalar.json().isBoolean()) {
            mistake(key, "must be true or false");
            return null;
        }
        return scalar.json().booleanValue();
    }

    /** A whole number in either spelling. */
    @Nullable
    Integer whole(String key, String seed, int least, int most) {
        var chosen = either(key, seed);
        var number = whole(chosen, find(chosen), least, most);
        return number == null ? null : number.intValue();
    }

    private @Nullable Long whole(String key, @Nullable SourceNode node, long least, long most) {
        if (node == null) {
            return null;
        }
        if (!(node instanceof Scalar scalar) || !scalar.json().canConvertToExactIntegral()) {
            mistake(key, "must be a whole number");
            return null;
        }
        if (!scalar.json().canConvertToLong()
                || scalar.json().longValue() < least
                || scalar.json().longValue() > most) {
            mistake(key, "must be between %d and %d".formatted(least, most));
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
            mistake(key, "must be a number between 0 and 1");
            return null;
        }
        return scalar.json().doubleValue();
    }

    /**
     * A duration, written {@code 30s} under {@code key}, or as a number of {@code unit} under {@code seed}; null where
     * there is none.
     */
    @Nullable
    Duration duration(String key, String seed, Duration unit, Range range) {
        var chosen = either(key, seed);
        var node = find(chosen);
        if (node == null) {
            return null;
        }
        if (chosen.equals(seed)) {
            var number = whole(
                    seed,
                    node,
                    Math.ceilDiv(range.least().toMillis(), unit.toMillis()),
                    range.most().dividedBy(unit));
            return number == null ? null : unit.multipliedBy(number);
        }
        Duration duration;
        try {
            duration = Durations.parse(
                    node instanceof Scalar scalar ? scalar.json().asString("") : "");
        } catch (IllegalArgumentException e) {
            mistake(key, "must be a duration such as 250ms, 30s, 15m, 12h or 90d");
            return null;
        }
        if (!range.holds(duration)) {
            mistake(key, range.text());
            return null;
        }
        return duration;
    }

    /** The spelling that is used; both at once are a mistake. */
    private String either(String key, String seed) {
        known.add(key);
        known.add(seed);
        boolean both = fields.fields().containsKey(key) && fields.fields().containsKey(seed);
        if (both && !key.equals(seed)) {
            mistake(seed, "means the same as `%s`: give one of them".formatted(key));
        }
        return fields.fields().containsKey(key) ? key : seed;
    }

    @Nullable
    FieldReader object(String key) {
        var node = find(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof Fields object)) {
            mistake(key, "must be an object with keys");
            return null;
        }
        return new FieldReader(object, path(key), mistakes);
    }

    /** The items of a list; none where it is missing or no list. */
    List<SourceNode> items(String key, int most) {
        var node = find(key);
        if (!(node instanceof Items list)
                || list.items().isEmpty()
                || list.items().size() > most) {
            mistake(key, "must be a list of 1 to %d steps".formatted(most));
            return List.of();
        }
        return list.items();
    }

    /** To be called last: every other key is a mistake. */
    void refuseOthers() {
        for (var key : fields.fields().keySet()) {
            if (!known.contains(key)) {
                var hint = Nearest.to(key, known)
                        .map(": did you mean `%s`?"::formatted)
                        .orElse("");
                mistake(key, "is no key of this" + hint);
            }
        }
    }
}
