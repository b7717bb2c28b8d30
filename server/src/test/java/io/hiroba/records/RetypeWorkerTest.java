package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.Retypes.Change;
import io.hiroba.records.Retypes.Job;
import io.hiroba.records.Retypes.State;
import io.hiroba.testkit.TestRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The records of large schemas are converted in the background, while others write them and nodes die. */
@Tag("slow")
class RetypeWorkerTest {

    /** So many that they are converted in the background. */
    private static final int MANY = Retypes.MAX_AT_ONCE + 500;

    private static TestRecords test;
    private ProjectAccess shop;

    @BeforeAll
    static void start() {
        test = new TestRecords();
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @BeforeEach
    void aShop() {
        shop = test.project();
    }

    @Test
    void manyRecordsAreConvertedWhileOthersWriteThem() throws Exception {
        var ids = many("product");
        var gone = ids.get(3);
        test.records.delete(shop, "product", gone, null);
        var job = retype("product", "size", ValueType.NUMERIC, true).job();
        assertThat(job.state()).isEqualTo(State.RUNNING);
        running();
        view(job.schema());
        var batches = new AtomicInteger();
        var over = new AtomicBoolean();
        try (var threads = Executors.newFixedThreadPool(2)) {
            var writers = IntStream.range(0, 2)
                    .mapToObj(n -> threads.submit(() -> {
                        var random = new Random(n);
                        for (int i = 0; !over.get(); i++) {
                            var id = ids.get(4 + random.nextInt(MANY - 4));
                            test.records.patch(
                                    shop,
                                    "product",
                                    id,
                                    json("{'name': 'w', 'size': '%d'}".formatted(10_000 + i)),
                                    null);
                            test.one(shop, "product", "{'name': 'w', 'size': '%d'}".formatted(20_000 + i));
                        }
                        return true;
                    }))
                    .toList();
            worker(new RetypeWorker.Faults() {
                        @Override
                        public void written(Job each) {
                            if (batches.get() == 0) {
                                // Whoever is refused need not wait for the batch.
                                running();
                            }
                            if (batches.incrementAndGet() == 4) {
                                // The exchange is under way: texts are refused from now on.
                                over.set(true);
                            }
                        }

                        @Override
                        public void committed(Job each) {
                            if (batches.get() == 1) {
                                // Behind and ahead of the conversion.
                                test.records.patch(shop, "product", ids.get(0), json("{'size': '-1'}"), null);
                                test.records.patch(shop, "product", ids.get(1), json("{'size': 'none'}"), null);
                                test.records.patch(shop, "product", ids.get(2), json("{'name': 'n'}"), null);
                                test.records.patch(shop, "product", ids.getLast(), json("{'size': '-2'}"), null);
                                test.history.restore(shop, "product", gone, 1, null);
                            }
                        }
                    })
                    .runAll();
            for (var writer : writers) {
                assertThat(catchThrowableOfType(ExecutionException.class, writer::get))
                        .satisfiesAnyOf(
                                each -> assertThat(each).isNull(),
                                each -> assertThat(each).hasRootCauseInstanceOf(RecordsProblem.class));
            }
        }
        var done = test.retypes.get(shop, "product", job.id());
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.progress().failed()).isOne();
        var schema = test.schemas.get(shop, "product");
        var size = schema.attribute("size").orElseThrow();
        assertThat(size.type()).isEqualTo(ValueType.NUMERIC);
        assertThat(test.count(shop, mismatches(schema, size))).isZero();
        assertThat(views())
                .as("they go on")
                .isEqualTo("{\"filter\": {\"attr\": \"%1$d\", \"value\": 7}, \"columns\": [{\"attribute\": \"%1$d\"}]}"
                        .formatted(size.id()));
        for (var each : Map.of(ids.get(0), "-1", ids.getLast(), "-2", gone, "3").entrySet()) {
            assertThat(test.get(shop, "product", each.getKey())
                            .values()
                            .path("size")
                            .toString())
                    .isEqualTo(each.getValue());
        }
        assertThat(test.get(shop, "product", ids.get(1)).values()).hasToString("{\"name\":\"x\"}");
    }

    private void running() {
        refused("records.retype-running", () -> retype("product", "name", ValueType.NUMERIC, true));
        refused("records.retype-running", () -> test.removed.remove(shop, "product", "size"));
        // Records that are converted already would keep the number of the option of before.
        refused(
                "records.retype-running",
                () -> test.options.change(
                        shop,
                        "product",
                        "size",
                        new OptionChanges.Request(List.of(), Collections.singletonMap("5", null))));
    }

