package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RowId;
import io.hiroba.records.query.Aggregates.Function;
import io.hiroba.records.query.Aggregates.Group;
import io.hiroba.records.query.Aggregates.Measure;
import io.hiroba.records.query.Aggregates.Unit;
import io.hiroba.records.tuning.IndexBuilder;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.tuning.Statistics;
import io.hiroba.testkit.GoldenStatements;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of compiled queries: a page scans one index and looks at few records, however many there are. */
@Tag("slow")
class QueryPlansTest {

    private static final int ROWS = 20_000;
    private static final Pattern ACTUAL = Pattern.compile("actual time=\\S+ rows=(\\d+) loops=(\\d+)");

    private static TestRecords records;
    private static TestQueries queries;
    private static ProjectAccess owner;

    @BeforeAll
    static void fill() {
        records = new TestRecords();
        queries = new TestQueries(records);
        owner = records.project();
        records.schema(
                owner,
                "product",
                "name text required",
                "status text required",
                "price numeric required",
                "made datetime",
                "rating numeric",
                "tags multi_select enum=[\"odd\",\"even\",\"few\"]",
                "batch numeric");
        var schema = queries.schema(owner, "product");
        records.db.useTransaction(
                tx -> tx.update("""
                INSERT INTO records."records_@" (row_id, created_by, updated_by, schema_id, doc)
                SELECT CAST(lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0') AS uuid), 1, 1, :schema,
                       jsonb_build_array('name ' || md5(CAST(n AS text)), (ARRAY['active', 'active', 'sold', 'rare'])[1 + (n % 40 + 12) / 13],
                           (n * 7919) % 10007 / 10.0, 1700000000000000 + n * 1000000, (n % 50) / 10.0,
                           jsonb_build_array(CASE WHEN n % 500 = 0 THEN 'few' WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END),
                           n % 50)
                FROM generate_series(CAST(1 AS bigint), :rows) AS n
                """.replace("@", owner.tables().suffix()))
                        .bind("schema", schema.id())
                        .bind("rows", ROWS)
                        .execute());
        Stream.of("records_", "eav_", "choices_")
                .forEach(table -> vacuum(table + owner.tables().suffix()));
        queries.refresh(owner, "product");
    }

    private static void vacuum(String table) {
        try (var connection = records.db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM ANALYZE records.\"" + table + "\"");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    static void close() {
        queries.close();
        records.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "range, sorted | {'attr':'price','op':'between','value':[100,500]} | price | numeric_values_idx | 21",
                "range, two conditions | {'and':[{'attr':'price','op':'between','value':[100,500]},{'attr':'status','value':'active'}]} | price | numeric_values_idx | 100",
                "three conditions | {'and':[{'attr':'price','op':'between','value':[100,500]},{'attr':'status','value':'active'},{'attr':'rating','op':'gt','value':2}]} | -price | numeric_values_idx | 200",
                "exact | {'attr':'status','value':'sold'} | createdAt | text_values_idx | 21",
                "prefix | {'attr':'name','op':'startsWith','value':'name a'} | name | text_values_idx | 21",
                "sorted top | {} | -made | date_values_idx | 21",
                "all by id | {} | createdAt | records_ | 21",
                "rare value in another order | {'attr':'name','value':'name c4ca4238a0b923820dcc509a6f75849b'} | price | text_values_idx | 1",
                "or | {'or':[{'attr':'name','value':'name c4ca4238a0b923820dcc509a6f75849b'},{'attr':'price','value':55.5}]} | price | values_idx | 10",
                "not | {'not':{'attr':'status','value':'rare'}} | price | numeric_values_idx | 200",
            })
    void aPageScansOneIndex(String shape, String where, String order, String index, int most) {
        var query = RecordQuery.all("product")
                .where(ConditionParser.condition(TestRecords.json(where)))
                .sortedBy(RecordSort.of(order));
        scans(shape, query, index, most);
        golden(shape, query);
    }

    private static void golden(String shape, RecordQuery query) {
        check(
                shape.replaceAll("[^a-z]+", "-"),
                queries.queries
                        .explain(owner.caller(), owner.project().id(), query)
                        .sql());
    }

