package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.AccessRules;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordValidator;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.SchemaDefinition;
import io.hiroba.records.Schemas;
import io.hiroba.records.ValueType;
import io.hiroba.records.transfer.ImportPreview.Column;
import io.hiroba.records.transfer.ImportPreview.PreviewRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Previews files without writing anything. */
public final class ImportPreviewer {

    /** The number of records that a preview reads. */
    static final int LOOKED_AT = 10_000;

    private static final int BYTES_LOOKED_AT = 16 << 20;
    private static final int ERRORS_SHOWN = 100;
    static final int ROWS_SHOWN = 20;

    /** The names of members, and of records, that are looked up one by one; nothing is said of more. */
    private static final int NAMES_LOOKED_UP = 500;

    /** Limits the previews of workbooks and Parquet files at a time: shared texts, or pages of all columns, are in memory. */
    private final Semaphore workbooks = new Semaphore(2);

    private final Db db;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final MemberNames members;
    private final ReferencedRecords referenced;

    public ImportPreviewer(Db db, SchemaCatalog catalog, AccessResolver accessResolver, MemberNames members) {
        this.db = db;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
        this.members = members;
        this.referenced = new ReferencedRecords(catalog, accessResolver);
    }

    /**
     * A schema to create for a file, with the options to read it.
     *
     * @param titles of attributes, by their names
     */
    record Made(SchemaDefinition schema, Map<String, String> titles, ImportOptions options) {}

    /** The result of reading the beginning of a file. */
    private record Beginning(
            TypeInference inference, char delimiter, long lines, boolean whole, List<LineError> broken) {}

    Made definition(Import found) {
        var beginning = beginning(found, lines -> line -> {});
        if (beginning.lines() == 0 && !beginning.broken().isEmpty()) {
            // Leaving out a column may cure it, so the import goes on waiting.
            var first = beginning.broken().getFirst();
            throw TransferProblem.broken(new MalformedFileException(first.line(), first.message()));
        }
        return made(found, beginning);
    }

    private static Made made(Import found, Beginning beginning) {
        var order = order(found, beginning);
        var chosen = found.options().durations();
        var mark = decimal(found, beginning);
        var columns = beginning.inference().columns(order, chosen, mark);
        var names = ColumnNames.names(columns.keySet(), found.options());
        return new Made(
                ColumnNames.definition(found.schema(), columns, names),
                ColumnNames.titles(names, found.options()),
                found.options()
                        .withColumns(names)
                        .withDates(order)
                        .withDecimal(mark)
                        .withDurations(chosen == null ? beginning.inference().durations() : chosen));
    }

    /** The order that was chosen, or the one that the file shows. */
    private static @Nullable DateOrder order(Import found, Beginning beginning) {
        var chosen = found.options().dates();
        return chosen == null ? beginning.inference().order() : chosen;
    }

    /** The mark that was chosen, or the one that the file shows. */
    private static DecimalMark decimal(Import found, Beginning beginning) {
        var chosen = found.options().decimal();
        return chosen == null ? beginning.inference().decimal(beginning.delimiter()) : chosen;
    }

    /** The options with the order of days and the decimal mark that the file shows, if they matter for {@code schema} and were not chosen. */
    ImportOptions ordered(Import found, Schema schema) {
        var options = found.options();
        boolean needsOrder = options.dates() == null
                && options.format() != FileFormat.PARQUET
                && schema.attributes().stream().anyMatch(each -> each.type().isTime());
        boolean needsMark = options.decimal() == null
                && options.format() == FileFormat.CSV
                && schema.attributes().stream().anyMatch(each -> each.type() == ValueType.NUMERIC);
        if (!needsOrder && !needsMark) {
            return options;
        }
        var beginning = beginning(found, lines -> line -> {});
        return options.withDates(order(found, beginning)).withDecimal(decimal(found, beginning));
    }