    private void view(short schema) {
        test.db.useTransaction(tx -> tx.update("""
                INSERT INTO records.views (id, project_id, schema_id, owner, name, kind, definition)
                VALUES (1, :project, :schema, 1, 'v', 'grid',
                    '{"filter": {"attr": "5", "value": "7"}, "columns": [{"attribute": "5"}]}')
                """)
                .bind("project", shop.project().id().value())
                .bind("schema", schema)
                .execute());
    }

    private String views() {
        return test.db.read(reads -> reads.query("SELECT definition FROM records.views WHERE project_id = :project")
                .bind("project", shop.project().id().value())
                .mapTo(String.class)
                .one());
    }

    /** The records whose number is not the one of their text of before, or whose indexed number is another. */
    private static String mismatches(Schema schema, SchemaAttribute size) {
        var before = schema.removed().getFirst().attribute();
        return """
                SELECT count(*) FROM records."records_@" AS r
                LEFT JOIN records."eav_@" AS e ON e.schema_id = r.schema_id AND e.row_id = r.row_id AND e.attr_id = %3$d
                WHERE r.doc ->> %1$d ~ '^[-0-9]+$'
                  AND (CAST(r.doc ->> %1$d AS numeric) IS DISTINCT FROM CAST(r.doc ->> %2$d AS numeric)
                       OR e.value_numeric IS DISTINCT FROM CAST(r.doc ->> %2$d AS numeric))
                """.formatted(before.place(), size.place(), size.id());
    }

