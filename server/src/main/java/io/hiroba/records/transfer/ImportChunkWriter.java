package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.AccessRules;
import io.hiroba.records.ComputedValues;
import io.hiroba.records.GeneratedValues;
import io.hiroba.records.IntegrityChecks;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordEvents;
import io.hiroba.records.RecordRow;
import io.hiroba.records.RecordValidator;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the valid rows of a chunk and reports the others. */
public final class ImportChunkWriter {

    static final String IMPORTED = "records-imported";

    /** The attempts: others may take a unique value, or delete a referenced record, in between. */
    private static final int MAX_ATTEMPTS = 20;

    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final EventLog events;
    private final UuidV7 rowIds;
    private final IntegrityChecks integrity;
    private final OptionChanges options;
    private final MemberNames members;
    private final ReferencedRecords referenced;
    private final ComputedValues computed;
    private final RecordCopyStore store = new RecordCopyStore();

    public ImportChunkWriter(
            SchemaCatalog catalog,
            AccessResolver accessResolver,
            EventLog events,
            UuidV7 rowIds,
            OptionChanges options,
            MemberNames members) {
        this.options = options;
        this.members = members;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
        this.events = events;
        this.rowIds = rowIds;
        this.integrity = new IntegrityChecks(catalog, accessResolver);
        this.referenced = new ReferencedRecords(catalog, accessResolver);
        this.computed = new ComputedValues(catalog);
    }

    private final GeneratedValues generated = new GeneratedValues();

    /**
     * The result of writing a chunk.
     *
     * @param errors in the order of the lines
     * @param failedLines the number of invalid lines; one may have several errors
     */
    record Written(int rows, List<LineError> errors, int failedLines) {}

    /** A record to write and its line. */
    private record NewRow(long line, RecordRow row) {}

    /** The schema as it is, locked until {@code tx} ends. */
    Schema schema(Tx tx, ProjectAccess access, Import work) {
        try {
            return catalog.current(tx, access.tables(), work.schemaKey());
        } catch (RecordsProblem deleted) {
            // By the name that it had, which people know.
            throw RecordsProblem.noSchema(work.schema());
        }
    }

    /**
     * Makes options of the texts of the chunk that are none, in a transaction of its own before that of the chunk, where the schema is
     * locked against changes. If the node dies in between, there are options that no record has yet.
     *
     * @param claimed throws if the import is not this node's any more
     */
    void addOptions(Db db, ProjectAccess access, Import work, Chunk chunk, Consumer<Tx> claimed) {
        if (!work.options().makesOptions() || !access.isOwner()) {
            return;
        }
        var schema = catalog.refreshed(access.tables(), work.schemaKey());
        var recordAccess = db.read(reads -> accessResolver.of(reads, access, schema));
        var reading = new LineMapper(recordAccess, work.options(), chunk.columns(), chunk.unnamed());
        var selects =
                schema.attributes().stream().filter(SchemaAttribute::isSelect).toList();
        var fresh = new LinkedHashMap<SchemaAttribute, Set<String>>();
        for (var line : chunk.lines()) {
            reading.values(line, new ArrayList<>()).ifPresent(values -> {
                for (var attribute : selects) {
                    var value = values.path(attribute.name());
                    if (value.isString() && isNew(attribute, value)) {
                        fresh.computeIfAbsent(attribute, each -> new LinkedHashSet<>())
                                .add(value.stringValue());
                    }
                }
            });
        }
        if (!fresh.isEmpty()) {
            db.useTransaction(tx -> {
                fresh.forEach((attribute, values) ->
                        options.add(tx, access, work.schemaKey(), attribute, List.copyOf(values)));
                claimed.accept(tx);
            });
            catalog.invalidate(access.tables());
        }
    }

    private static boolean isNew(SchemaAttribute attribute, JsonNode value) {
        return attribute.options().stream().noneMatch(value::equals);
    }

    /** Writes the chunk; unless errors are skipped, only up to the first one. */
    Written write(Tx tx, ProjectAccess access, Schema schema, Import work, Chunk chunk) {
        var recordAccess = accessResolver.of(tx, access, schema).require(AccessRules.WriteKind.CREATE);
        var errors = new ArrayList<LineError>();
        var rows = cut(work, read(tx, recordAccess, access, work.options(), chunk, errors), errors);
        if (integrity.requiresPrecheck(tx, access, schema)) {
            rows = cut(work, keepingIntegrity(tx, access, schema, rows, errors), errors);
        }
        generated.created(
                tx, access.tables(), schema, rows.stream().map(NewRow::row).toList());
        computed.compute(tx, access.tables(), schema, documents(rows));
        for (int i = 1; !rows.isEmpty() && !copy(tx, access, schema, rows); i++) {
            if (i == MAX_ATTEMPTS) {
                throw RecordsProblem.contended();
            }
            rows = cut(work, keepingIntegrity(tx, access, schema, rows, errors), errors);
        }
        computed.spreadNew(tx, access.tables(), schema, documents(rows));
        appendEvent(tx, access, schema, work, rows);
        return written(work, rows.size(), errors);
    }

