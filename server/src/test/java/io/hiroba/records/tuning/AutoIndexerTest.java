package io.hiroba.records.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.db.Db;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RecordsProblem;
import io.hiroba.testkit.ManyRecords;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class AutoIndexerTest {

    private static final ManyRecords many = new ManyRecords();
    private static final Statistics statistics = new Statistics(many.db).start();
    private static final Indexes indexes = new Indexes(many.db, many.accounts.clock, many.catalog);
    private static final AttributeUsage usage = new AttributeUsage(many.db, many.accounts.clock).start();
    private static final ProjectAccess access = many.project();
    private static final ProjectTables tables = access.tables();

    static {
        many.fill(tables, 12_000);
        statistics.refresh(tables, many.schema(tables));
    }

    @AfterAll
    static void close() {
        usage.close();
        statistics.close();
        many.close();
    }

    private static AutoIndexer care(Db db) {
        return new AutoIndexer(db, many.accounts.clock, indexes, many.catalog).start();
    }

    private static void use(AttributeUsage counted, ProjectTables of, int times) {
        var schema = many.schema(of);
        for (int i = 0; i < times; i++) {
            counted.sorted(of, schema, many.attribute(of, "price"));
            counted.filtered(of, schema, many.attribute(of, "price"));
            counted.filtered(of, schema, many.attribute(of, "active"));
            counted.prefixed(of, schema, many.attribute(of, "title"));
            counted.together(of, schema, many.attribute(of, "status"), many.attribute(of, "soldAt"));
        }
        counted.flush();
    }

    private static List<String> reasons(ProjectAccess of) {
        return indexes.overview(of).proposals().stream()
                .map(proposal -> proposal.reason().toString())
                .toList();
    }

    @Test
    void useBecomesProposalsAndWhereSwitchedOnIndexes() throws Exception {
        var project = many.project();
        many.fill(project.tables(), 10_500);
        statistics.refresh(project.tables(), many.schema(project.tables()));
        use(usage, project.tables(), 60);
        try (var second = Db.open(many.accounts.database.config());
                var elsewhere = new AttributeUsage(second, many.accounts.clock).start()) {
            use(elsewhere, project.tables(), 540);
        }
        assertThat(reasons(project))
                .containsExactly(
                        "`price` was sorted by 600 times and filtered by 600 times in 7 days, among 10,500 records.",
                        "`title` was searched by its beginning 600 times in 7 days, among 10,500 records.",
                        "`soldAt` was sorted by 600 times within one value of `status` in 7 days, among 10,500 records.");

        try (var care = care(many.db)) {
            care.adjust();
            assertThat(indexes.overview(project).indexes())
                    .as("nobody consented")
                    .isEmpty();

            many.projects.change(many.owner, project.project().id(), null, true);
            inTwoThreads(care::adjust);
        }
        assertThat(indexes.overview(project).indexes()).singleElement().satisfies(index -> {
            assertThat(index.askedBy()).isNull();
            assertThat(index.reason().toString()).contains("price");
        });
    }

    private static void inTwoThreads(Runnable work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : List.of(threads.submit(work), threads.submit(work))) {
                done.get();
            }
        }
    }

    @Test
    void fewRecordsNeedNoIndexAndOldUseIsForgotten() {
        var small = many.project();
        many.fill(small.tables(), 100);
        statistics.refresh(small.tables(), many.schema(small.tables()));
        use(usage, small.tables(), 200);
        assertThat(reasons(small)).isEmpty();

        use(usage, tables, 200);
        assertThat(reasons(access)).hasSize(3);
        many.accounts.clock.advance(Duration.ofDays(9));
        assertThat(reasons(access)).isEmpty();
    }

    @Test
    void anIndexNobodyUsesForAMonthGoesAndOneInUseStays() {
        var project = many.project();
        many.fill(project.tables(), 20_000);
        many.projects.change(many.owner, project.project().id(), null, true);
        var used = request(project, "price");
        var idle = request(project, "title");
        try (var _ = new IndexBuilder(many.db, many.accounts.clock, many.catalog, statistics).start();
                var care = care(many.db)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> find(project, used).effect() != null
                            && find(project, idle).effect() != null);
            care.adjust();
            many.accounts.clock.advance(Duration.ofDays(20));
            long before = find(project, used).scans();
            scan(project, used);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> find(project, used).scans() > before);
            care.adjust();
            // What was counted is still known when the database has forgotten.
            long counted = find(project, used).scans();
            many.db.read(reads -> reads.query("SELECT CAST(pg_stat_reset() AS text)")
                    .mapTo(String.class)
                    .list());
            care.adjust();
            assertThat(find(project, used).scans()).isGreaterThanOrEqualTo(counted);

            many.accounts.clock.advance(Duration.ofDays(20));
            care.adjust();
            assertThat(find(project, used).state()).isEqualTo(IndexState.READY);
            // Dropping takes 20 seconds on purpose.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> indexes.overview(project).indexes().stream()
                            .filter(index -> index.state() == IndexState.READY)
                            .map(StoredIndex::name)
                            .toList()
                            .equals(List.of(used.name())));
        }
    }

    private static StoredIndex request(ProjectAccess of, String attribute) {
        return many.db.inTransaction(tx -> indexes.create(tx, of, ManyRecords.SCHEMA, List.of(attribute)));
    }

    private static StoredIndex find(ProjectAccess of, StoredIndex index) {
        return indexes.overview(of).indexes().stream()
                .filter(each -> each.name().equals(index.name()))
                .findFirst()
                .orElseThrow();
    }

    private static void scan(ProjectAccess of, StoredIndex index) {
        var hot = new HotIndexes(many.db)
                .of(of.tables(), many.schema(of.tables())).stream()
                        .filter(each -> each.name().equals(index.name()))
                        .findFirst()
                        .orElseThrow();
        many.db.useTransaction(tx -> {
            tx.update("SET LOCAL enable_seqscan = off").execute();
            tx.query("SELECT doc FROM %s WHERE schema_id = 100 AND %s > 5 ORDER BY %2$s, row_id LIMIT 5"
                            .formatted(of.tables().records(), hot.orderSql("doc")))
                    .mapTo(String.class)
                    .list();
        });
    }

    @Test
    void aSchemaHasNoMoreThanEightIndexesOfItsOwn() {
        var project = many.project();
        var pairs = List.of(
                List.of("title"),
                List.of("price"),
                List.of("soldAt"),
                List.of("status"),
                List.of("status", "price"),
                List.of("status", "title"),
                List.of("active", "price"),
                List.of("active", "title"));
        pairs.forEach(pair -> many.db.inTransaction(tx -> indexes.create(tx, project, ManyRecords.SCHEMA, pair)));
        assertThatThrownBy(() -> many.db.inTransaction(
                        tx -> indexes.create(tx, project, ManyRecords.SCHEMA, List.of("active", "soldAt"))))
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("records.too-many-indexes"));
        // One that is wanted already may be asked for again.
        many.db.inTransaction(tx -> indexes.create(tx, project, ManyRecords.SCHEMA, List.of("title")));
        assertThat(indexes.overview(project).indexes()).hasSize(8);
        indexes.overview(project).indexes().forEach(index -> indexes.drop(project, index.name()));
    }

    @Test
    void useOfAProjectThatIsGoneIsPassedOver() {
        var gone = many.project();
        var kept = many.project();
        var price = many.attribute(gone.tables(), "price");
        var schema = many.schema(gone.tables());
        usage.sorted(gone.tables(), schema, price);
        usage.sorted(kept.tables(), many.schema(kept.tables()), price);
        many.projects.delete(many.owner, gone.project().id());
        usage.flush();
        assertThat(many.accounts.count("SELECT count(*) FROM records.attribute_use WHERE project_id = "
                        + kept.project().id().value()))
                .isEqualTo(1);
    }
}
