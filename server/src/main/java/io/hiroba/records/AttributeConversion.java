package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Retypes.Failure;
import io.hiroba.records.Retypes.Job;
import io.hiroba.records.Retypes.Progress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts the values of an attribute to those of another, and exchanges the two. */
final class AttributeConversion {

    static final int BATCH_SIZE = 1_000;

    private static final int DELETED_AT_ONCE = 10_000;
    private static final int MAX_FAILURES = 20;
    private static final int VALUE_SHOWN = 200;

    private final Rest rest;
    private final SchemaStore schemas = new SchemaStore();
    private final SchemaChangeStore names = new SchemaChangeStore();
    private final RemovedAttributeStore removed = new RemovedAttributeStore();
    private final ValueCheckStore values = new ValueCheckStore();
    private final RetypeStore store = new RetypeStore();
    private final RetypeTextStore texts = new RetypeTextStore();

    /** @param rest changes what else is to be changed */
    AttributeConversion(Rest rest) {
        this.rest = rest;
    }

    /** Changes the rest of an attribute that has got its values. */
    @FunctionalInterface
    interface Rest {

        void change(Tx tx, ProjectTables tables, short schema, short attribute, AttributeChange more);
    }

    /** The attribute as it is until the names are exchanged: nobody can name it, and nothing is asked of its values. */
    static SchemaAttribute pending(SchemaAttribute attribute) {
        return attribute
                .named(AccessRules.ofRemoved(attribute.id()))
                .titled(null)
                .constrained(false, false, null);
    }

    /** Why an attribute cannot be of {@code type}, whatever its values are. */
    static List<FieldError> refused(Schema schema, SchemaAttribute attribute, ValueType type) {
        var refused = new ArrayList<FieldError>();
        if (attribute.isGenerated()) {
            refused.add(new FieldError("type", Text.of("records.change.type-generated")));
        }
        if (attribute.isAttachments()) {
            refused.add(new FieldError("type", Text.of("records.change.list-kind")));
        }
        if (type == ValueType.MULTI_SELECT
                && (attribute.type() != ValueType.TEXT || attribute.references() != null || attribute.isPerson())) {
            refused.add(new FieldError("type", Text.of("records.change.lists-of-options")));
        }
        if (attribute.unique() && !type.mayBeUnique()) {
            refused.add(new FieldError("type", Text.of("records.change.unique-type", "type", type.title())));
        }
        if (schema.rules().compare(attribute.name())) {
            refused.add(new FieldError("type", Text.of("records.change.type-in-rules")));
        }
        return refused;
    }

    /** Why values cannot be converted to those of {@code to}. */
    static List<FieldError> refused(SchemaAttribute to, boolean clears, long failed, long duplicates) {
        var refused = new ArrayList<FieldError>();
        if (failed > 0 && !clears) {
            refused.add(new FieldError(
                    "type",
                    Text.of(
                            "records.change.cannot-convert",
                            "count",
                            failed,
                            "type",
                            to.type().title())));
        } else if (failed > 0 && to.required()) {
            refused.add(new FieldError("required", Text.of("records.change.missing", "count", failed)));
        }
        if (duplicates > 0) {
            refused.add(new FieldError("unique", Text.of("records.change.duplicates", "count", duplicates)));
        }
        return refused;
    }

    /** The change in words. */
    static List<Text> changes(ValueConversion converting) {
        var from = converting.from();
        var changes = new ArrayList<Text>();
        changes.add(Text.of(
                "records.change.retypes",
                "attribute",
                from.name(),
                "before",
                from.type().title(),
                "after",
                converting.to().title()));
        if (!converting.keepsConstraints()) {
            changes.add(Text.of("records.change.retype-drops", "attribute", from.name()));
        }
        return changes;
    }

    static void note(List<Failure> failures, RetypeStore.Row row, SchemaAttribute from, Text reason) {
        if (failures.size() < MAX_FAILURES) {
            var shown = from.type().shown(row.value());
            var text = shown.isString() ? shown.stringValue() : shown.toString();
            int end = Math.min(text.length(), VALUE_SHOWN);
            failures.add(new Failure(
                    new RowId(row.id()).toString(),
                    text.substring(0, end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end),
                    reason));
        }
    }