    private static Written written(Import work, int rows, List<LineError> errors) {
        errors.sort(Comparator.comparingLong(LineError::line));
        long first = errors.isEmpty() ? 0 : errors.getFirst().line();
        var valid = work.options().skipErrors()
                ? errors
                : errors.stream().filter(error -> error.line() == first).toList();
        long lines = valid.stream().mapToLong(LineError::line).distinct().count();
        return new Written(rows, valid, (int) lines);
    }

    private boolean copy(Tx tx, ProjectAccess access, Schema schema, List<NewRow> rows) {
        return store.copy(tx, access.tables(), schema, access.user(), documents(rows));
    }

    private static List<RecordRow> documents(List<NewRow> rows) {
        return rows.stream().map(NewRow::row).toList();
    }

    private List<NewRow> read(
            Tx tx,
            RecordAccess recordAccess,
            ProjectAccess access,
            ImportOptions options,
            Chunk chunk,
            List<LineError> errors) {
        var reading = new LineMapper(recordAccess, options, chunk.columns(), chunk.unnamed());
        var intake = new RecordValidator(recordAccess, List.of());
        var rows = new ArrayList<NewRow>();
        var people = members.of(tx, access, recordAccess.shown());
        var records = referenced.of(tx, access, recordAccess.shown());
        record Line(long number, ObjectNode values) {}
        var lines = new ArrayList<Line>();
        for (var line : chunk.lines()) {
            reading.values(line, errors).ifPresent(values -> lines.add(new Line(line.number(), values)));
        }
        records.lookUp(lines.stream().map(Line::values).toList());
        for (var line : lines) {
            people.resolve(line.values());
            if (!records.resolve(line.number(), line.values(), errors)) {
                continue;
            }
            var draft = intake.created(line.values());
            if (draft.isGood()) {
                var id = new RowId(rowIds.next());
                rows.add(new NewRow(
                        line.number(),
                        new RecordRow(id, 1, access.user(), access.user(), id.createdAt(), draft.document())));
            }
            note(line.number(), draft.errors(), errors);
        }
        return rows;
    }

    private static void note(long line, List<FieldError> found, List<LineError> errors) {
        found.forEach(error -> errors.add(new LineError(line, error.field(), error.message())));
    }

    private static List<NewRow> cut(Import work, List<NewRow> rows, List<LineError> errors) {
        if (work.options().skipErrors() || errors.isEmpty()) {
            return rows;
        }
        long first = errors.stream().mapToLong(LineError::line).min().getAsLong();
        return rows.stream().filter(row -> row.line() < first).toList();
    }

    private List<NewRow> keepingIntegrity(
            Tx tx, ProjectAccess access, Schema schema, List<NewRow> rows, List<LineError> errors) {
        var wrong = integrity.errors(
                tx, access, schema, rows.stream().map(NewRow::row).toList());
        var good = new ArrayList<NewRow>();
        for (int i = 0; i < rows.size(); i++) {
            if (wrong.get(i).isEmpty()) {
                good.add(rows.get(i));
            }
            note(rows.get(i).line(), wrong.get(i), errors);
        }
        return good;
    }

    private void appendEvent(Tx tx, ProjectAccess access, Schema schema, Import work, List<NewRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        events.append(
                tx,
                NewEvent.of(access.project().id().value(), IMPORTED)
                        .with("projectId", access.project().id().hex())
                        .with("schema", schema.name())
                        .with(RecordEvents.SCHEMA_ID, schema.id())
                        .with("importId", work.id().hex())
                        .with("by", access.user().hex())
                        .with("count", rows.size())
                        .with("first", rows.getFirst().row().id().toString())
                        .with("last", rows.getLast().row().id().toString()));
    }

    /**
     * A chunk of a file that is written in one transaction.
     *
     * @param columns the columns of the file
     * @param unnamed those of the columns that have no name of their own
     * @param line the last line of the chunk
     * @param bytes the approximate size of the chunk
     * @param broken the reason why the rest of the file cannot be read, if so
     */
    record Chunk(
            List<String> columns,
            Set<String> unnamed,
            List<FileLine> lines,
            long line,
            long bytes,
            List<LineError> broken) {

        boolean isLast() {
            return lines.isEmpty() || !broken.isEmpty();
        }
    }
}