    /** Checks the lines as the import will, once the types of its schema are known; without it the values are shown as written. */
    private void checkMade(
            ProjectAccess access,
            Import found,
            Made made,
            PreviewSamples samples,
            List<PreviewRow> rows,
            List<LineError> errors) {
        var faults = new ArrayList<FieldError>();
        var draft = Schemas.draft(made.schema(), faults);
        if (draft.isPresent()) {
            var all = new RecordAccess(draft.get(), AccessRules.NONE, access.user(), null);
            beginning(found, checking(access, all, made.options(), rows, errors));
            return;
        }
        samples.show(made.options(), rows, errors);
        note(
                faults.stream()
                        .map(each -> new LineError(1, each.field(), each.message()))
                        .toList(),
                errors);
    }

    ImportPreview of(ProjectAccess access, Import found) {
        var schema = schema(access, found.schemaKey())
                .map(known -> db.read(reads -> accessResolver.of(reads, access, known)));
        var rows = new ArrayList<PreviewRow>();
        var errors = new ArrayList<LineError>();
        var samples = new PreviewSamples();
        var beginning = beginning(
                found,
                schema.isPresent()
                        ? checking(
                                access,
                                schema.get(),
                                ordered(found, schema.get().schema())
                                        .makingOptions(found.options().makesOptions() && access.isOwner()),
                                rows,
                                errors)
                        : samples::keeping);
        var made = made(found, beginning);
        var options = schema.isPresent() ? found.options() : made.options();
        var columns = new ArrayList<Column>();
        var types = beginning
                .inference()
                .columns(order(found, beginning), found.options().durations(), decimal(found, beginning));
        var matcher = schema.map(known -> new ColumnMatcher(known, options));
        types.forEach((name, inferred) -> {
            var wanted = ColumnNames.isOurs(name) ? "" : options.attribute(name);
            var known = wanted.isEmpty()
                    ? null
                    : matcher.flatMap(each -> matching(each, name)).orElse(null);
            var attribute = known == null ? wanted : known.name();
            var format = inferred.format();
            columns.add(new Column(
                    name,
                    attribute.isEmpty() ? null : attribute,
                    inferred.type().label(),
                    format == null ? null : format.label(),
                    known == null ? null : known.type().label()));
        });
        if (schema.isEmpty()) {
            checkMade(access, found, made, samples, rows, errors);
        }
        note(beginning.broken(), errors);
        boolean asksOrder =
                order(found, beginning) == null && beginning.inference().isOrderOpen();
        return new ImportPreview(
                columns,
                rows,
                beginning.lines(),
                errors,
                beginning.whole(),
                asksOrder,
                schema.isEmpty() ? beginning.inference().durations() : null,
                mark(found, beginning));
    }

    private static Optional<SchemaAttribute> matching(ColumnMatcher matcher, String column) {
        try {
            return matcher.attribute(column);
        } catch (InvalidValueException e) {
            // It is among the errors, and left to the user.
            return Optional.empty();
        }
    }

    /** The decimal mark that the file shows, where that is worth a question. */
    private static @Nullable DecimalMark mark(Import found, Beginning beginning) {
        var mark = beginning.inference().decimal(beginning.delimiter());
        boolean matters = mark == DecimalMark.COMMA || beginning.inference().isMarkOpen();
        return matters && found.options().format() == FileFormat.CSV ? mark : null;
    }

    /** Validates each line and keeps the first valid ones and the first errors. */
    private Function<LineReader, Consumer<FileLine>> checking(
            ProjectAccess access,
            RecordAccess recordAccess,
            ImportOptions options,
            List<PreviewRow> rows,
            List<LineError> errors) {
        return lines -> {
            LineMapper reading;
            try {
                reading = new LineMapper(recordAccess, options, lines.columns(), lines.unnamed());
            } catch (MalformedFileException e) {
                // A column is not an attribute: the columns are returned all the same, so that the user can map them.
                note(List.of(e.error()), errors);
                return line -> {};
            }
            var coming = new OptionsToCome(recordAccess, options.makesOptions());
            var people = members.of(db, access, recordAccess.shown(), NAMES_LOOKED_UP);
            var records = referenced.of(db, access, recordAccess.shown(), NAMES_LOOKED_UP);
            return line -> {
                var wrong = new ArrayList<LineError>();
                reading.values(line, wrong).ifPresent(values -> {
                    people.resolve(values);
                    if (!records.resolve(line.number(), values, wrong)) {
                        return;
                    }
                    var draft = coming.validator(values).created(values);
                    draft.errors().stream()
                            .filter(error -> !people.open().contains(error.field())
                                    && !records.open().contains(error.field()))
                            .forEach(error -> wrong.add(new LineError(line.number(), error.field(), error.message())));
                    if (rows.size() < ROWS_SHOWN && draft.isGood()) {
                        rows.add(
                                new PreviewRow(line.number(), Documents.shown(recordAccess.shown(), draft.document())));
                    }
                });
                note(wrong, errors);
            };
        };
    }

