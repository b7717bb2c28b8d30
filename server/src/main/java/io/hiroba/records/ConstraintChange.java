package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A change of what the values of an attribute must be, held against those that records have. */
final class ConstraintChange {

    /** The characters of a value that are shown in a message. */
    private static final int MAX_SHOWN = 60;

    private final SchemaAttribute before;
    private final SchemaAttribute after;
    private final ValueCheckStore store = new ValueCheckStore();

    private ConstraintChange(SchemaAttribute before, SchemaAttribute after) {
        this.before = before;
        this.after = after;
    }

    /** @param after the attribute with its other changes */
    static ConstraintChange of(SchemaAttribute after, AttributeChange change) {
        boolean required = change.required() == null ? after.required() : change.required();
        boolean unique = change.unique() == null ? after.unique() : change.unique();
        if (unique && !after.type().mayBeUnique()) {
            throw RecordsProblem.invalid("unique", Text.of("records.field.ordered-only"));
        }
        var format = format(after, change);
        if (format != null && format.kind().isGenerated() && (required || change.initial() != null)) {
            throw RecordsProblem.invalid(required ? "required" : "default", Text.of("records.field.format-generated"));
        }
        var initial = change.initial() == null
                ? formatted(after.formatted(format))
                : initial(after.formatted(format), change.initial());
        if (unique && initial != null) {
            throw RecordsProblem.invalid(
                    change.initial() == null ? "unique" : "default", Text.of("records.field.unique-default"));
        }
        return new ConstraintChange(after, after.formatted(format).constrained(required, unique, initial));
    }

    /** The default that it has, which must have the format as well. */
    private static @Nullable JsonNode formatted(SchemaAttribute attribute) {
        try {
            if (attribute.initial() != null) {
                ValueFormat.require(attribute, attribute.initial());
            }
            return attribute.initial();
        } catch (InvalidValueException _) {
            throw RecordsProblem.invalid("format", Text.of("records.field.format-default"));
        }
    }

    private static @Nullable ValueFormat format(SchemaAttribute attribute, AttributeChange change) {
        var before = attribute.format();
        if (change.format() == null && change.currency() == null) {
            return before;
        }
        var label =
                change.format() == null ? before == null ? "" : before.kind().label() : change.format();
        if (label.isEmpty() && (change.currency() == null || change.currency().isEmpty())) {
            if (attribute.isMany() || attribute.isAttachments()) {
                throw RecordsProblem.invalid("format", Text.of("records.change.list-kind"));
            }
            return null;
        }
        try {
            var format = ValueFormat.of(attribute, label, change.currency());
            boolean isNewOnly = format.kind().isGenerated() || format.kind() == ValueFormat.Kind.ATTACHMENTS;
            if (isNewOnly && !attribute.isFormatted(format.kind())) {
                throw new InvalidValueException(Text.of("records.field.format-new-only"));
            }
            return format;
        } catch (InvalidValueException e) {
            throw RecordsProblem.invalid("format", e.reason());
        }
    }

    private static @Nullable JsonNode initial(SchemaAttribute attribute, JsonNode given) {
        if (given.isNull() || (attribute.isList() && given.isArray() && given.isEmpty())) {
            return null;
        }
        if (attribute.isAttachments()) {
            throw RecordsProblem.invalid("default", Text.of("records.field.files-default"));
        }
        if (attribute.references() != null) {
            throw RecordsProblem.invalid("default", Text.of("records.field.reference-default"));
        }
        try {
            return Constraints.stored(attribute, given);
        } catch (InvalidValueException e) {
            throw RecordsProblem.invalid("default", e.reason());
        }
    }

    SchemaAttribute after() {
        return after;
    }

    private boolean becomesUnique() {
        return after.unique() && !before.unique();
    }

    private boolean requiresFormat() {
        var format = after.format();
        return format != null && format.kind().restricts() && !before.isFormatted(format.kind());
    }

    List<Text> changes() {
        var changes = new ArrayList<Text>();
        flag(changes, "required", before.required(), after.required());
        flag(changes, "unique", before.unique(), after.unique());
        if (!Objects.equals(before.initial(), after.initial())) {
            changes.add(Text.of("records.change.default", "attribute", after.name()));
        }
        if (!Objects.equals(before.format(), after.format())) {
            changes.add(SchemaEvolution.change(after, after.format()));
        }
        return changes;
    }

    private void flag(List<Text> changes, String what, boolean was, boolean is) {
        if (was != is) {
            changes.add(Text.of("records.change." + (is ? "now-" : "no-longer-") + what, "attribute", after.name()));
        }
    }

    /**
     * The records that are in the way.
     *
     * @param missing how many have no value
     * @param duplicates how many have a value that another has as well
     * @param misfits how many have a value that does not have the format
     * @param examples some of them
     */
    record Findings(long missing, long duplicates, long misfits, List<ValueCheckStore.Found> examples) {

        static final Findings NONE = new Findings(0, 0, 0, List.of());

        Findings {
            examples = List.copyOf(examples);
        }

        private static String cut(String value) {
            int length = value.codePointCount(0, value.length());
            return length <= MAX_SHOWN ? value : value.substring(0, value.offsetByCodePoints(0, MAX_SHOWN)) + "…";
        }

        List<FieldError> refused() {
            var refused = new ArrayList<FieldError>();
            if (missing > 0) {
                refused.add(new FieldError("required", Text.of("records.change.missing", "count", missing)));
            }
            if (duplicates > 0) {
                refused.add(new FieldError("unique", Text.of("records.change.duplicates", "count", duplicates)));
            }
            if (misfits > 0) {
                refused.add(new FieldError(
                        "format",
                        Text.of(
                                "records.change.misfits",
                                "count",
                                misfits,
                                "value",
                                cut(Objects.requireNonNullElse(
                                        examples.getLast().value(), "")))));
            }
            return refused;
        }
    }

    Findings findings(Reads reads, ProjectTables tables, short schema) {
        long missing = after.required() && !before.required() ? store.countMissing(reads, tables, schema, after) : 0;
        long duplicates = becomesUnique() ? store.countDuplicates(reads, tables, schema, after) : 0;
        var examples = new ArrayList<ValueCheckStore.Found>();
        if (missing > 0) {
            examples.addAll(store.missing(reads, tables, schema, after));
        }
        if (duplicates > 0) {
            examples.addAll(store.duplicates(reads, tables, schema, after));
        }
        long misfits = 0;
        if (requiresFormat()) {
            var unfit = store.misfits(reads, tables, schema, after);
            misfits = unfit.count();
            examples.addAll(unfit.examples());
        }
        return new Findings(missing, duplicates, misfits, examples);
    }

    /** Has the database enforce what it did not before, or no more; the attribute is stored already. */
    void enforce(Tx tx, ProjectTables tables, short schema) {
        if (before.unique() != after.unique()) {
            store.deleteUniqueValues(tx, tables, schema, after);
        }
        if (becomesUnique()) {
            store.fillUniqueValues(tx, tables, schema, after);
        }
    }
}