    /** Stands for the end of a process. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aConversionGoesOnWhereItsNodeDiedAndANodeThatSleptWritesNothing() {
        many("product");
        var job = retype("product", "size", ValueType.NUMERIC, false).job();
        for (int death = 1; death <= 3; death++) {
            // In the second batch of each, uncommitted; at last when the names are exchanged.
            var batches = new AtomicInteger();
            var dying = worker(each -> {
                if (batches.incrementAndGet() == 2) {
                    throw new Killed();
                }
            });
            assertThatThrownBy(dying::runAll).isInstanceOf(Killed.class);
            assertThat(test.retypes.get(shop, "product", job.id()).progress().seen())
                    .isEqualTo(Math.min(death * 1000L, MANY));
            assertThat(test.schemas
                            .get(shop, "product")
                            .attribute("size")
                            .orElseThrow()
                            .type())
                    .isEqualTo(ValueType.TEXT);
            expireLeases();
        }
        var woken = new AtomicInteger();
        worker(each -> {
                    if (woken.getAndIncrement() == 0) {
                        // Nothing is left to convert for the other one but the exchange.
                        assertThat(test.retypes.get(shop, "product", job.id()).state())
                                .isEqualTo(State.RUNNING);
                    }
                })
                .runAll();
        var schema = test.schemas.get(shop, "product");
        assertThat(test.count(shop, mismatches(schema, schema.attribute("size").orElseThrow())))
                .isZero();
        assertThat(test.retypes.get(shop, "product", job.id()).state()).isEqualTo(State.DONE);

        var back = retype("product", "size", ValueType.TEXT, false).job();
        var slept = new AtomicInteger();
        worker(new RetypeWorker.Faults() {
                    @Override
                    public void written(Job each) {
                        slept.incrementAndGet();
                    }

                    @Override
                    public void committed(Job each) {
                        expireLeases();
                        worker(other -> {}).runAll();
                        test.one(shop, "product", "{'size': 'a text again'}");
                    }
                })
                .runAll();
        assertThat(slept).hasValue(1);
        assertThat(test.retypes.get(shop, "product", back.id()).state()).isEqualTo(State.DONE);
        test.retypes.undo(shop, "product", "size");
        assertThat(test.schemas
                        .get(shop, "product")
                        .attribute("size")
                        .orElseThrow()
                        .type())
                .isEqualTo(ValueType.NUMERIC);
    }

    @Test
    void aConversionIsRefusedAtItsEndOrCancelledAndLeavesTheAttributeAsItWas() {
        var ids = many("product");
        var job = retype("product", "name", ValueType.NUMERIC, false).job();
        worker(each -> {}).runAll();
        var failed = test.retypes.get(shop, "product", job.id());
        assertThat(failed.state()).isEqualTo(State.FAILED);
        assertThat(failed.failures()).hasSize(20);
        assertThat(String.valueOf(failed.failure())).contains("2,500");
        var second = retype("product", "size", ValueType.NUMERIC, false).job();
        worker(new RetypeWorker.Faults() {
                    @Override
                    public void written(Job each) {}

                    @Override
                    public void committed(Job each) {
                        test.retypes.cancel(shop, "product", second.id());
                    }
                })
                .runAll();
        assertThat(test.retypes.get(shop, "product", second.id()).state()).isEqualTo(State.CANCELLED);
        test.records.patch(shop, "product", ids.getFirst(), json("{'size': 'text'}"), null);
        assertThat(test.get(shop, "product", ids.getFirst()).values())
                .hasToString("{\"name\":\"x\",\"size\":\"text\"}");
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"eav_@\" WHERE value_numeric IS NOT NULL"))
                .isZero();
        assertThat(test.history.page(shop, "product", ids.get(1), 9, 9)).hasSize(1);
        refused("records.no-retype", () -> test.retypes.get(shop, "product", 1));
    }

    @Test
    void aConversionWhoseEndAlwaysFailsIsGivenUp() {
        many("product");
        var job = retype("product", "size", ValueType.NUMERIC, false).job();
        var worker = worker(new RetypeWorker.Faults() {
            @Override
            public void written(Job each) {
                if (test.retypes.get(shop, "product", each.id()).progress().seen() == MANY) {
                    throw new IllegalStateException("the statement took too long");
                }
            }

            @Override
            public void committed(Job each) {}
        });
        for (int i = 0; i < 20 && test.retypes.get(shop, "product", job.id()).state() == State.RUNNING; i++) {
            expireLeases();
            try {
                worker.runAll();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("the statement took too long");
            }
        }
        assertThat(test.retypes.get(shop, "product", job.id()).state()).isEqualTo(State.FAILED);
    }

    @Test
    void aChangeOfTheSchemaWaitsForOneBatchAtMostAndNoneIsLookedAtMoreOftenThanThereAre() {
        many("product");
        var job = retype("product", "size", ValueType.NUMERIC, false).job();
        test.insert(shop, "product", "{'size': '1'}", "{'size': '2'}");
        var batches = new AtomicInteger();
        var changedByThen = new AtomicBoolean();
        try (var threads = Executors.newSingleThreadExecutor()) {
            worker(each -> {
                        if (batches.incrementAndGet() == 1) {
                            threads.submit(() -> test.changes.change(
                                    shop, "product", "name", new AttributeChange("title", null, false)));
                            await().until(() -> test.db.<Boolean>read(reads ->
                                    reads.query("""
                                            SELECT count(*) > 0 FROM pg_stat_activity
                                            WHERE datname = current_database() AND wait_event_type = 'Lock'
                                            """).mapTo(Boolean.class).one()));
                        } else if (batches.get() == 2) {
                            changedByThen.set(test.schemas.get(shop, "product").attributes().stream()
                                    .anyMatch(attribute -> attribute.name().equals("title")));
                        }
                    })
                    .runAll();
        }
        assertThat(changedByThen).isTrue();
        var progress = test.retypes.get(shop, "product", job.id()).progress();
        assertThat(progress.seen()).isEqualTo(MANY + 2L);
        assertThat(progress.total()).isEqualTo(progress.seen());
    }

    private static RetypeWorker worker(RetypeWorker.Faults faults) {
        return new RetypeWorker(test.db, Clock.systemUTC(), test.projects, test.catalog, new WakeSignal(), faults);
    }

    private List<RowId> many(String schema) {
        test.schemas.define(shop, definition(schema, "name text", "size text"));
        var ids = new ArrayList<RowId>();
        for (int from = 0; from < MANY; from += 1000) {
            ids.addAll(test.insert(
                    shop,
                    schema,
                    IntStream.range(from, Math.min(from + 1000, MANY))
                            .mapToObj("{'name': 'x', 'size': '%d'}"::formatted)
                            .toArray(String[]::new)));
        }
        return ids.stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .collect(Collectors.toList());
    }

    private static void expireLeases() {
        test.db.useTransaction(tx -> tx.update(
                        "UPDATE records.retypes SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL")
                .execute());
    }

    private Retypes.Outcome retype(String schema, String attribute, ValueType type, boolean clears) {
        return test.retypes.change(shop, schema, attribute, new Change(type, clears));
    }

    private static List<FieldError> refused(String code, ThrowingCallable call) {
        var problem = catchThrowableOfType(RecordsProblem.class, call);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(code);
        return problem.fields();
    }
}