    /** A number that two equal values have in common, and two others almost never. */
    static long key(ValueType type, JsonNode value) {
        var text = type == ValueType.TEXT
                ? value.stringValue()
                : value.decimalValue().stripTrailingZeros().toPlainString();
        long key = 0xcbf29ce484222325L;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            key = (key ^ (each & 0xff)) * 0x100000001b3L;
        }
        return key;
    }

    /** The outcome of converting some records. */
    record Step(Progress progress, List<Failure> failures, boolean isLast) {}

    /** Converts all records; nobody else writes to them. */
    void convertAll(Tx tx, ProjectTables tables, Job job) {
        var step = new Step(job.progress(), job.failures(), false);
        while (!step.isLast()) {
            step = convert(tx, tables, job, step);
        }
        store.advance(tx, job.id(), step.progress(), step.failures());
    }

    /** Converts the records after {@code before}, which are locked until {@code tx} ends; the schema is locked as well. */
    Step convert(Tx tx, ProjectTables tables, Job job, Step before) {
        var schema = schemas.find(tx, tables, job.schema()).orElseThrow();
        var conversion = of(schema, job);
        var from = conversion.from();
        var position = before.progress().position();
        var rows = store.lock(
                tx, tables, schema.id(), conversion, position == null ? RetypeStore.FIRST : position, BATCH_SIZE);
        var failures = new ArrayList<>(before.failures());
        var changed = new LinkedHashMap<UUID, JsonNode>();
        long failed = before.progress().failed();
        for (var row : rows) {
            JsonNode value = JsonNodeFactory.instance.nullNode();
            if (!row.value().isNull()) {
                try {
                    value = conversion.convert(row.value());
                } catch (InvalidValueException e) {
                    failed++;
                    note(failures, row, from, e.reason());
                }
            }
            if (!Documents.same(value, row.converted())) {
                changed.put(row.id(), value);
            }
        }
        if (!changed.isEmpty()) {
            store.write(tx, tables, schema.id(), conversion.to().place(), changed);
        }
        boolean last = rows.size() < BATCH_SIZE;
        return new Step(
                new Progress(
                        before.progress().total(),
                        before.progress().seen() + rows.size(),
                        rows.isEmpty() ? position : rows.getLast().id(),
                        failed),
                failures,
                last);
    }

    private static Schema.Conversion of(Schema schema, Job job) {
        return schema.conversions().stream()
                .filter(each -> each.to().id() == job.to())
                .findFirst()
                .orElseThrow(RecordsProblem::noRetype);
    }

    /**
     * Gives the name to the attribute with the converted values, if all constraints hold. All records were converted, and the schema is
     * locked against writers.
     */
    void finish(Tx tx, ProjectTables tables, Job job, Instant now) {
        var schema = schemas.find(tx, tables, job.schema()).orElseThrow();
        var from =
                schema.attribute(job.from()).orElseThrow(() -> RecordsProblem.noAttribute(String.valueOf(job.from())));
        var converting = new ValueConversion(from, job.toType(), of(schema, job).written());
        var to = withOptions(tx, tables, schema, converting.converted(job.to()));
        var refused = new ArrayList<>(refused(schema, from, job.toType()));
        long failed = store.countFailed(tx, tables, schema.id(), from.place(), to.place());
        long duplicates = to.unique() && refused.isEmpty() ? values.countDuplicates(tx, tables, schema.id(), to) : 0;
        refused.addAll(refused(to, job.clears(), failed, duplicates));
        if (to.options().size() > SelectOption.MAX_OPTIONS) {
            refused.add(tooManyOptions());
        }
        if (!refused.isEmpty()) {
            throw RecordsProblem.cannotEvolve(refused);
        }
        exchange(tx, tables, schema, converting, to, now);
        if (to.unique()) {
            values.deleteUniqueValues(tx, tables, schema.id(), to);
            values.fillUniqueValues(tx, tables, schema.id(), to);
        }
        names.keptForLater(tx, job.id()).ifPresent(more -> rest.change(tx, tables, schema.id(), to.id(), more));
        store.setFailed(tx, job.id(), failed);
        store.end(tx, job, Retypes.State.DONE, null, now);
    }

    /** With the values of all records as its options, if it is a list that has none. */
    private SchemaAttribute withOptions(Tx tx, ProjectTables tables, Schema schema, SchemaAttribute to) {
        return to.isMultiSelect() && to.options().isEmpty()
                ? to.choosing(
                        texts.elements(tx, tables, schema.id(), to.place(), SelectOption.MAX_OPTIONS + 1).stream()
                                .map(each -> new SelectOption(each, null, null))
                                .toList(),
                        null)
                : to;
    }

    static FieldError tooManyOptions() {
        return new FieldError("type", Text.of("records.change.too-many-options", "max", SelectOption.MAX_OPTIONS));
    }

    /** Gives the name back to the attribute of before. */
    void undo(Tx tx, ProjectTables tables, Schema schema, SchemaAttribute from, SchemaAttribute before, Instant now) {
        boolean required = from.required() && values.countMissing(tx, tables, schema.id(), before) == 0;
        removed.restore(tx, tables, schema.id(), before);
        exchange(
                tx,
                tables,
                schema,
                new ValueConversion(from, before.type(), ValueConversion.Written.PLAIN),
                before.named(from.name()).titled(from.title()).constrained(required, before.unique(), before.initial()),
                now);
        store.setUndone(tx, tables.project(), schema.id(), from.id());
    }

    /** Removes the attribute that was converted and puts {@code to} in its place. */
    private void exchange(
            Tx tx, ProjectTables tables, Schema schema, ValueConversion converting, SchemaAttribute to, Instant now) {
        var from = converting.from();
        store.movePosition(tx, tables, schema.id(), from.id(), to.id());
        removed.remove(tx, tables, schema.id(), new Schema.Removed(from, now, now.plus(RemovedAttributes.KEPT_FOR)));
        schemas.putAttributes(tx, tables, schema.id(), List.of(to));
        schemas.putRules(
                tx,
                tables,
                schema.id(),
                schema.rules()
                        .without(AccessRules.ofRemoved(to.id())::equals)
                        .alsoFor(from.name(), AccessRules.ofRemoved(from.id())));
        store.moveNames(tx, tables, schema.id(), from.id(), to.id());
        // Programs that go by the id find it, as by a former name.
        names.dropAttributeName(tx, tables, schema.id(), String.valueOf(to.id()));
        names.keepName(
                tx,
                tables,
                schema.id(),
                new Schema.Former(String.valueOf(from.id()), to.id(), now, now.plus(SchemaChanges.FORMER_FOR)));
        store.moveIndexes(tx, tables, schema.id(), from.id(), to, now);
        convertQueries(tx, tables, schema, converting, to);
        schemas.incrementVersion(tx, tables, schema.id());
    }

    /** Has saved queries and views compare with values of the new type and go by the new id, also behind references. */
    private void convertQueries(
            Tx tx, ProjectTables tables, Schema schema, ValueConversion converting, SchemaAttribute to) {
        var from = converting.from();
        var all = schemas.all(tx, tables).stream().collect(Collectors.toMap(Schema::id, each -> each));
        // With the references of before: what they lead to goes on as well.
        all.put(schema.id(), schema);
        for (var saved : names.savedQueries(tx, tables)) {
            var query = SavedQueryNames.renamed(
                    converted(all, saved, schema, converting), moved(all.get(saved.schema()), schema, from, to));
            if (!query.equals(saved.query())) {
                names.putSavedQuery(tx, new SchemaChangeStore.Saved(saved.id(), saved.schema(), query));
            }
        }
        for (var view : names.views(tx, tables)) {
            var definition = SavedQueryNames.renamedView(
                    converted(all, view, schema, converting), moved(all.get(view.schema()), schema, from, to));
            if (!definition.equals(view.query())) {
                names.putView(tx, new SchemaChangeStore.Saved(view.id(), view.schema(), definition));
            }
        }
    }

    private static ObjectNode converted(
            Map<Short, Schema> all, SchemaChangeStore.Saved saved, Schema schema, ValueConversion converting) {
        var about = all.get(saved.schema());
        return about == null
                ? saved.query()
                : SavedQueryNames.converted(
                        saved.query(),
                        path -> SavedQueryNames.leadsTo(about, path, schema.id(), converting.from()),
                        converting::shown);
    }

    /** Puts the id of {@code to} in the place of that of {@code from}. */
    private static UnaryOperator<String> moved(
            @Nullable Schema about, Schema schema, SchemaAttribute from, SchemaAttribute to) {
        var before = String.valueOf(from.id());
        var after = String.valueOf(to.id());
        return path -> {
            if (about == null) {
                return path;
            }
            int point = path.indexOf('.');
            var own = point < 0 ? path : path.substring(0, point);
            var behind = point < 0 ? "" : path.substring(point);
            boolean leads = behind.equals("." + before) && SavedQueryNames.leadsTo(about, path, schema.id(), from);
            return (about.id() == schema.id() && own.equals(before) ? after : own) + (leads ? "." + after : behind);
        };
    }

    /** Deletes the indexed values of a change that came to nothing. Leftovers of a crash are harmless: nothing reads them. */
    void deleteValues(Db db, ProjectTables tables, Job job) {
        var gone = new RemovedAttributeStore.Gone(job.project(), job.schema(), job.to());
        int deleted = DELETED_AT_ONCE;
        while (deleted == DELETED_AT_ONCE) {
            deleted = db.inTransaction(tx -> removed.deleteValues(tx, tables, gone, DELETED_AT_ONCE));
        }
    }
}