    private static void check(String name, String sql) {
        GoldenStatements.check("records", name, sql.replace(owner.tables().suffix(), "@"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | 5",
                "{'attr':'price','op':'gt','value':300} | 5",
                "{'attr':'made','op':'lt','value':'2023-11-15T02:00:00Z'} | 5",
                "{'and':[{'attr':'price','op':'gt','value':100},{'attr':'price','op':'lt','value':700},{'attr':'rating','op':'gte','value':1}]} | 8",
                "{'and':[{'attr':'status','value':'active'},{'attr':'made','op':'lt','value':'2023-11-15T00:00:00Z'},{'attr':'rating','op':'gt','value':2}]} | 8",
                "{'or':[{'attr':'price','op':'lt','value':200},{'attr':'rating','op':'lt','value':1}]} | 8",
                "{'not':{'attr':'status','value':'active'}} | 8",
                "{'attr':'name','op':'contains','value':'ab'} | 8",
                "{'and':[{'attr':'status','value':'active'},{'attr':'name','op':'contains','value':'abc'}]} | 25",
            })
    void anEstimateSaysThatItIsOneAndIsNearTheTruth(String where, int percent) {
        var query = RecordQuery.all("product").where(ConditionParser.condition(TestRecords.json(where)));
        var caller = owner.caller();
        var project = owner.project().id();
        var exact = Objects.requireNonNull(queries.queries
                .page(caller, project, query.counting(RecordQuery.Count.EXACT))
                .count());
        var estimate = Objects.requireNonNull(queries.queries
                .page(caller, project, query.counting(RecordQuery.Count.ESTIMATE))
                .count());
        assertThat(exact.exact()).isTrue();
        assertThat(estimate.exact()).isFalse();
        assertThat(estimate.text()).startsWith("≈ ");
        assertThat((double) estimate.value()).isCloseTo((double) exact.value(), Percentage.withPercentage(percent));
    }

    @Test
    void anEstimateIsNeverBelowWhatWasSeen() {
        assertThat(BoundedCount.rounded(1923, 20)).isEqualTo(1900);
        assertThat(BoundedCount.rounded(1923, 1910)).isEqualTo(2000);
        assertThat(BoundedCount.rounded(0.2, 5001)).isEqualTo(5100);
        assertThat(BoundedCount.rounded(7, 3)).isEqualTo(7);
    }

    @Test
    void aCountOfSomeThousandsIsExactAndLooksAtNoMore() {
        var query = RecordQuery.all("product").where(ConditionParser.condition(TestRecords.json("""
                {'and':[{'attr':'price','op':'gt','value':500},{'attr':'price','op':'lt','value':600},{'attr':'rating','op':'gte','value':0}]}
                """)));
        assertThat(queries.queries
                        .page(owner.caller(), owner.project().id(), query.counting(RecordQuery.Count.ESTIMATE))
                        .count())
                .isEqualTo(queries.queries
                        .page(owner.caller(), owner.project().id(), query.counting(RecordQuery.Count.EXACT))
                        .count());
    }

    @Test
    void anAggregationIsOneStatement() {
        var count = new Measure(Function.COUNT, null);
        var price = new Measure(Function.SUM, "price");
        var sold = ConditionParser.condition(TestRecords.json("{'attr':'status','value':'sold'}"));
        check(
                "aggregate-count",
                aggregate(new Aggregates.Query("product", null, List.of(), List.of(count), 10, "UTC", false)));
        check(
                "aggregate-count-by-index-alone",
                aggregate(new Aggregates.Query("product", sold, List.of(), List.of(count), 10, "UTC", false)));
        check(
                "aggregate-by-month-and-status",
                aggregate(new Aggregates.Query(
                        "product",
                        sold,
                        List.of(new Group("made", Unit.MONTH), new Group("status", null)),
                        List.of(count, price),
                        10,
                        "Asia/Tokyo",
                        false)));
        check(
                "aggregate-largest-first",
                aggregate(new Aggregates.Query(
                        "product", sold, List.of(new Group("status", null)), List.of(price), 10, "UTC", true)));
    }

    private static String aggregate(Aggregates.Query query) {
        return queries.queries.aggregates(owner, query).statement().text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'attr':'tags','value':'even'} | createdAt | 21",
                "{'attr':'tags','op':'hasAll','value':['few']} | price | 40",
                "{'attr':'tags','op':'in','value':['few','none']} | price | 40"
            })
    void optionsOfListsHaveAnIndex(String where, String order, int most) {
        var query = RecordQuery.all("product")
                .where(ConditionParser.condition(TestRecords.json(where)))
                .sortedBy(RecordSort.of(order));
        scans(where, query, "choices_", most);
    }

    @Test
    void theNextPageBeginsWhereTheLastEndedWithoutReadingIt() {
        var query = RecordQuery.all("product")
                .where(ConditionParser.condition(TestRecords.json("{'attr':'price','op':'gte','value':100}")))
                .sortedBy(RecordSort.of("price"))
                .limit(100);
        var first = queries.queries.page(owner.caller(), owner.project().id(), query);
        scans("next page", query.limit(20).after(first.next()), "numeric_values_idx", 21);
    }

    @Test
    void aRecordThatAWalkFoundIsLookedUpByTheHashOfItsId() {
        var query = RecordQuery.all("product").sortedBy(RecordSort.of("price"));
        var plan = queries.queries
                .explain(owner.caller(), owner.project().id(), query)
                .plan();
        assertThat(plan).anyMatch(line -> line.contains("Index Scan using records_") && line.contains("_row_idx"));
    }

    @Test
    void anIndexThatFollowsUseServesAnExactMatchInTheOrderOfTheIds() {
        var query = RecordQuery.all("product")
                .where(ConditionParser.condition(TestRecords.json("{'attr':'rating','value':3.5}")));
        var before = twoPages(query);
        var indexes = new Indexes(records.db, Clock.systemUTC(), records.catalog);
        try (var statistics = new Statistics(records.db).start();
                var _ = new IndexBuilder(records.db, Clock.systemUTC(), records.catalog, statistics).start()) {
            indexes.create(owner, "product", List.of("rating"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> scans("exact, by an index that follows use", query, "hot_", 21));
        }
        assertThat(twoPages(query)).isEqualTo(before).hasSize(40);
    }

    @Test
    void noRecordIsLookedUpThatAnIndexTellsDoesNotMatch() {
        var query = RecordQuery.all("product")
                .where(ConditionParser.condition(
                        TestRecords.json("{'and':[{'attr':'status','value':'sold'},{'attr':'batch','value':0}]}")))
                .sortedBy(RecordSort.of("price"));
        var plan = queries.queries
                .explain(owner.caller(), owner.project().id(), query)
                .plan();
        assertThat(String.join("\n", plan)).contains("hashed SubPlan").contains("numeric_values_idx");
        var page = queries.queries.page(owner.caller(), owner.project().id(), query);
        assertThat(page.rows()).hasSize(20);
    }

    /** As the design document asks by hand: ids go up with time, so a record's values stand together. */
    @Test
    void allValuesOfARecordAreReadFromAFewPages() {
        var plan = records.db.read(
                reads -> reads.query("""
                        EXPLAIN (ANALYZE, TIMING off)
                        SELECT a.attr_name, e.value_text, e.value_numeric, e.value_date, e.value_jsonb
                        FROM records."eav_@" AS e
                        JOIN records."attributes_@" AS a ON a.attr_id = e.attr_id AND a.schema_id = e.schema_id
                        WHERE e.schema_id = 100 AND e.row_id = (
                            SELECT row_id FROM records."records_@" WHERE schema_id = 100 ORDER BY row_id OFFSET 500 LIMIT 1)
                        """.replace("@", owner.tables().suffix()))
                        .mapTo(String.class)
                        .list());
        assertThat(String.join("\n", plan))
                .contains("Bitmap Index Scan on eav_" + owner.tables().suffix() + "_row_idx")
                .doesNotContain("Seq Scan on eav_");
    }

    private static List<RowId> twoPages(RecordQuery query) {
        var first = queries.queries.page(owner.caller(), owner.project().id(), query);
        var second = queries.queries.page(owner.caller(), owner.project().id(), query.after(first.next()));
        return Stream.of(first, second)
                .flatMap(page -> page.rows().stream())
                .map(ResultRow::id)
                .toList();
    }

    private static void scans(String shape, RecordQuery query, String index, int most) {
        var plan = queries.queries
                .explain(owner.caller(), owner.project().id(), query)
                .plan();
        var text = String.join("\n", plan);
        assertThat(text)
                .as(shape)
                .contains(index)
                .doesNotContain("Seq Scan on records_")
                .doesNotContain("Seq Scan on eav_");
        var walked = plan.stream()
                .filter(line -> line.contains(index) && line.contains("Scan"))
                .map(ACTUAL::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)) * Long.parseLong(found.group(2)))
                .max();
        assertThat(walked.orElseThrow()).as("%s\n%s", shape, text).isLessThanOrEqualTo(most);
    }
}
