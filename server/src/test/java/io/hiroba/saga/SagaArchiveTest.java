package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class SagaArchiveTest {

    private static final Instant START = Instant.parse("2026-01-02T10:00:00Z");
    private static final Duration KEPT = Duration.ofDays(90);

    private static final TestDatabase database = TestDatabase.create();

    private final SettableClock clock = new SettableClock(START);
    private final UuidV7 ids = new UuidV7(clock);

    @TempDir
    Path temp;

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        execute("TRUNCATE saga.saga_states CASCADE");
    }

    @Test
    void whatEndedLongAgoIsWrittenWithAllThatBelongsToItAndDeleted() throws IOException {
        var old = saga("COMPLETED");
        execute("""
                INSERT INTO saga.saga_step_logs (saga_id, step_index, action, attempt, step_name, status, request_payload,
                                                 response_payload, error_message, started_at, completed_at)
                VALUES ('%1$s', 0, 'EXECUTE', 1, 'reserve', 'TIMEOUT', '{"a": 1}', NULL, 'too late', now(), now()),
                       ('%1$s', 0, 'EXECUTE', 2, 'reserve', 'FAILED', '{"a": 1}', NULL, '%2$s', now(), now()),
                       ('%1$s', 0, 'EXECUTE', 3, 'reserve', 'SUCCESS', '{"a": 1}', '{"b": 2}', NULL, now(), now())
                """.formatted(old, StoredText.write(Text.of("saga.journal.unreachable"))));
        execute(
                "INSERT INTO saga.signals (saga_id, name, payload, sent_by) VALUES ('%s', 'approve', '{\"ok\": true}', 'ann')"
                        .formatted(old));
        var failed = saga("FAILED");
        var waiting = saga("RUNNING");
        clock.advance(KEPT.minusMinutes(5));
        assertThat(archive(temp).sweep()).as("not old enough").isZero();
        var young = saga("CANCELLED");
        clock.advance(Duration.ofMinutes(10));

        assertThat(archive(temp).sweep()).isEqualTo(2);
        assertThat(sagas()).containsExactlyInAnyOrder(waiting, young);
        assertThat(files()).containsExactly("sagas-2026-01-02-%s.jsonl".formatted(old));
        var lines = lines(temp);
        assertThat(lines).extracting(line -> line.path("id").asString()).containsExactly(old, failed);
        var line = lines.getFirst();
        assertThat(line.path("status").asString()).isEqualTo("COMPLETED");
        assertThat(line.path("payload").toString()).isEqualTo("{\"note\":\"a\\nb\"}");
        assertThat(line.path("createdAt").asString()).isEqualTo("2026-01-02T10:00:00+00:00");
        assertThat(line.path("steps"))
                .extracting(step -> step.path("errorMessage").asString(null))
                .containsExactly("too late", "the service could not be reached, or the connection broke", null);
        assertThat(line.path("steps").path(2).path("response").toString()).isEqualTo("{\"b\":2}");
        assertThat(line.path("signals").path(0).path("name").asString()).isEqualTo("approve");
        assertThat(count("saga_step_logs") + count("signals")).isZero();
    }

    @Test
    void approvalsAttributesAndWhatMayHaveTakenEffectAreKept() throws IOException {
        var old = saga("COMPLETED");
        execute("UPDATE saga.saga_states SET priority = 8, updated_at = updated_at + interval '1 ms' WHERE id = '%s'"
                .formatted(old));
        execute("""
                INSERT INTO saga.saga_step_logs (saga_id, step_index, action, attempt, step_name, status, maybe_done, started_at,
                                                 completed_at)
                VALUES ('%s', 0, 'EXECUTE', 1, 'reserve', 'TIMEOUT', true, now(), now())
                """.formatted(old));
        execute("""
                INSERT INTO saga.saga_attributes (saga_id, name, text_value, number_value)
                VALUES ('%1$s', 'customer', 'Ada', NULL), ('%1$s', 'total', NULL, 12.5)
                """.formatted(old));
        execute("""
                INSERT INTO saga.approvals (id, saga_id, step_index, step_name, title, body, form, quorum, state, closed_at)
                VALUES (7, '%s', 1, 'decide', 'Sign', 'A *text*', '[]', 1, 'approved', now())
                """.formatted(old));
        execute("""
                INSERT INTO saga.approval_decisions (approval_id, number, user_id, approved, comment, answers)
                VALUES (7, 1, NULL, true, 'fine', '{"amount": 3}')
                """);
        clock.advance(KEPT.plusDays(1));
        assertThat(archive(temp).sweep()).isEqualTo(1);
        var line = lines(temp).getFirst();
        assertThat(line.path("priority").asInt()).isEqualTo(8);
        assertThat(line.path("attributes").toString()).isEqualTo("{\"total\":12.5,\"customer\":\"Ada\"}");
        assertThat(line.at("/steps/0/maybeDone").asBoolean()).isTrue();
        var approval = line.at("/approvals/0");
        assertThat(approval.path("stepName").asString() + " "
                        + approval.path("state").asString())
                .isEqualTo("decide approved");
        assertThat(approval.at("/decisions/0/comment").asString()).isEqualTo("fine");
        assertThat(approval.at("/decisions/0/answers").toString()).isEqualTo("{\"amount\":3}");
    }

    @Test
    void childrenAreKeptAsLongAsTheSagaAtTheRootMayHaveThemUndone() throws IOException {
        var root = saga("RUNNING");
        var child = childOf(root, root, saga("COMPLETED"));
        var grandchild = childOf(child, root, saga("COMPLETED"));
        clock.advance(KEPT.plusDays(1));
        assertThat(archive(temp).sweep()).isZero();
        execute(
                "UPDATE saga.saga_states SET status = 'COMPLETED', updated_at = updated_at + interval '1 ms' WHERE id = '%s'"
                        .formatted(root));
        assertThat(archive(temp).sweep()).isEqualTo(3);
        assertThat(lines(temp))
                .extracting(line -> line.path("parentId").asString(null))
                .containsExactly(null, root, child);
        assertThat(grandchild).isNotEqualTo(child);
    }

    private String childOf(String parent, String root, String id) {
        execute("""
                UPDATE saga.saga_states
                SET parent_id = '%s', parent_step = 0, child_index = 0, child_count = 1, root_id = '%s', updated_at = updated_at
                    + interval '1 ms'
                WHERE id = '%s'
                """.formatted(parent, root, id));
        return id;
    }

    @Test
    void howOldASagaIsTheDatabaseTells() {
        clock.set(Instant.now().minus(KEPT).plus(Duration.ofHours(1)));
        saga("COMPLETED");
        assertThat(new SagaArchive(database.db(), KEPT, temp).sweep()).isZero();
        assertThat(new SagaArchive(database.db(), KEPT.minusHours(2), temp).sweep())
                .isEqualTo(1);
    }

    @Test
    void aSagaThatIsLargerThanAnyValueOfTheDatabaseIsWrittenToo() throws IOException {
        var large = saga("COMPLETED");
        execute("""
                INSERT INTO saga.saga_step_logs (saga_id, step_index, action, attempt, step_name, status, response_payload,
                                                 started_at, completed_at)
                SELECT '%s', 0, 'EXECUTE', n, 'reserve', 'SUCCESS', to_jsonb(repeat('x', 1000000)), now(), now()
                FROM generate_series(1, 280) AS n
                """.formatted(large));
        saga("COMPLETED");
        clock.advance(KEPT.plusDays(1));
        assertThat(archive(temp).sweep()).isEqualTo(2);
        assertThat(sagas()).isEmpty();
        assertThat(Files.size(temp.resolve(files().getFirst()))).isGreaterThan(280_000_000);
    }

    @Test
    void howeverManyAreOldTheyGoInBatches() throws IOException {
        sagas(2 * SagaArchive.BATCH_SIZE + 7);
        clock.advance(KEPT.plusDays(1));
        assertThat(archive(temp).sweep()).isEqualTo(2 * SagaArchive.BATCH_SIZE + 7);
        assertThat(sagas()).isEmpty();
        assertThat(files()).hasSize(3);
        assertThat(distinct(lines(temp))).isEqualTo(2 * SagaArchive.BATCH_SIZE + 7);
    }

    @Test
    void twoNodesAtOnceNeitherLoseNorDouble() throws Exception {
        int many = 4 * SagaArchive.BATCH_SIZE;
        sagas(many);
        clock.advance(KEPT.plusDays(1));
        var together = new CountDownLatch(2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> node = () -> {
                together.countDown();
                together.await();
                return archive(temp).sweep();
            };
            int archived = 0;
            for (var each : threads.invokeAll(List.of(node, node))) {
                archived += each.get();
            }
            assertThat(archived).isEqualTo(many);
        }
        assertThat(sagas()).isEmpty();
        assertThat(lines(temp)).hasSize(many);
        assertThat(distinct(lines(temp))).isEqualTo(many);
    }

    @Test
    void aCrashAfterTheFileLeavesTheSagasAndTheFileIsWrittenAgain() throws IOException {
        var first = saga("COMPLETED");
        saga("FAILED");
        clock.advance(KEPT.plusDays(1));
        var crashing = new SagaArchive(database.db(), kept(), temp, () -> {
            throw new IllegalStateException("the process ends here");
        });
        assertThatThrownBy(crashing::sweep).hasMessageContaining("ends here");
        assertThat(sagas()).hasSize(2);
        assertThat(files()).hasSize(1);

        assertThat(archive(temp).sweep()).isEqualTo(2);
        assertThat(files()).containsExactly("sagas-2026-01-02-%s.jsonl".formatted(first));
        assertThat(lines(temp)).hasSize(2);
    }

    @Test
    void aFileThatACrashLeftGoesWhenAnOlderSagaComesBeforeIt() throws IOException {
        var slow = saga("RUNNING");
        saga("COMPLETED");
        clock.advance(KEPT.plusDays(1));
        var crashing = new SagaArchive(database.db(), kept(), temp, () -> {
            throw new IllegalStateException("the process ends here");
        });
        assertThatThrownBy(crashing::sweep).hasMessageContaining("ends here");
        execute("UPDATE saga.saga_states SET status = 'COMPLETED', updated_at = '2026-01-03' WHERE id = '%s'"
                .formatted(slow));

        assertThat(archive(temp).sweep()).isEqualTo(2);
        assertThat(files()).containsExactly("sagas-2026-01-02-%s.jsonl".formatted(slow));
        assertThat(lines(temp)).hasSize(2);
    }

    @Test
    void nothingIsDeletedThatCannotBeWritten() throws IOException {
        var first = saga("COMPLETED");
        clock.advance(KEPT.plusDays(1));
        var file = Files.writeString(temp.resolve("file"), "not a folder");
        assertThatThrownBy(() -> archive(file.resolve("archive")).sweep()).isInstanceOf(UncheckedIOException.class);
        assertThat(sagas()).containsExactly(first);

        // A disk without room.
        var full = Files.createDirectory(temp.resolve("full"));
        Files.createSymbolicLink(full.resolve("sagas-2026-01-02-%s.jsonl.tmp".formatted(first)), Path.of("/dev/full"));
        assertThatThrownBy(() -> archive(full).sweep()).isInstanceOf(UncheckedIOException.class);
        assertThat(sagas()).containsExactly(first);
        assertThat(lines(full)).isEmpty();

        assertThat(archive(full).sweep()).isEqualTo(1);
        assertThat(lines(full)).hasSize(1);
    }

    @Test
    void whatSomebodyHoldsIsLeftToTheNextSweep() throws IOException {
        var held = saga("COMPLETED");
        saga("COMPLETED");
        clock.advance(KEPT.plusDays(1));
        database.db().useTransaction(tx -> {
            tx.query("SELECT id FROM saga.saga_states WHERE id = :id FOR UPDATE")
                    .bind("id", UUID.fromString(held))
                    .mapTo(UUID.class)
                    .one();
            assertThat(archive(temp).sweep()).isEqualTo(1);
        });
        assertThat(sagas()).containsExactly(held);
        assertThat(archive(temp).sweep()).isEqualTo(1);
        assertThat(distinct(lines(temp))).isEqualTo(2);
    }

    @Test
    void whatWaitsAndWhatIsYoungIsNotReadOnTheWay() {
        execute("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload)
                SELECT ('0199aaaa-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'order', 1,
                       CASE WHEN n < 20000 THEN 'RUNNING' ELSE 'COMPLETED' END, '{}'
                FROM generate_series(0, 39999) AS n
                """);
        clock.set(Instant.parse("2025-09-01T00:00:00Z").plus(KEPT));
        execute("ANALYZE saga.saga_states");
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> SagaArchiveStore.query(
                            reads,
                            "EXPLAIN (ANALYZE, FORMAT JSON) " + SagaArchiveStore.OLD,
                            clock.instant().minus(KEPT),
                            SagaArchive.BATCH_SIZE));
            assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(10);
        }
    }

    private SagaArchive archive(Path folder) {
        return new SagaArchive(database.db(), kept(), folder);
    }

    /** The database keeps its own time: so long ago is what the clock of this test holds for {@link #KEPT} ago. */
    private Duration kept() {
        return Duration.between(clock.instant(), Instant.now()).plus(KEPT);
    }

    private String saga(String status) {
        var id = ids.next();
        database.db()
                .useTransaction(tx -> tx.update("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload, created_at, updated_at)
                VALUES (:id, 'order', 1, :status, '{"note": "a\\nb"}', :now, :now)
                """)
                        .bind("id", id)
                        .bind("status", status)
                        .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                        .execute());
        return id.toString();
    }

    private void sagas(int count) {
        var made = IntStream.range(0, count).mapToObj(i -> ids.next()).toArray();
        database.db()
                .useTransaction(tx -> tx.update("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, status, payload, created_at, updated_at)
                SELECT id, 'order', 1, (ARRAY['COMPLETED', 'FAILED', 'CANCELLED'])[1 + n % 3], '{}', :now, :now
                FROM unnest(:ids) WITH ORDINALITY AS t (id, n)
                """)
                        .bindArray("ids", UUID.class, made)
                        .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                        .execute());
    }

    private static void execute(String sql) {
        database.db().useTransaction(tx -> tx.update(sql).execute());
    }

    private static int count(String table) {
        return database.db()
                .read(reads -> reads.query("SELECT count(*) FROM saga." + table)
                        .mapTo(Integer.class)
                        .one());
    }

    private static List<String> sagas() {
        return database.db()
                .read(reads -> reads.query("SELECT id::text FROM saga.saga_states ORDER BY id")
                        .mapTo(String.class)
                        .list());
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(temp)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<JsonNode> lines(Path folder) throws IOException {
        var lines = new ArrayList<JsonNode>();
        try (var files = Files.list(folder)) {
            for (var file : files.filter(each -> each.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                Files.readAllLines(file)
                        .forEach(line -> lines.add(JsonMapper.shared().readTree(line)));
            }
        }
        return lines;
    }

    private static int distinct(List<JsonNode> lines) {
        return (int) lines.stream()
                .map(line -> line.path("id").asString())
                .distinct()
                .count();
    }
}