    /** The options that the import makes of the lines so far. */
    private static final class OptionsToCome {

        private final boolean makes;
        private RecordAccess known;
        private RecordValidator validator;

        OptionsToCome(RecordAccess known, boolean makes) {
            this.makes = makes;
            this.known = known;
            this.validator = new RecordValidator(known, List.of());
        }

        /** The validator of a line, with the options that it makes. */
        RecordValidator validator(ObjectNode values) {
            var schema = makes ? OptionChanges.adding(known.schema(), values) : known.schema();
            if (schema != known.schema()) {
                known = new RecordAccess(schema, known.rules(), known.user(), known.trait());
                validator = new RecordValidator(known, List.of());
            }
            return validator;
        }
    }

    static void note(List<LineError> found, List<LineError> errors) {
        found.stream().limit(Math.max(0, ERRORS_SHOWN - errors.size())).forEach(errors::add);
    }

    /** Refuses options with which the names of the columns cannot be read. */
    void requireColumns(Import found, ImportOptions options) {
        reading(found, options, (lines, content) -> lines.columns());
    }

    /** @param consumers creates the consumer of the lines of a file; they are not kept here */
    private Beginning beginning(Import found, Function<LineReader, Consumer<FileLine>> consumers) {
        return reading(found, found.options(), (lines, content) -> beginning(lines, content, consumers.apply(lines)));
    }

    private <T> T reading(Import found, ImportOptions options, BiFunction<LineReader, ImportContentStream, T> read) {
        var content = new ImportContentStream(db, found.id(), () -> {});
        var format = options.format();
        boolean takesMemory = format == FileFormat.XLSX || format == FileFormat.PARQUET;
        if (takesMemory) {
            workbooks.acquireUninterruptibly();
        }
        try (var lines = LineReader.of(content, options)) {
            return read.apply(lines, content);
        } finally {
            if (takesMemory) {
                workbooks.release();
            }
        }
    }

    private static Beginning beginning(LineReader lines, ImportContentStream content, Consumer<FileLine> consumer) {
        var inference = new TypeInference();
        long read = 0;
        var broken = new ArrayList<LineError>();
        lines.columns().forEach(inference::column);
        boolean whole = true;
        try {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                read++;
                consumer.accept(line.get());
                infer(inference, lines, line.get());
                if (read == LOOKED_AT || lines.unpacked(content.position()) > BYTES_LOOKED_AT) {
                    whole = lines.next().isEmpty();
                    break;
                }
            }
        } catch (MalformedFileException e) {
            broken.add(e.error());
        }
        inference.removeEmpty(lines.unnamed());
        return new Beginning(inference, lines.delimiter(), read, whole, broken);
    }

    private static void infer(TypeInference inference, LineReader lines, FileLine line) {
        switch (line) {
            case FileLine.Cells(var number, var cells, var types) -> {
                for (int i = 0; i < cells.size(); i++) {
                    var column = lines.columns().get(i);
                    if (cells.get(i).isBlank() && lines.unnamed().contains(column)) {
                        continue;
                    }
                    if (types.isEmpty()) {
                        inference.cell(column, cells.get(i));
                    } else {
                        inference.typed(column, cells.get(i), types.get(i));
                    }
                }
            }
            case FileLine.Values(var number, var object) ->
                object.properties().forEach(each -> inference.value(each.getKey(), each.getValue()));
            case FileLine.Unreadable unreadable -> {
                // Null has no type.
            }
        }
    }

    private Optional<Schema> schema(ProjectAccess access, String name) {
        try {
            return Optional.of(catalog.refreshed(access.tables(), name));
        } catch (RecordsProblem e) {
            return Optional.empty();
        }
    }
}
