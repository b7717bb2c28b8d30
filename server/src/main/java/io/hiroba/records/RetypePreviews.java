package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Retypes.Change;
import io.hiroba.records.Retypes.Failure;
import io.hiroba.records.Retypes.Preview;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Tells what changes of types would do, by converting the values of all records without writing them. */
final class RetypePreviews {

    private final Db db;
    private final SchemaChanges changes;
    private final Computations computations;
    private final SchemaStore schemas = new SchemaStore();
    private final RetypeStore store = new RetypeStore();
    private final RetypeTextStore texts = new RetypeTextStore();

    RetypePreviews(Db db, SchemaChanges changes, Computations computations) {
        this.db = db;
        this.changes = changes;
        this.computations = computations;
    }

    /** The findings in the values. */
    private static final class Findings {

        private final SchemaAttribute after;
        private final List<Failure> failures = new ArrayList<>();
        private final Set<Long> keys = new HashSet<>();
        private final Set<String> options = new HashSet<>();
        private long converted;
        private long failed;
        private long duplicates;
        private long misfits;
        private boolean asksOrder;

        /** @param after the attribute as it would be, with all that is changed */
        Findings(SchemaAttribute after) {
            this.after = after;
        }

        void add(ValueConversion converting, RetypeStore.Row row) {
            asksOrder = asksOrder || converting.hasOrder(row.value());
            JsonNode value;
            try {
                value = converting.convert(row.value());
                converted++;
            } catch (InvalidValueException e) {
                failed++;
                AttributeConversion.note(failures, row, converting.from(), e.reason());
                return;
            }
            if (after.isMultiSelect() && options.size() <= SelectOption.MAX_OPTIONS) {
                value.forEach(each -> options.add(each.stringValue()));
            }
            if (after.unique() && !keys.add(AttributeConversion.key(after.type(), value))) {
                duplicates++;
            }
            try {
                ValueFormat.require(after, value);
            } catch (InvalidValueException e) {
                misfits++;
                AttributeConversion.note(failures, row, converting.from(), e.reason());
            }
        }
    }

    /** Refuses a computed attribute, which has the type of what it comes from, and one that others come from. */
    void requireRetypable(Reads reads, ProjectTables tables, Schema schema, SchemaAttribute attribute) {
        if (schema.isComputed(attribute)) {
            throw RecordsProblem.invalid("type", Text.of("records.computed.keeps-type"));
        }
        computations.requireUnneeded(reads, tables, schema, attribute);
    }

    Preview of(ProjectAccess access, String schemaName, String attribute, Change change) {
        access.requireOwner();
        var tables = access.tables();
        var stored = db.read(reads -> schemas.find(reads, tables, schemaName))
                .orElseThrow(() -> RecordsProblem.noSchema(schemaName));
        var there = stored.attribute(attribute).orElseThrow(() -> RecordsProblem.noAttribute(attribute));
        if (there.type() == change.type()) {
            return new Preview(0, 0, 0, List.of(), List.of(), List.of(), false);
        }
        var more = change.more();
        var from = more == null ? there : more.relaxed(there);
        var schema = stored.with(from);
        var written = db.read(reads -> texts.written(reads, tables, schema, from, change));
        var converting = new ValueConversion(from, change.type(), written);
        var to = converting.converted(from.id());
        db.read(reads -> {
            requireRetypable(reads, tables, schema, from);
            return true;
        });
        var words = new ArrayList<>(AttributeConversion.changes(converting));
        var after = to;
        if (more != null) {
            words.addAll(changes.preview(access, schemaName, attribute, more.ofNames())
                    .changes());
            var constraints = ConstraintChange.of(to, more);
            words.addAll(constraints.changes());
            after = constraints.after();
        }
        var findings = new Findings(after);
        var position = RetypeStore.FIRST;
        for (boolean last = false; !last; ) {
            var begin = position;
            var rows = db.read(reads ->
                    store.values(reads, tables, schema.id(), from.place(), begin, AttributeConversion.BATCH_SIZE));
            rows.forEach(row -> findings.add(converting, row));
            last = rows.size() < AttributeConversion.BATCH_SIZE;
            position = last ? position : rows.getLast().id();
        }
        var refused = new ArrayList<>(AttributeConversion.refused(schema, from, change.type()));
        refused.addAll(AttributeConversion.refused(to, change.clears(), findings.failed, findings.duplicates));
        if (after.required() && !to.required()) {
            long missing = db.read(reads -> store.count(reads, tables, schema.id())) - findings.converted;
            if (missing > 0) {
                refused.add(new FieldError("required", Text.of("records.change.missing", "count", missing)));
            }
        }
        if (findings.misfits > 0) {
            refused.add(new FieldError(
                    "format",
                    Text.of(
                            "records.change.misfits",
                            "count",
                            findings.misfits,
                            "value",
                            findings.failures.isEmpty()
                                    ? ""
                                    : findings.failures.getLast().value())));
        }
        if (findings.options.size() > SelectOption.MAX_OPTIONS) {
            refused.add(AttributeConversion.tooManyOptions());
        }
        return new Preview(
                findings.converted,
                findings.failed,
                findings.duplicates,
                findings.failures,
                words,
                refused,
                findings.asksOrder);
    }
}
