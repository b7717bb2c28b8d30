package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.BulkAnswer.Outcome;
import io.hiroba.records.BulkLine.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes the batches of bulk requests, each in a transaction, as single requests would write its lines one after the other: by the same
 * rules, with the same errors, history and events.
 */
final class BulkWriter {

    private static final Records.Mode CHECKED = new Records.Mode(false, true, false, false);

    private final Db db;
    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final Records records;
    private final Idempotency idempotency;
    private final IntegrityStore store = new IntegrityStore();

    BulkWriter(Db db, SchemaCatalog catalog, AccessResolver accessResolver, Records records, Idempotency idempotency) {
        this.db = db;
        this.catalog = catalog;
        this.accessResolver = accessResolver;
        this.records = records;
        this.idempotency = idempotency;
    }

    /**
     * The way in which a bulk request is written.
     *
     * @param atomic whether a batch is written as a whole or not at all
     * @param upsertBy the unique attribute by which upserts find records; null for none
     * @param key the caller's key of the request, with which a batch is written once; null for none
     * @param target the request's method and address
     */
    record Request(
            String schema,
            boolean atomic,
            @Nullable String upsertBy,
            @Nullable String key,
            String target,
            Language language) {}

    /** Rolls back a batch of which a line is refused. */
    private static final class BatchRefused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient List<Outcome> outcomes;

