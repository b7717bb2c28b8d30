package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries and aggregations over HTTP. */
class QueryApiTest {

    private static Square square;
    private static ApiClient owner;
    private static ApiClient viewer;
    private static ApiClient stranger;
    private static String project;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner").api();
        var lee = square.person("Lee");
        viewer = lee.api();
        stranger = square.person("Stranger").api();
        project = "/api/v1/projects/"
                + owner.post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        owner.put(project + "/members/" + lee.id(), "{'role': 'viewer'}");
        owner.post(project + "/schemas", """
                {'name': 'product', 'attributes': [
                    {'name': 'name', 'type': 'text', 'required': true},
                    {'name': 'price', 'type': 'numeric'},
                    {'name': 'status', 'type': 'text'}]}
                """);
        owner.post(project + "/records/product", """
                [{'name': 'a', 'price': 100.50, 'status': 'active'}, {'name': 'b', 'price': 7, 'status': 'active'},
                 {'name': 'c', 'price': 300, 'status': 'sold'}, {'name': 'd'}]
                """);
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static String names(ApiClient api, String path) {
        var names = new StringBuilder();
        api.get(project + path)
                .json()
                .path("items")
                .forEach(item -> names.append(item.path("values").path("name").asString()));
        return names.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "?price.gte=100&status=active, a",
        "?order=-price, cabd",
        "'?price.between=7,300&order=price', bac",
        "'?name.in=a,d', ad",
        "?price.missing=true, d",
        "?price.missing=, d",
        "?price.missing=false, abc",
        "?price.exists=false, d",
        "?price.exists=true, abc",
        "?name.ne=a&limit=1, b",
    })
    void anAddressSaysSimpleQuestions(String parameters, String expected) {
        assertThat(names(viewer, "/records/product" + parameters)).isEqualTo(expected);
    }

    @Test
    void groupsOfASelectAreInTheOrderOfItsOptions() {
        owner.post(project + "/schemas", """
                {'name': 'lead', 'attributes': [{'name': 'stage', 'type': 'text', 'enum': ['new', 'talking', 'lost', 'known']},
                 {'name': 'no', 'type': 'numeric'}]}""");
        for (var stage : List.of("'lost'", "'talking'", "null", "'new'", "'lost'")) {
            owner.post(project + "/records/lead", "{'stage': %s, 'no': 1}".formatted(stage));
        }
        var found = owner.post(project + "/aggregate", "{'schema': 'lead', 'groupBy': [{'attr': 'stage'}]}");
        assertThat(found.outcome()).as(found.body()).isEqualTo("200");
        assertThat(found.json().path("items").findValues("stage").toString())
                .isEqualTo("[\"new\", \"talking\", \"lost\", null]");
        var first = owner.post(
                project + "/aggregate",
                "{'schema': 'lead', 'groupBy': [{'attr': 'stage'}, {'attr': 'no'}], 'limit': 1}");
        assertThat(first.json().path("items").findValues("stage").toString()).isEqualTo("[\"new\"]");
    }

    @Test
    void whatIsNeitherTrueNorFalseIsRefused() {
        var reply = viewer.get(project + "/records/product?price.missing=banana");
        assertThat(reply.outcome()).isEqualTo("400 records.invalid");
        assertThat(reply.body()).contains("price.missing");
    }

    @Test
    void aSharedQueryDoesNotTellWhatItsReaderMayNotSee() {
        owner.post(project + "/schemas", """
                {'name': 'deal', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'margin', 'type': 'text'}]}
                """);
        owner.post(project + "/schemas", """
                {'name': 'step', 'attributes': [{'name': 'of', 'type': 'text', 'references': 'deal'}, {'name': 'no', 'type': 'numeric'}]}
                """);
        var shared =
                "{'name': '%s', 'shared': true, 'query': {'schema': '%s', 'where': {'not': {'attr': '%s', 'value': '%s'}},"
                        + "'sort': [{'attr': 'createdAt'}], 'select': ['%s']}}";
        var saved = project + "/saved-queries";
        var ids = List.of(
                owner.post(saved, shared.formatted("hidden", "deal", "margin", "topsecret", "name"))
                        .text("id"),
                owner.post(saved, shared.formatted("behind", "step", "of.margin", "topsecret", "no"))
                        .text("id"),
                owner.post(saved, shared.formatted("selected", "deal", "name", "y", "margin"))
                        .text("id"),
                owner.post(saved, shared.formatted("seen", "step", "of.name", "x", "no"))
                        .text("id"));
        owner.put(project + "/schemas/deal/rules", "{'hidden': ['margin']}");

        var list = viewer.get(saved);
        assertThat(list.body()).doesNotContain("topsecret", "margin").contains("of.name");
        assertThat(list.json()
                        .path("items")
                        .valueStream()
                        .map(each -> each.path("name").asString() + " "
                                + each.path("gone").booleanValue()))
                .contains("seen false", "selected true", "behind true", "hidden true");
        for (var id : ids) {
            var one = viewer.get(saved + "/" + id);
            assertThat(one.body()).doesNotContain("topsecret", "margin");
            assertThat(one.json().path("query").path("schema").asString()).isIn("deal", "step");
            var run = viewer.get(saved + "/" + id + "/records");
            assertThat(run.outcome()).isEqualTo(one.json().path("gone").asBoolean() ? "400 records.invalid" : "200");
            assertThat(run.body()).doesNotContain("topsecret", "margin");
        }
        // What is hidden is asked for as what is not there.
        for (var question : List.of(
                "/query {'schema': 'deal', 'where': {'attr': '%s', 'op': 'exists'}}",
                "/query {'schema': 'deal', 'sort': [{'attr': '%s'}]}",
                "/query {'schema': 'deal', 'select': ['%s']}",
                "/query {'schema': 'step', 'where': {'attr': 'of.%s', 'value': 'x'}}",
                "/query {'schema': 'step', 'select': ['of.%s']}",
                "/aggregate {'schema': 'deal', 'groupBy': [{'attr': '%s'}]}",
                "/aggregate {'schema': 'deal', 'measures': [{'fn': 'min', 'attr': '%s'}]}")) {
            var words = question.split(" ", 2);
            var hidden = viewer.post(project + words[0], words[1].formatted("margin"));
            var missing = viewer.post(project + words[0], words[1].formatted("nothing"));
            assertThat(hidden.outcome())
                    .as(question)
                    .isEqualTo(missing.outcome())
                    .startsWith("400");
            assertThat(hidden.json().path("errors").toString().replace("margin", "nothing"))
                    .isEqualTo(missing.json().path("errors").toString());
        }
        assertThat(owner.get(saved).body()).contains("topsecret");
        ids.forEach(id -> owner.delete(saved + "/" + id));
    }

    @Test
    void aSavedQueryWaitsForItsSchemaBeforeItIsHeld() throws Exception {
        var query = "{'name': 'Sold', 'query': {'schema': 'product', 'where': {'attr': 'status', 'value': 'sold'}}}";
        var id = owner.post(project + "/saved-queries", query).text("id");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answer = square.server.database().db().inTransaction(tx -> {
                var table = tx.query("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^schemas_'")
                        .mapTo(String.class)
                        .one();
                tx.query("SELECT version FROM records.\"%s\" FOR UPDATE".formatted(table))
                        .mapTo(Integer.class)
                        .list();
                var running = threads.submit(() -> owner.put(project + "/saved-queries/" + id, query));
                Awaitility.await()
                        .until(() -> square.server
                                .database()
                                .db()
                                .read(reads ->
                                        reads.query("""
                                SELECT EXISTS (
                                    SELECT FROM pg_stat_activity
                                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%')
                                """).mapTo(Boolean.class).one()));
                // As a rename of the schema does, which holds it already.
                assertThat(tx.query("SELECT id FROM records.saved_queries FOR UPDATE NOWAIT")
                                .mapTo(Long.class)
                                .list())
                        .hasSize(1);
                return running;
            });
            assertThat(answer.get().outcome()).isEqualTo("200");
        }
        owner.delete(project + "/saved-queries/" + id);
    }

    @Test
    void aPageShowsWhatWasAskedForAndGoesOn() {
        var first = viewer.post(project + "/query", """
                {'schema': 'product', 'where': {'attr': 'price', 'op': 'exists'}, 'sort': [{'attr': 'price', 'dir': 'desc'}],
                 'select': ['name', 'price'], 'limit': 2, 'count': 'exact'}
                """);
        assertThat(first.json().path("items").path(1).path("values").toString())
                .isEqualTo("{\"name\":\"a\",\"price\":100.5}");
        assertThat(first.json().path("count").toString()).isEqualTo("{\"value\":3,\"exact\":true,\"text\":\"3\"}");
        var next = viewer.post(
                project + "/query",
                "{'schema': 'product', 'where': {'attr': 'price', 'op': 'exists'}, 'sort': [{'attr': 'price', 'dir': 'desc'}], 'limit': 2, 'after': '%s'}"
                        .formatted(first.text("next")));
        assertThat(next.json().path("items")).hasSize(1);
        assertThat(next.json().path("next").isNull()).isTrue();
    }

    @Test
    void groupsAreNamedByTheirKeysAndMeasures() {
        var reply = viewer.post(project + "/aggregate", """
                {'schema': 'product', 'groupBy': [{'attr': 'status'}], 'measures': [{'fn': 'count'}, {'fn': 'avg', 'attr': 'price'}],
                 'order': 'value'}
                """);
        assertThat(reply.json().path("items").path(0).toString())
                .startsWith("{\"group\":{\"status\":\"active\"},\"values\":{\"count\":2,\"avg(price)\":53.75");
        assertThat(reply.json().path("complete").asBoolean()).isTrue();
    }

    @Test
    void theSqlIsForOwners() {
        var explained = owner.get(project + "/records/product?price.gte=1&explain=true");
        assertThat(explained.json().path("sql").asString()).contains("ORDER BY r.row_id");
        assertThat(explained.json().path("plan").isEmpty()).isFalse();
        assertThat(viewer.get(project + "/records/product?explain=true").outcome())
                .isEqualTo("403 records.owners-only");
    }

    @Test
    void whoIsNoMemberFindsNothing() {
        assertThat(stranger.get(project + "/records/product").outcome()).isEqualTo("404 records.no-project");
        assertThat(stranger.post(project + "/query", "{'schema': 'product'}").outcome())
                .isEqualTo("404 records.no-project");
        assertThat(stranger.post(project + "/aggregate", "{'schema': 'product'}")
                        .outcome())
                .isEqualTo("404 records.no-project");
    }

    @ParameterizedTest
    @CsvSource({
        "?price.gte=cheap",
        "?prise=1",
        "?price.startsWith=1",
        "?order=nothing",
        "?limit=101",
        "?count=some",
        "?after=nonsense",
        "?explain=perhaps",
        "'?name%22%3B%20DROP%20TABLE%20x%3B--=1'",
    })
    void whatCannotBeUnderstoodIsSaid(String parameters) {
        assertThat(viewer.get(project + "/records/product" + parameters).outcome())
                .startsWith("400 ");
    }

    @Test
    void theZoneOfARequestSaysWhichDayItIs() {
        owner.post(project + "/schemas", "{'name': 'visit', 'attributes': [{'name': 'day', 'type': 'date'}]}");
        owner.post(
                project + "/records/visit", "{'day': '%s'}".formatted(LocalDate.now(ZoneId.of("Pacific/Kiritimati"))));
        var body = "{'schema': 'visit', 'where': {'attr': 'day', 'op': 'within', 'value': 'today'}, 'timeZone': '%s'}";
        assertThat(found("query", body.formatted("Pacific/Kiritimati"))).isEqualTo(1);
        assertThat(found("query", body.formatted("Pacific/Pago_Pago"))).isZero();
        assertThat(viewer.post(project + "/query", body.formatted("Nowhere")).status())
                .isEqualTo(400);
        assertThat(viewer.get(project + "/records/visit?day.within=today/Pacific/Kiritimati")
                        .json()
                        .path("items"))
                .hasSize(1);
        var figures = viewer.post(project + "/aggregate", body.formatted("Pacific/Kiritimati"))
                .json()
                .path("items");
        assertThat(figures.path(0).path("values").path("count").asInt()).isEqualTo(1);
        var csv = viewer.get(project + "/exports/visit?timeZone=Pacific/Kiritimati&day.within=today");
        assertThat(csv.body().lines()).hasSize(2);
    }

    @Test
    void whoWatchesRelativeDaysIsToldAndTheirWordsStay() {
        owner.post(project + "/schemas", "{'name': 'duty', 'attributes': [{'name': 'due', 'type': 'date'}]}");
        var query = viewer.post(project + "/saved-queries", """
                {'name': 'Soon', 'notify': true,
                 'query': {'schema': 'duty', 'where': {'attr': 'due', 'op': 'within', 'value': 'next-30-days'}}}
                """);
        assertThat(query.outcome()).as(query.body()).isEqualTo("201");
        assertThat(query.body()).contains("next-30-days");
        var today = LocalDate.now(ZoneOffset.UTC);
        var duty = owner.post(project + "/records/duty", "{'due': '%s'}".formatted(today.plusDays(90)));
        var path = project + "/records/duty/" + duty.text("id");
        assertThat(owner.send("PATCH", path, "{'due': '%s'}".formatted(today.plusDays(9)))
                        .status())
                .isEqualTo(200);
        Awaitility.await()
                .untilAsserted(() -> assertThat(matched(query.text("id"))).isOne());
        assertThat(viewer.get(project + "/saved-queries/" + query.text("id") + "/records")
                        .json()
                        .path("items"))
                .hasSize(1);
        viewer.delete(project + "/saved-queries/" + query.text("id"));
    }

    private static int matched(String query) {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query("""
                        SELECT count(*) FROM platform.event_logs
                        WHERE payload ->> 'type' = 'record-matched' AND payload ->> 'queryId' = :query
                        """)
                        .bind("query", query)
                        .mapTo(Integer.class)
                        .one());
    }

    private static int found(String path, String body) {
        var reply = viewer.post(project + "/" + path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().path("items").size();
    }

    @Test
    void aQuestionThatIsTooLargeIsRefused() {
        var tests = "{'attr': 'name', 'value': 'a'},".repeat(101);
        assertThat(viewer.post(
                                project + "/query",
                                "{'schema': 'product', 'where': {'or': [%s]}}"
                                        .formatted(tests.substring(0, tests.length() - 1)))
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(viewer.post(
                                project + "/query",
                                "{'schema': 'product', 'where': %s{'attr': 'name', 'value': 'a'}%s}"
                                        .formatted("{'not': ".repeat(21), "}".repeat(21)))
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(viewer.post(project + "/query", "{'schema': 'nothing'}").outcome())
                .isEqualTo("404 records.no-schema");
    }
}
