package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projects, schemas, records and their history over HTTP. */
@Tag("slow")
class RecordApiTest {

    private static final String NOBODY = "0192f0c5-0000-7000-8000-000000000000";

    private static Square square;
    private static ApiClient owner;
    private static ApiClient editor;
    private static ApiClient viewer;
    private static ApiClient stranger;
    private static String project;
    private static String products;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner").api();
        var kim = square.person("Kim");
        var lee = square.person("Lee");
        editor = kim.api();
        viewer = lee.api();
        stranger = square.person("Stranger").api();
        project = "/api/v1/projects/"
                + owner.post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        assertThat(owner.put(project + "/members/" + kim.id(), "{'role': 'editor'}")
                        .outcome())
                .isEqualTo("204");
        assertThat(owner.put(project + "/members/" + lee.id(), "{'role': 'viewer'}")
                        .outcome())
                .isEqualTo("204");
        products = project + "/records/product";
        assertThat(owner.post(project + "/schemas", """
                {'name': 'product', 'aliases': ['products'], 'attributes': [
                    {'name': 'name', 'type': 'text', 'required': true, 'max': 2000000},
                    {'name': 'price', 'type': 'numeric', 'min': 0, 'default': 0.50},
                    {'name': 'sold', 'type': 'datetime'},
                    {'name': 'sku', 'type': 'text', 'unique': true},
                    {'name': 'more', 'type': 'jsonb'},
                    {'name': 'parent', 'type': 'text', 'references': 'products'}]}
                """).outcome()).isEqualTo("201");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void aSchemaIsShownAsItWasMade() {
        var reply = viewer.get(project + "/schemas/products");
        var schema = reply.json();
        assertThat(schema.path("id").intValue()).isEqualTo(100);
        assertThat(schema.path("aliases").toString()).isEqualTo("[\"products\"]");
        assertThat(reply.body()).contains("\"default\":0.50");
        assertThat(schema.path("attributes").path(5).path("references").stringValue())
                .isEqualTo("product");
        assertThat(schema.has("rules")).isFalse();
        assertThat(owner.get(project + "/schemas").json().path("items").path(0).has("rules"))
                .isTrue();
        assertThat(viewer.post(project + "/schemas", "{'name': 'x', 'attributes': []}")
                        .outcome())
                .isEqualTo("403 records.owners-only");
    }

