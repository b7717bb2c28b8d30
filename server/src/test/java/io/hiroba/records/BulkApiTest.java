package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.RawRequest;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many records are written with a line each, and answered with a line each. */
class BulkApiTest {

    private static final String TYPE = "application/x-ndjson";

    private static Square square;
    private static Person owner;
    private static ApiClient editor;
    private static ApiClient viewer;
    private static String project;
    private static int schemas;

    private String items = "";

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner");
        project = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        editor = member("editor");
        viewer = member("viewer");
    }

    private static ApiClient member(String role) {
        var person = square.person(role);
        owner.api().put(project + "/members/" + person.id(), "{'role': '%s'}".formatted(role));
        return person.api();
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    /** Makes a schema of its own for a test. */
    private void schema() {
        var name = "item" + ++schemas;
        items = project + "/records/" + name;
        assertThat(owner.api()
                        .post(project + "/schemas", """
                {'name': '%s', 'attributes': [
                    {'name': 'コード', 'type': 'text', 'unique': true},
                    {'name': 'price', 'type': 'numeric', 'min': 0},
                    {'name': 'no', 'type': 'numeric', 'format': 'autonumber'},
                    {'name': 'like', 'type': 'text', 'references': '%s'}]}
                """.formatted(name, name))
                        .outcome())
                .isEqualTo("201");
    }

    private Reply bulk(ApiClient client, String query, String... lines) {
        return client.sendAs(
                TYPE, "POST", items + "/bulk" + query, String.join("\n", lines).replace('\'', '"'));
    }

    private static List<JsonNode> lines(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).startsWith(TYPE);
        return reply.body().lines().map(Json.exact()::readTree).toList();
    }

    private static String statuses(Reply reply) {
        return lines(reply).stream()
                .filter(line -> line.has("line"))
                .map(line ->
                        line.path("line").intValue() + ":" + line.path("status").intValue()
                                + (line.has("code") ? " " + line.path("code").stringValue() : ""))
                .collect(Collectors.joining(", "));
    }

    private static String end(Reply reply) {
        var last = lines(reply).getLast();
        return Stream.of("done", "created", "updated", "deleted", "refused")
                .map(name -> last.path(name).asString())
                .collect(Collectors.joining(" "));
    }

    private int count() {
        return owner.api()
                .get(items + "?count=exact&limit=1")
                .json()
                .path("count")
                .path("value")
                .intValue();
    }

    private static String create(String code, int price) {
        return "{'op': 'create', 'values': {'コード': '%s', 'price': %d}}".formatted(code, price);
    }

    private static String unknown(int count) {
        return IntStream.range(0, count).mapToObj(i -> "'x" + i + "': 1").collect(Collectors.joining(", "));
    }

    private static String upsert(String code, int price) {
        return "{'op': 'upsert', 'values': {'コード': '%s', 'price': %d}}".formatted(code, price);
    }

    @Test
    void linesAreWrittenOneAfterTheOtherAndAnsweredInTheirOrder() {
        schema();
        var made = bulk(
                editor,
                "?upsertBy=コード",
                "{'op': 'create', 'key': 'first', 'values': {'コード': 'a'}}",
                "",
                create("b", 2),
                create("a", 3),
                upsert("b", 4),
                upsert("c", 5),
                upsert("c", 6),
                "{'op': 'create', 'values': {'price': -1}}");
        assertThat(statuses(made))
                .isEqualTo("1:201, 3:201, 4:409 records.not-unique, 5:200, 6:201, 7:200, 8:400 records.invalid");
        assertThat(end(made)).isEqualTo("true 3 2 0 2");
        var lines = lines(made);
        assertThat(lines.getFirst().path("key").stringValue()).isEqualTo("first");
        assertThat(lines.get(2).path("errors").path(0).path("field").stringValue())
                .isEqualTo("コード");
        assertThat(lines.get(6).path("errors").path(0).path("field").stringValue())
                .isEqualTo("price");
        var a = lines.get(0).path("id").stringValue();
        var b = lines.get(1).path("id").stringValue();
        assertThat(owner.api()
                        .get(items + "/" + b)
                        .json()
                        .path("values")
                        .path("price")
                        .intValue())
                .isEqualTo(4);
        var changed = bulk(
                editor,
                "",
                "{'op': 'update', 'id': '%s', 'version': 1, 'values': {'price': 7, 'like': '%s'}}".formatted(a, b),
                "{'op': 'update', 'id': '%s', 'version': 1, 'values': {'price': 8}}".formatted(a),
                "{'op': 'update', 'id': '%s', 'values': {'no': 9}}".formatted(a),
                "{'op': 'delete', 'id': '%s'}".formatted(b),
                "{'op': 'update', 'id': '%s', 'values': {'like': null}}".formatted(a),
                "{'op': 'delete', 'id': '%s'}".formatted(b),
                "{'op': 'delete', 'id': '%s'}".formatted(b));
        assertThat(statuses(changed))
                .isEqualTo(
                        "1:200, 2:412 records.other-version, 3:400 records.invalid, 4:409 records.referenced, 5:200, "
                                + "6:200, 7:404 records.no-record");
        assertThat(end(changed)).isEqualTo("true 0 2 1 4");
        assertThat(owner.api().get(items + "/" + a + "/history").json().path("items"))
                .hasSize(3);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void whatIsNoLineIsRefusedAloneAndWhatIsNoRequestAsAWhole() {
        schema();
        var wrong = bulk(
                editor,
                "",
                "{",
                "[]",
                "{'op': 'replace'}",
                "{'op': 'delete', 'id': 'x'}",
                "{'op': 'create'}",
                "{'op': 'create', 'values': {}, 'id': 'x'}",
                upsert("a", 1),
                "{'op': 'create', 'values': {'like': '#0'}}",
                "{'op': 'create', 'values': {'__proto__': 1}}",
                "{'op': 'create', 'key': 1, 'values': {}}",
                "null",
                "{'op': 'create', 'values': {'コード': '\\u0000'}}",
                create("good", 1));
        assertThat(statuses(wrong).replace(" records.invalid", "").replace(" http.malformed-json", ""))
                .isEqualTo("1:400, 2:400, 3:400, 4:400, 5:400, 6:400, 7:400, 8:400, 9:400, 10:400, 11:400, "
                        + "12:400 http.bad-text, 13:201");
        var hostile = bulk(
                editor,
                "",
                "{'op': 'create', 'values': {%s}}".formatted(unknown(3000)),
                "{'op': 'create', 'values': {}, %s}".formatted(unknown(3000)),
                "{'op': 'create', 'values': {'price': 1e2000000000}}");
        assertThat(lines(hostile).getFirst().path("errors")).hasSize(100);
        assertThat(lines(hostile).get(1).path("errors")).hasSize(100);
        assertThat(statuses(hostile)).startsWith("1:400").endsWith("3:400 records.invalid");
        assertThat(editor.post(items + "/bulk", create("b", 1)).status()).isEqualTo(415);
        assertThat(bulk(editor, "?upsertBy=price", create("b", 1)).outcome()).isEqualTo("400 records.invalid");
        assertThat(bulk(editor, "?batch=0", create("b", 1)).status()).isEqualTo(400);
        assertThat(bulk(editor, "?what=1", create("b", 1)).outcome()).isEqualTo("400 http.unknown-parameter");
        assertThat(end(editor.sendAs(TYPE, "POST", items + "/bulk", "\n\n"))).isEqualTo("true 0 0 0 0");
        assertThat(count()).isOne();
        items = project + "/records/nothing";
        assertThat(bulk(editor, "", create("b", 1)).outcome()).isEqualTo("404 records.no-schema");
    }

    @Test
    void onlyEditorsWriteAndRulesHold() {
        schema();
        assertThat(bulk(viewer, "", create("a", 1)).outcome()).isEqualTo("403 records.editors-only");
        assertThat(bulk(square.person("Stranger").api(), "", create("a", 1)).outcome())
                .isEqualTo("404 records.no-project");
        assertThat(bulk(square.anonymous(), "", create("a", 1)).status()).isEqualTo(401);
        var hidden = lines(bulk(owner.api(), "", create("secret", 1))).getFirst();
        var rules = project + "/schemas/" + items.substring(items.lastIndexOf('/') + 1) + "/rules";
        owner.api().put(rules, "{'editors': {'ownRowsOnly': true, 'readOnly': ['price'], 'delete': false}}");
        var id = hidden.path("id").stringValue();
        var refused = bulk(
                editor,
                "?upsertBy=コード",
                "{'op': 'upsert', 'values': {'コード': 'secret'}}",
                "{'op': 'update', 'id': '%s', 'values': {'コード': 'mine'}}".formatted(id),
                "{'op': 'delete', 'id': '%s'}".formatted(id),
                create("b", 1),
                "{'op': 'create', 'values': {'コード': 'c'}}",
                "{'op': 'upsert', 'values': {'コード': 'c'}}");
        assertThat(statuses(refused))
                .isEqualTo("1:409 records.not-unique, 2:404 records.no-record, 3:403 records.delete-denied, "
                        + "4:400 records.invalid, 5:201, 6:200");
        owner.api().put(rules, "{'hidden': ['コード']}");
        assertThat(bulk(editor, "?upsertBy=コード", upsert("b", 1)).outcome()).isEqualTo("400 records.invalid");
        owner.api().put(rules, "{'create': false}");
        assertThat(statuses(bulk(editor, "?upsertBy=コード", upsert("c", 1), upsert("d", 1))))
                .isEqualTo("1:200, 2:403 records.create-denied");
    }

    @Test
    void aBatchIsWrittenAsAWholeOrNotAtAllWhenAskedTo() {
        schema();
        var reply = bulk(
                editor,
                "?atomic=true&batch=2",
                create("a", 1),
                create("b", 2),
                create("c", 3),
                create("a", 4),
                create("d", 5),
                create("e", 6),
                create("f", 7));
        assertThat(statuses(reply))
                .isEqualTo("1:201, 2:201, 3:409 records.batch-refused, 4:409 records.not-unique, 5:201, 6:201, 7:201");
        assertThat(end(reply)).isEqualTo("true 5 0 0 2");
        assertThat(count()).isEqualTo(5);
        // What was rolled back took no number.
        assertThat(owner.api()
                        .get(items + "?no=5&count=exact")
                        .json()
                        .path("count")
                        .path("value")
                        .intValue())
                .isOne();
    }

    @Test
    void aRepeatWithTheSameKeyWritesOnlyWhatIsMissing() {
        schema();
        var all = IntStream.range(0, 25).mapToObj(i -> create("k" + i, i)).toArray(String[]::new);
        var keyed = editor.with("Idempotency-Key", "import-" + schemas);
        // As far as a request came whose answer broke off: two batches of ten.
        var first = bulk(keyed, "?batch=10", Arrays.copyOf(all, 20));
        var again = bulk(keyed, "?batch=10", all);
        assertThat(end(again)).isEqualTo("true 25 0 0 0");
        assertThat(lines(again).subList(0, 20)).isEqualTo(lines(first).subList(0, 20));
        assertThat(count()).isEqualTo(25);
        all[0] = create("other", 1);
        assertThat(bulk(keyed, "?batch=10", all).outcome()).isEqualTo("422 http.idempotency-mismatch");
        assertThat(bulk(editor.with("Idempotency-Key", "a b"), "", all).outcome())
                .isEqualTo("400 http.bad-idempotency-key");
        assertThat(count()).isEqualTo(25);
    }

    private RawRequest raw(String query, String key, String body, int length) {
        var login = Json.text(Map.of("email", owner.email(), "password", owner.password(), "name", "raw"));
        var headers = "Authorization: Bearer %s\r\nContent-Type: %s\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n"
                .formatted(square.anonymous().post("/api/v1/tokens", login).text("token"), TYPE, key, length);
        return RawRequest.post(square.server.url(), items + "/bulk" + query, headers, body);
    }

    @Test
    void ofARequestThatIsCutOffNothingIsWritten() {
        schema();
        var body = (create("a", 1) + "\n" + create("b", 2) + "\n").replace('\'', '"');
        try (var sent = raw("?batch=1", "cut-1", body, 2 * body.getBytes(StandardCharsets.UTF_8).length)) {
            assertThat(sent.cutOff()).doesNotContain("\"line\"");
        }
        assertThat(count()).isZero();
        assertThat(end(bulk(owner.api().with("Idempotency-Key", "cut-1"), "?batch=1", create("a", 1))))
                .isEqualTo("true 1 0 0 0");
    }

    @Test
    void whatANodeThatDiesBetweenBatchesHasToldIsThereAndTheRestIsWrittenByARepeat() {
        schema();
        var all = IntStream.range(0, 12).mapToObj(i -> create("d" + i, i)).toArray(String[]::new);
        var db = square.server.database().db();
        var table = db.read(reads -> reads.query("""
                        SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_'
                        """).mapTo(String.class).one());
        // Its backend goes in the middle of the last batch, as with a node that is killed.
        db.useTransaction(tx -> tx.update("""
                        CREATE FUNCTION records.die() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
                        CREATE TRIGGER die AFTER INSERT ON @
                            FOR EACH ROW WHEN (NEW.doc ->> 0 = 'd11') EXECUTE FUNCTION records.die()
                        """.replace("@", table)).execute());
        var body = String.join("\n", all).replace('\'', '"');
        var key = "k".repeat(255);
        try (var sent = raw("?batch=1", key, body, body.getBytes(StandardCharsets.UTF_8).length)) {
            assertThat(sent.answer())
                    .contains("\"line\":1,", "\"line\":11,")
                    .doesNotContain("\"line\":12", "\"done\"", "\r\n0\r\n\r\n");
        }
        assertThat(count()).isEqualTo(11);
        db.useTransaction(tx -> tx.update("DROP FUNCTION records.die() CASCADE").execute());
        var again = bulk(owner.api().with("Idempotency-Key", key), "?batch=1", all);
        assertThat(end(again)).isEqualTo("true 12 0 0 0");
        assertThat(count()).isEqualTo(12);
    }

    @Test
    void whoeverDoesNotReadTheAnswerHoldsUpNobody() {
        schema();
        var body =
                ("{'op': 'create', " + unknown(100) + "}\n").replace('\'', '"').repeat(1_500);
        var idle = new ArrayList<RawRequest>();
        try {
            for (int i = 0; i < 4; i++) {
                idle.add(raw("?batch=100", "idle-" + i, body, body.length()));
                idle.getLast().begin();
            }
            assertThat(end(bulk(editor, "", create("w", 1)))).isEqualTo("true 1 0 0 0");
        } finally {
            idle.forEach(RawRequest::close);
        }
    }

    @Test
    void upsertsAtTheSameTimeMakeOneRecordEach() {
        schema();
        var lines = IntStream.range(0, 60).mapToObj(i -> upsert("u" + i, i)).toArray(String[]::new);
        var replies = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> bulk(editor, "?upsertBy=コード&batch=20", lines)))
                .limit(3)
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(replies).allSatisfy(reply -> assertThat(end(reply)).endsWith(" 0 0"));
        assertThat(replies.stream()
                        .mapToInt(
                                reply -> lines(reply).getLast().path("created").intValue())
                        .sum())
                .isEqualTo(60);
        assertThat(count()).isEqualTo(60);
    }

    @Test
    void aFormerNameOfTheSchemaIsToldAndWhatIsTooMuchRefused() {
        schema();
        var name = items.substring(items.lastIndexOf('/') + 1);
        assertThat(owner.api()
                        .send("PATCH", project + "/schemas/" + name, "{'name': '%s 品'}".formatted(name))
                        .outcome())
                .isEqualTo("200");
        var reply = bulk(editor, "", create("a", 1));
        assertThat(end(reply)).isEqualTo("true 1 0 0 0");
        assertThat(Objects.requireNonNull(reply.header("Deprecation"))).startsWith("@");
        assertThat(editor.sendAs(TYPE, "POST", items + "/bulk", "\n".repeat(1_000_001))
                        .outcome())
                .isEqualTo("413 records.bulk-too-large");
        var large = editor.sendAs(
                TYPE,
                "POST",
                items + "/bulk",
                " ".repeat((8 << 20) + 1) + "\n" + create("b", 1).replace('\'', '"'));
        assertThat(statuses(large)).isEqualTo("1:400 records.invalid, 2:201");
    }
}
