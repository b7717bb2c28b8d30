package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.AttributeChange;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SelectOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Nodes that die, stop or sleep in the middle of an import. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class ImportCrashTest {

    private static final int ROWS = 3 * ImportWorker.CHUNK_LINES + 500;

    private final TestImports test = new TestImports();

    @AfterAll
    void close() {
        test.close();
    }

    /** Stands for the end of a process. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private ProjectAccess counting() {
        var owner = test.records.project();
        test.records.schema(owner, "row", "n numeric");
        return owner;
    }

    private static String numbers() {
        return IntStream.range(0, ROWS).mapToObj(Integer::toString).collect(Collectors.joining("\n", "n\n", "\n"));
    }

    private void assertEveryRowOnce(ProjectAccess owner, ImportId id) {
        var done = test.get(owner, id);
        assertThat(done.state()).isEqualTo(ImportState.DONE);
        assertThat(done.progress().rows()).isEqualTo(ROWS);
        assertThat(test.values(owner, 0))
                .hasSize(ROWS)
                .allSatisfy((value, count) -> assertThat(count).isEqualTo(1));
    }

    @Test
    void textsThatAreNoOptionsBecomeSuchOnceThoughTheNodeDies() {
        var shop = test.records.project();
        test.records.schema(shop, "task", "name text", "state text enum=[\"todo\"]");
        var file = "name,state\na,todo\nb,doing\nc,done\nd,doing\ne,%s\n".formatted("x".repeat(101));
        assertThat(test.done(shop, "task", TestImports.CSV_SKIPPING, file)
                        .progress()
                        .rows())
                .isOne();
        var making = TestImports.CSV_SKIPPING.makingOptions(true);
        var editor = test.records.member(shop, ProjectRole.EDITOR);
        assertThatThrownBy(() -> test.upload(editor, "task", making, file)).isInstanceOf(RecordsProblem.class);
        var plain = test.upload(shop, "task", TestImports.CSV_SKIPPING, file);
        assertThat(preview(shop, plain).errors()).extracting(LineError::line).containsExactly(3L, 4L, 5L, 6L);
        var seen = test.upload(shop, "task", making, file);
        assertThat(preview(shop, seen).errors()).extracting(LineError::line).containsExactly(6L);
        assertThat(preview(shop, seen).rows()).hasSize(4);
        test.records.changes.change(shop, "task", "state", new AttributeChange("status", null, false));
        assertThat(preview(shop, seen).errors())
                .as("by a former name")
                .extracting(LineError::line)
                .containsExactly(6L);
        var id = test.start(shop, "task", making, file);
        assertThatThrownBy(test.worker(Duration.ofMinutes(5), work -> {
                    throw new Killed();
                })::runAll)
                .isInstanceOf(Killed.class);
        expireLeases();
        test.worker().runAll();
        assertThat(test.get(shop, id).progress().rows()).isEqualTo(4);
        assertThat(test.records
                        .schemas
                        .get(shop, "task")
                        .attribute("status")
                        .orElseThrow()
                        .choices())
                .extracting(SelectOption::value)
                .containsExactly("todo", "doing", "done");
    }

    private ImportPreview preview(ProjectAccess access, ImportId id) {
        return test.imports.preview(access.caller(), access.project().id(), id);
    }

    @Test
    void anImportGoesOnWhereItsNodeDied() {
        var owner = counting();
        var id = test.start(owner, "row", TestImports.CSV, numbers());
        for (int death = 1; death <= 3; death++) {
            // It dies when a chunk is written and not committed, one chunk further each time.
            var chunks = new AtomicInteger();
            var dying = test.worker(Duration.ofMinutes(5), work -> {
                if (chunks.incrementAndGet() == 2) {
                    throw new Killed();
                }
            });
            assertThatThrownBy(dying::runAll).isInstanceOf(Killed.class);
            assertThat(test.get(owner, id).progress().rows()).isEqualTo((long) death * ImportWorker.CHUNK_LINES);
            assertThat(test.count(owner)).isEqualTo(death * ImportWorker.CHUNK_LINES);
            expireLeases();
        }
        test.worker().runAll();
        assertEveryRowOnce(owner, id);
    }

    @Test
    void aNodeThatStopsGivesTheImportBackAtOnce() {
        var owner = counting();
        var id = test.start(owner, "row", TestImports.CSV, numbers());
        var stopping = new AtomicInteger();
        var worker = new ImportWorker[1];
        worker[0] = test.worker(Duration.ofMinutes(5), work -> {
            if (stopping.incrementAndGet() == 2) {
                worker[0].close();
            }
        });
        worker[0].runAll();
        assertThat(test.get(owner, id).progress().rows()).isEqualTo(2L * ImportWorker.CHUNK_LINES);
        test.worker().runAll();
        assertEveryRowOnce(owner, id);
    }

    @Test
    void aNodeThatSleptWritesNothingAfterAnotherTookOver() {
        var owner = counting();
        var id = test.start(owner, "row", TestImports.CSV, numbers());
        var chunks = new AtomicInteger();
        var sleepy = test.worker(Duration.ofMinutes(5), new ImportWorker.Faults() {
            @Override
            public void written(Import work) {
                chunks.incrementAndGet();
            }

            @Override
            public void committed(Import work) {
                if (chunks.get() == 1) {
                    expireLeases();
                    test.worker().runAll();
                }
            }
        });
        sleepy.runAll();
        assertThat(chunks).hasValue(1);
        assertEveryRowOnce(owner, id);
    }

    @Test
    void anImportGoesOnIntoItsSchemaThoughAnotherGetsTheName() {
        var owner = counting();
        var id = test.start(owner, "row", TestImports.CSV, numbers());
        var chunks = new AtomicInteger();
        test.worker(Duration.ofMinutes(5), new ImportWorker.Faults() {
                    @Override
                    public void written(Import work) {
                        chunks.incrementAndGet();
                    }

                    @Override
                    public void committed(Import work) {
                        if (chunks.get() == 1) {
                            test.records.changes.change(owner, "row", new AttributeChange("line", null, false));
                            test.records.schema(owner, "other", "n numeric");
                            test.records.changes.change(owner, "other", new AttributeChange("row", null, true));
                        }
                    }
                })
                .runAll();
        assertEveryRowOnce(owner, id);
        assertThat(test.get(owner, id).schema()).isEqualTo("line");
        assertThat(test.records.count(owner, "SELECT count(DISTINCT schema_id) FROM records.\"records_@\""))
                .isOne();
    }

    @Test
    void aChunkWaitsForItsSchemaBeforeItHoldsItsImport() throws Exception {
        var owner = counting();
        var id = test.start(owner, "row", TestImports.CSV, "n\n1\n");
        var db = test.records.db;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ended = db.inTransaction(tx -> {
                tx.query("SELECT version FROM %s FOR UPDATE"
                                .formatted(owner.tables().schemas()))
                        .mapTo(Integer.class)
                        .list();
                var running = threads.submit(() -> test.worker().runAll());
                Awaitility.await()
                        .until(() -> db.read(
                                reads -> reads.query("""
                                SELECT EXISTS (
                                    SELECT FROM pg_stat_activity
                                    WHERE datname = current_database() AND wait_event_type = 'Lock')
                                """).mapTo(Boolean.class).one()));
                // As a rename of the schema does, which holds it already.
                assertThat(tx.query("SELECT id FROM records.imports WHERE id = :id FOR UPDATE NOWAIT")
                                .bind("id", id.value())
                                .mapTo(Long.class)
                                .list())
                        .hasSize(1);
                return running;
            });
            ended.get();
        }
        assertThat(test.get(owner, id).state()).isEqualTo(ImportState.DONE);
    }

    private void expireLeases() {
        test.records.db.useTransaction(tx -> tx.update(
                        "UPDATE records.imports SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL")
                .execute());
    }

    @Test
    void twoNodesShareTheWorkAndDoubleNothing() {
        var owner = counting();
        var other = counting();
        var one = test.start(owner, "row", TestImports.CSV, numbers());
        var two = test.start(other, "row", TestImports.CSV, numbers());
        var here = test.worker().start();
        var there = test.worker().start();
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> test.get(owner, one).state().isOver()
                            && test.get(other, two).state().isOver());
        } finally {
            here.close();
            there.close();
        }
        assertEveryRowOnce(owner, one);
        assertEveryRowOnce(other, two);
    }

    @Test
    void anImportThatFailsAgainAndAgainIsGivenUp() {
        var owner = counting();
        var id = test.start(owner, "row", TestImports.CSV, numbers());
        var failing = test.worker(Duration.ofMinutes(5), work -> {
            throw new IllegalStateException("the disk is full");
        });
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(failing::runAll).hasMessage("the disk is full");
            expireLeases();
        }
        failing.runAll();
        assertThat(test.get(owner, id).failure()).hasToString("It failed 5 times at the same place.");
        assertThat(test.values(owner, 0)).isEqualTo(Map.of());
    }
}