    @Test
    void aSchemaIsMadeOfAJsonSchemaChangedAndDeleted() {
        var made = owner.sendAs(
                "application/schema+json",
                "POST",
                project + "/schemas?name=event",
                "{\"type\": \"object\", \"properties\": {\"at\": {\"type\": \"string\", \"format\": \"date-time\"}}, \"required\": [\"at\"]}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo(project + "/schemas/event");
        var path = project + "/schemas/event";
        var tighter = "{'name': 'event', 'attributes': [{'name': 'at', 'type': 'text'}]}";
        var dry = owner.put(path + "?dryRun=true", tighter);
        assertThat(dry.outcome()).isEqualTo("200");
        assertThat(dry.json().path("allowed").booleanValue()).isFalse();
        assertThat(dry.json().path("refused").path(0).path("field").stringValue())
                .isEqualTo("at");
        var japanese = owner.with("Accept-Language", "ja").put(path + "?dryRun=true", tighter);
        assertThat(japanese.json().path("refused").path(0).path("message").stringValue())
                .isEqualTo("型を日時からテキストに変更できません。別の属性を追加してください");
        assertThat(owner.put(path, tighter).outcome()).isEqualTo("409 records.cannot-evolve");
        assertThat(owner.put(
                                path,
                                "{'name': 'event', 'attributes': [{'name': 'at', 'type': 'datetime'}, {'name': 'note', 'type': 'text'}]}")
                        .json()
                        .path("version")
                        .intValue())
                .isEqualTo(2);
        var rules =
                owner.put(path + "/rules", "{'matching': {'attribute': 'note', 'equals': 'email'}, 'hidden': ['at']}");
        assertThat(rules.json().path("rules").path("matching").path("equals").stringValue())
                .isEqualTo("email");
        assertThat(viewer.get(path).json().path("attributes").size()).isOne();
        assertThat(editor.put(path + "/rules", "{}").outcome()).isEqualTo("403 records.owners-only");
        assertThat(owner.delete(path).outcome()).isEqualTo("204");
        assertThat(owner.get(path).outcome()).isEqualTo("404 records.no-schema");
        assertThat(owner.delete(project + "/schemas/nothing").outcome()).isEqualTo("404 records.no-schema");
    }

    @Test
    void aRecordIsMadeReadChangedAndDeletedByItsVersion() {
        var made = editor.post(products, "{'name': 'tea', 'sold': '2026-01-31T09:00:00+09:00'}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.header("ETag")).isEqualTo("\"1-1e\"");
        var path = made.header("Location");
        assertThat(path).isEqualTo(products + "/" + made.text("id"));
        assertThat(viewer.get(path).body())
                .contains("\"values\":{\"name\":\"tea\",\"price\":0.50,\"sold\":\"2026-01-31T00:00:00Z\"}");
        assertThat(viewer.with("If-None-Match", "\"1-1v\"").get(path).status()).isEqualTo(304);
        assertThat(viewer.with("If-None-Match", "\"2-1v\"").get(path).status()).isEqualTo(200);
        var patched = editor.with("If-Match", "\"1\"").send("PATCH", path, "{'price': 12345678901234567890.10}");
        assertThat(patched.header("ETag")).isEqualTo("\"2-1e\"");
        assertThat(patched.body()).contains("12345678901234567890.10");
        assertThat(editor.with("If-Match", "\"1-1e\"")
                        .put(path, "{'name': 'x'}")
                        .outcome())
                .isEqualTo("412 records.other-version");
        assertThat(editor.with("If-Match", "\"x\"").put(path, "{'name': 'x'}").outcome())
                .isEqualTo("412 records.other-version");
        assertThat(editor.with("If-Match", "*")
                        .put(path, "{'name': 'x', 'price': null}")
                        .json()
                        .path("values")
                        .toString())
                .isEqualTo("{\"name\":\"x\"}");
        assertThat(editor.with("If-Match", "\"2\"").delete(path).outcome()).isEqualTo("412 records.other-version");
        assertThat(editor.with("If-Match", "\"3\"").delete(path).outcome()).isEqualTo("204");
        assertThat(editor.get(path).outcome()).isEqualTo("404 records.no-record");
        var page = viewer.get(path + "/history?limit=3");
        var history = page.json();
        assertThat(history.path("items").path(0).path("act").stringValue()).isEqualTo("deleted");
        assertThat(page.body()).contains("\"price\":{\"from\":0.50,\"to\":12345678901234567890.10}");
        var rest = viewer.get(path + "/history?after=" + history.path("next").stringValue())
                .json();
        assertThat(rest.path("items").size()).isOne();
        assertThat(rest.path("items").path(0).path("act").stringValue()).isEqualTo("created");
        assertThat(viewer.get(products + "/" + NOBODY + "/history?after="
                                + history.path("next").stringValue())
                        .outcome())
                .isEqualTo("400 http.bad-cursor");
        assertThat(editor.post(path + "/restore", "{'version': 2}").header("ETag"))
                .isEqualTo("\"5-1e\"");
        assertThat(viewer.post(path + "/restore", "{'version': 1}").outcome()).isEqualTo("403 records.editors-only");
    }

    @Test
    void whatRulesAndRolesShowAnewIsSentAgain() {
        var schema = project + "/schemas/tagged";
        owner.post(project + "/schemas", "{'name': 'tagged', 'attributes': [{'name': 'cost', 'type': 'numeric'}]}");
        var path = owner.post(project + "/records/tagged", "{'cost': 5}").header("Location");
        owner.put(schema + "/rules", "{'hidden': ['cost']}");
        var hidden = viewer.get(path);
        assertThat(hidden.body()).contains("\"values\":{}").doesNotContain("tag");
        assertThat(owner.with("If-None-Match", hidden.header("ETag")).get(path).status())
                .isEqualTo(200);
        assertThat(viewer.with("If-None-Match", hidden.header("ETag")).get(path).status())
                .isEqualTo(304);
        owner.put(schema + "/rules", "{}");
        assertThat(viewer.with("If-None-Match", hidden.header("ETag")).get(path).body())
                .contains("\"values\":{\"cost\":5}");
        assertThat(owner.put(schema + "/rules", "{'matching': {'attribute': 'cost', 'equals': 'nickname'}}")
                        .outcome())
                .isEqualTo("400 records.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "1e2147483647", "1e2147483648", "-1e99999999999", "1e-2147483648"})
    void aNumberBeyondAllMeasureIsRefused(String number) {
        for (var body : List.of("{'name': 'x', 'price': %s}", "{'name': 'x', 'more': {'a': [%s]}}")) {
            var reply = editor.post(products, body.formatted(number));
            assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        }
    }

    @Test
    void aRepeatedPostMakesOneRecord() {
        var repeated = editor.with("Idempotency-Key", "once");
        var first = repeated.post(products, "{'name': 'once'}");
        var second = repeated.post(products, "{'name': 'once'}");
        assertThat(second.text("id")).isEqualTo(first.text("id"));
        assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(second.header("ETag")).isEqualTo("\"1-1e\"");
        assertThat(repeated.post(products, "{'name': 'other'}").outcome()).isEqualTo("422 http.idempotency-mismatch");
        var taken = editor.with("Idempotency-Key", "taken");
        assertThat(editor.post(products, "{'name': 'a', 'sku': 'taken'}").outcome())
                .isEqualTo("201");
        assertThat(taken.post(products, "{'name': 'b', 'sku': 'taken'}").outcome())
                .isEqualTo("409 records.not-unique");
        assertThat(taken.post(products, "{'name': 'b', 'sku': 'free'}").outcome())
                .isEqualTo("201");
    }

    @Test
    void aBatchIsAllOrNothingUnlessAskedOtherwise() {
        var batch =
                "[{'name': 'a', 'sku': 'b1'}, {'sku': 'b2'}, {'name': 'c', 'sku': 'b1'}, {'name': 'd', 'parent': '#0'}]";
        var refused = editor.post(products, batch);
        assertThat(refused.outcome()).isEqualTo("400 records.invalid");
        assertThat(refused.body()).contains("[1].name");
        var each = editor.post(products + "?atomic=false", batch);
        assertThat(each.status()).isEqualTo(207);
        assertThat(statuses(each)).isEqualTo("201 400 409 201 ");
        var all = editor.post(products + "?atomic=false", "[{'name': 'e', 'sku': 'b5'}, {'name': 'f', 'sku': 'b6'}]");
        assertThat(all.status()).as("none was refused").isEqualTo(201);
        assertThat(statuses(all)).isEqualTo("201 201 ");
        var items = each.json().path("items");
        assertThat(items.path(2).path("errors").path(0).path("field").stringValue())
                .isEqualTo("sku");
        var inChinese = editor.with("Accept-Language", "zh").post(products + "?atomic=false", "[{'sku': 'b2'}]");
        assertThat(inChinese.json().at("/items/0/errors/0/message").stringValue())
                .isEqualTo("必填");
        assertThat(inChinese.json().at("/items/0/detail").stringValue()).isEqualTo("记录无效。");
        var first = items.path(0).path("id").stringValue();
        var last = items.path(3).path("id").stringValue();
        assertThat(editor.get(products + "/" + last)
                        .json()
                        .path("values")
                        .path("parent")
                        .stringValue())
                .isEqualTo(first);

        var changes =
                "[{'id': '%s', 'version': 1, 'values': {'price': 3}}, {'id': '%s', 'version': 7, 'values': {}}, {'id': '%s', 'values': {}}]"
                        .formatted(first, last, NOBODY);
        assertThat(editor.send("PATCH", products, changes).outcome()).isEqualTo("400 records.invalid");
        assertThat(statuses(editor.send("PATCH", products + "?atomic=false", changes)))
                .isEqualTo("200 412 404 ");
        assertThat(editor.send("PATCH", products, "[{'id': 'x', 'values': {}}]").body())
                .contains("[0].id");

        assertThat(editor.send("DELETE", products, "['%s']".formatted(first)).outcome())
                .isEqualTo("409 records.referenced");
        assertThat(statuses(editor.send(
                        "DELETE",
                        products + "?atomic=false",
                        "['%s', {'id': '%s', 'version': 9}]".formatted(first, last))))
                .isEqualTo("409 412 ");
        assertThat(statuses(editor.send("DELETE", products, "['%s', '%s']".formatted(first, last))))
                .isEqualTo("200 200 ");
        assertThat(editor.send("DELETE", products, "['%s', '%s']".formatted(first, first))
                        .outcome())
                .isEqualTo("400 records.invalid");
    }

    @Test
    void aThousandRecordsAtOnceAndNotOneMore() {
        var many = String.join(",", Collections.nCopies(1000, "{'name': 'one of many'}"));
        var made = editor.post(products, "[" + many + "]");
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(made.json().path("items").size()).isEqualTo(1000);
        assertThat(editor.post(products, "[" + many + ", {'name': 'x'}]").outcome())
                .isEqualTo("400 records.invalid");
        assertThat(editor.post(products, "[]").outcome()).isEqualTo("400 records.invalid");
    }

    @Test
    void aTextOfAMegabyteIsKeptAndALargerRecordIsNot() {
        var text = "x".repeat(1 << 20);
        var made = editor.post(products, "{'name': '%s', 'price': null}".formatted(text));
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(viewer.get(made.header("Location"))
                        .json()
                        .path("values")
                        .path("name")
                        .stringValue())
                .isEqualTo(text);
        assertThat(editor.post(products, "{'name': '%s', 'sku': 'y'}".formatted("é".repeat(600_000)))
                        .body())
                .contains("1,048,576 bytes");
        assertThat(editor.post(products, "{'name': '%s'}".formatted("x".repeat((1 << 20) + 1)))
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(editor.post(products, "{'name': '%s'}".formatted("x".repeat(9 << 20)))
                        .outcome())
                .isEqualTo("413 http.body-too-large");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name': 'a\\u0000b'}",
                "{'name': 'a\\ud800'}",
                "{'name': 1}",
                "{'name': 'a', 'price': 1e500}",
                "{'name': 'a', 'price': 1e-500}",
                "{'name': 'a', 'price': '1'}",
                "{'name': 'a', 'price': NaN}",
                "{'name': 'a', 'more': {'x': 1e999}}",
                "{'name': 'a', 'sold': '2026-02-30'}",
                "{'name': 'a', 'sold': '2026-01-31T12:00:00'}",
                "{'name': 'a', 'name': 'b'}",
                "{'name': 'a', 'nothing': 1}",
                "{'name': 'a', 'parent': 'x'}",
                "{'name': 'a', 'parent': '#1'}",
                "{'name': null}",
                "'text'",
                "null",
                "{"
            })
    void whatCannotBeARecordIsRefused(String body) {
        var reply = editor.post(products, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    }

    @Test
    void sqlInValuesIsText() {
        var hostile = "x'); DROP TABLE records.projects; --";
        var made = editor.sendAs("application/json", "POST", products, "{\"name\": \"%s\"}".formatted(hostile));
        assertThat(viewer.get(made.header("Location"))
                        .json()
                        .path("values")
                        .path("name")
                        .stringValue())
                .isEqualTo(hostile);
        for (var name : new String[] {"product%22", "product'--", "x%00", "..", "%2e%2e"}) {
            assertThat(viewer.get(project + "/records/" + name + "/" + NOBODY).status())
                    .as(name)
                    .isBetween(400, 404);
        }
        assertThat(editor.post(project + "/records/product'--", "{}").outcome()).startsWith("404 ");
    }

    @Test
    void viewersWriteNothingAndStrangersFindNothing() {
        var path = editor.post(products, "{'name': 'tea'}").header("Location");
        for (var act : new Reply[] {
            viewer.post(products, "{'name': 'x'}"),
            viewer.put(path, "{'name': 'x'}"),
            viewer.send("PATCH", path, "{'name': 'x'}"),
            viewer.delete(path),
            viewer.send("PATCH", products, "[{'id': '%s', 'values': {}}]".formatted(NOBODY)),
            viewer.send("DELETE", products, "['%s']".formatted(NOBODY))
        }) {
            assertThat(act.outcome()).isEqualTo("403 records.editors-only");
        }
        for (var act : new Reply[] {
            stranger.get(path),
            stranger.get(path + "/history"),
            stranger.post(products, "{'name': 'x'}"),
            stranger.delete(path),
            stranger.post(path + "/restore", "{'version': 1}"),
            stranger.get(project + "/schemas"),
            stranger.get(project + "/schemas/product"),
            stranger.post(project + "/schemas", "{'name': 'x', 'attributes': []}")
        }) {
            assertThat(act.outcome()).isEqualTo("404 records.no-project");
        }
        assertThat(square.admin.api().get(path).outcome()).isEqualTo("200");
    }

    @Test
    void anotherProjectsRecordIsNotThere() {
        var other = "/api/v1/projects/"
                + stranger.post("/api/v1/projects", "{'name': 'Other'}").text("id");
        assertThat(stranger.post(
                                other + "/schemas",
                                "{'name': 'product', 'attributes': [{'name': 'parent', 'type': 'text', 'references': 'product'}]}")
                        .outcome())
                .isEqualTo("201");
        var id = editor.post(products, "{'name': 'tea'}").text("id");
        assertThat(stranger.get(other + "/records/product/" + id).outcome()).isEqualTo("404 records.no-record");
        assertThat(stranger.post(other + "/records/product", "{'parent': '%s'}".formatted(id))
                        .outcome())
                .isEqualTo("409 records.no-target");
        assertThat(stranger.send("DELETE", other + "/records/product", "['%s']".formatted(id))
                        .outcome())
                .isEqualTo("404 records.no-record");
        assertThat(editor.get(products + "/no-id").outcome()).isEqualTo("400 id.malformed");
    }

    private static String statuses(Reply reply) {
        var statuses = new StringBuilder();
        reply.json()
                .path("items")
                .forEach(item -> statuses.append(item.path("status")).append(' '));
        return statuses.toString();
    }
}