        BatchRefused(List<Outcome> outcomes) {
            super("a line of the batch is refused", null, false, false);
            this.outcomes = outcomes;
        }
    }

    /** Refuses a request before anything of it is written. */
    void require(ProjectAccess access, Request request) {
        db.useTransaction(tx -> {
            var schema = catalog.current(tx, access.tables(), request.schema());
            upsertBy(accessResolver.of(tx, access, schema), request);
        });
    }

    BulkAnswer write(ProjectAccess access, Request request, BulkReader.Batch batch) {
        if (batch.lines().isEmpty()) {
            return BulkAnswer.of(List.of(), request.language());
        }
        try {
            return ConflictRetry.run(_ -> once(access, request, batch));
        } catch (BatchRefused e) {
            var outcomes = e.outcomes.stream()
                    .map(each -> each.isRefused() ? each : Outcome.refused(each.line(), RecordsProblem.batchRefused()))
                    .toList();
            return BulkAnswer.of(outcomes, request.language());
        }
    }

    /** The answer is stored in the transaction of what it tells, so that a repeat gets it and writes nothing. */
    private BulkAnswer once(ProjectAccess access, Request request, BulkReader.Batch batch) {
        var key = request.key();
        if (key == null) {
            return db.inTransaction(tx -> write(tx, access, request, batch.lines()));
        }
        var answer = idempotency.oncePart(
                access.user().hex(),
                key,
                batch.index(),
                request.target(),
                batch.hash(),
                tx -> Answer.ok(write(tx, access, request, batch.lines())));
        return Json.read(answer.body(), BulkAnswer.class);
    }

    private BulkAnswer write(Tx tx, ProjectAccess access, Request request, List<BulkLine> lines) {
        var outcomes = new HashMap<Long, Outcome>();
        var work = new Work(tx, access, request);
        for (var run : work.runs(lines, outcomes)) {
            try {
                work.write(run).forEach(each -> outcomes.put(each.line().number(), each));
            } catch (RecordsProblem e) {
                // Before anything is written: the rules deny this kind of write.
                run.forEach(line -> outcomes.put(line.number(), Outcome.refused(line, e)));
            }
        }
        var all = lines.stream()
                .map(line -> Objects.requireNonNull(outcomes.get(line.number())))
                .toList();
        if (request.atomic() && all.stream().anyMatch(Outcome::isRefused)) {
            throw new BatchRefused(all);
        }
        return BulkAnswer.of(all, request.language());
    }

    private static @Nullable SchemaAttribute upsertBy(RecordAccess recordAccess, Request request) {
        var name = request.upsertBy();
        if (name == null) {
            return null;
        }
        return recordAccess
                .attribute(name)
                .filter(SchemaAttribute::unique)
                .orElseThrow(() -> RecordsProblem.invalid("upsertBy", Text.of("records.field.upsert-by")));
    }

    /** The writes of a batch. */
    private final class Work {

        private final Tx tx;
        private final ProjectAccess access;
        private final String schema;
        private final RecordAccess recordAccess;
        private final @Nullable SchemaAttribute upsertBy;

        /** The values by which upserts find records, by line. */
        private final Map<Long, String> keys = new HashMap<>();

        Work(Tx tx, ProjectAccess access, Request request) {
            this.tx = tx;
            this.access = access;
            this.schema = request.schema();
            recordAccess = accessResolver.of(tx, access, catalog.current(tx, access.tables(), schema));
            upsertBy = BulkWriter.upsertBy(recordAccess, request);
        }

        /** Lines that can be written together: of one operation, and each about another record. */
        List<List<BulkLine>> runs(List<BulkLine> lines, Map<Long, Outcome> outcomes) {
            var runs = new ArrayList<List<BulkLine>>();
            var about = new HashSet<Object>();
            Operation operation = null;
            for (var line : lines) {
                Object record;
                try {
                    record = record(line);
                } catch (RecordsProblem e) {
                    outcomes.put(line.number(), Outcome.refused(line, e));
                    continue;
                }
                if (!line.isGood()) {
                    outcomes.put(line.number(), Outcome.refused(line, line.reason()));
                    continue;
                }
                if (line.operation() != operation || !about.add(record)) {
                    operation = line.operation();
                    runs.add(new ArrayList<>());
                    about.clear();
                    about.add(record);
                }
                runs.getLast().add(line);
            }
            return runs;
        }

        /** What tells the record of a line from those of others. */
        private Object record(BulkLine line) {
            return switch (line.operation()) {
                case CREATE -> line.number();
                case UPDATE, DELETE -> line.id();
                case UPSERT -> {
                    var key = key(line);
                    keys.put(line.number(), key);
                    yield key;
                }
            };
        }

        private String key(BulkLine line) {
            if (upsertBy == null) {
                throw RecordsProblem.invalid("op", Text.of("records.field.upsert-by-missing"));
            }
            var value = line.values().properties().stream()
                    .filter(each -> recordAccess
                            .schema()
                            .attribute(each.getKey())
                            .filter(named -> named.id() == upsertBy.id())
                            .isPresent())
                    .map(Map.Entry::getValue)
                    .filter(each -> !each.isNull())
                    .findFirst()
                    .orElseThrow(() -> RecordsProblem.invalid(upsertBy.name(), Text.of("http.field.required")));
            try {
                return IntegrityChecks.key(upsertBy, Constraints.stored(upsertBy, value));
            } catch (InvalidValueException e) {
                throw RecordsProblem.invalid(upsertBy.name(), e.reason());
            }
        }

        List<Outcome> write(List<BulkLine> run) {
            return switch (run.getFirst().operation()) {
                case CREATE -> create(run);
                case UPDATE ->
                    outcomes(
                            run,
                            false,
                            records.change(
                                    tx,
                                    access,
                                    schema,
                                    run.stream()
                                            .map(line ->
                                                    new Records.Change(line.id(), line.version(), line.values(), true))
                                            .toList(),
                                    CHECKED));
                case DELETE ->
                    outcomes(
                            run,
                            false,
                            records.delete(
                                    tx,
                                    access,
                                    schema,
                                    run.stream()
                                            .map(line -> new Records.Deletion(line.id(), line.version()))
                                            .toList(),
                                    CHECKED));
                case UPSERT -> upsert(run, Objects.requireNonNull(upsertBy));
            };
        }

        private List<Outcome> create(List<BulkLine> run) {
            if (run.isEmpty()) {
                return List.of();
            }
            var values = run.stream().<JsonNode>map(BulkLine::values).toList();
            return outcomes(run, true, records.create(tx, access, schema, values, CHECKED));
        }

        /**
         * Changes what is there and creates the rest. Whoever was faster has made it meanwhile, and it is changed. A record that the
         * caller may not read is not there for them, and its value is taken.
         */
        private List<Outcome> upsert(List<BulkLine> run, SchemaAttribute by) {
            var done = new ArrayList<Outcome>();
            var taken = new HashMap<Long, Outcome>();
            for (var each : created(update(run, by, done))) {
                if (isRefused(each, RecordsProblem.notUnique(List.of()))) {
                    taken.put(each.line().number(), each);
                } else {
                    done.add(each);
                }
            }
            if (!taken.isEmpty()) {
                var lines = run.stream()
                        .filter(line -> taken.containsKey(line.number()))
                        .toList();
                update(lines, by, done).forEach(line -> done.add(Objects.requireNonNull(taken.get(line.number()))));
            }
            return done;
        }

        /** Changes the records of {@code lines} that are there, adds what became of these to {@code done}, and answers the other lines. */
        private List<BulkLine> update(List<BulkLine> lines, SchemaAttribute by, List<Outcome> done) {
            var found = store.owners(
                    tx,
                    access.tables(),
                    recordAccess.schema().id(),
                    by.id(),
                    lines.stream().map(line -> keys.get(line.number())).toList());
            var absent = new ArrayList<BulkLine>();
            var present = new ArrayList<BulkLine>();
            var changes = new ArrayList<Records.Change>();
            for (int i = 0; i < lines.size(); i++) {
                var line = lines.get(i);
                var id = found.get(i);
                if (id == null) {
                    absent.add(line);
                } else {
                    present.add(line);
                    changes.add(new Records.Change(id, null, line.values(), true));
                }
            }
            for (var each : changed(present, changes)) {
                if (isRefused(each, RecordsProblem.noRecord())) {
                    absent.add(each.line());
                } else {
                    done.add(each);
                }
            }
            return absent;
        }

        private static boolean isRefused(Outcome outcome, RecordsProblem reason) {
            var problem = outcome.problem();
            return problem != null && problem.code().equals(reason.code());
        }

        private List<Outcome> changed(List<BulkLine> lines, List<Records.Change> changes) {
            if (changes.isEmpty()) {
                return List.of();
            }
            try {
                return outcomes(lines, false, records.change(tx, access, schema, changes, CHECKED));
            } catch (RecordsProblem denied) {
                return lines.stream().map(line -> Outcome.refused(line, denied)).toList();
            }
        }

        private List<Outcome> created(List<BulkLine> lines) {
            try {
                return create(lines);
            } catch (RecordsProblem denied) {
                return lines.stream().map(line -> Outcome.refused(line, denied)).toList();
            }
        }

        private static List<Outcome> outcomes(List<BulkLine> lines, boolean created, List<WriteResult> results) {
            var outcomes = new ArrayList<Outcome>();
            for (int i = 0; i < lines.size(); i++) {
                outcomes.add(Outcome.of(lines.get(i), created, results.get(i)));
            }
            return outcomes;
        }
    }
}
