package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.id.Ids;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** All records that match a condition are deleted or changed, and come back. */
class BulkEditApiTest {

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

    private String edits() {
        return project + "/bulk-edits";
    }

    private String request(String rest) {
        return "{'schema': 'item%d', %s}".formatted(schemas, rest);
    }

    /** Starts one and waits for its end. */
    private JsonNode done(ApiClient api, String rest) {
        var started = api.post(edits(), request(rest));
        assertThat(started.outcome()).as(started.body()).isEqualTo("202");
        return ended(api, started.header("Location"));
    }

    private static JsonNode ended(ApiClient api, String path) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> !api.get(path).text("state").equals("running"));
        return api.get(path).json();
    }

    private int count(String where) {
        return owner.api()
                .post(
                        project + "/query",
                        "{'schema': 'item%d', 'limit': 1, 'count': 'exact', %s}".formatted(schemas, where))
                .json()
                .path("count")
                .path("value")
                .asInt(-1);
    }

    private void fill(int many) {
        var lines = new StringBuilder();
        for (int i = 0; i < many; i++) {
            lines.append("{\"op\":\"create\",\"values\":{\"price\":%d}}\n".formatted(i));
        }
        assertThat(editor.sendAs(TYPE, "POST", items + "/bulk", lines.toString())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void relativeDaysAreThoseOfTheStart() {
        schema();
        var today = LocalDate.now(ZoneOffset.UTC);
        owner.api().put(project + "/schemas/item" + schemas, """
                {'name': 'item%1$d', 'attributes': [
                    {'name': 'コード', 'type': 'text', 'unique': true},
                    {'name': 'price', 'type': 'numeric', 'min': 0},
                    {'name': 'no', 'type': 'numeric', 'format': 'autonumber'},
                    {'name': 'like', 'type': 'text', 'references': 'item%1$d'}, {'name': 'due', 'type': 'date'}]}
                """.formatted(schemas));
        for (int days : new int[] {5, 9, 90}) {
            owner.api().post(items, "{'due': '%s'}".formatted(today.plusDays(days)));
        }
        var edit = done(
                editor,
                "'operation': 'delete', 'where': {'attr': 'due', 'op': 'within', 'value': 'next-30-days'}, 'expected': 2");
        assertThat(edit.path("written").asInt()).isEqualTo(2);
        assertThat(count("'where': {'attr': 'due', 'op': 'exists'}")).isOne();
        String condition = square.server
                .database()
                .db()
                .read(reads -> reads.query("SELECT condition ->> 'value' FROM records.bulk_edits WHERE id = :id")
                        .bind("id", Ids.parse(edit.path("id").asString("")))
                        .mapTo(String.class)
                        .one());
        assertThat(condition).isEqualTo("%s/%s/Z".formatted(today, today.plusDays(29)));
    }

    private static final String CHEAP = "'where': {'attr': 'price', 'op': 'lt', 'value': 1100}";

    @Test
    void allRecordsOfAConditionAreDeletedOnceTheirNumberIsConfirmedAndComeBack() {
        schema();
        fill(1200);
        var preview = editor.post(edits() + "?preview=true", request("'operation': 'delete', " + CHEAP));
        assertThat(preview.json().path("count").asInt()).isEqualTo(1100);
        assertThat(editor.post(edits(), request("'operation': 'delete', 'expected': 7, " + CHEAP))
                        .outcome())
                .isEqualTo("409 records.bulk-edit-count");
        assertThat(editor.post(edits(), request("'operation': 'delete'")).outcome())
                .isEqualTo("400 records.bulk-edit-of-all");
        assertThat(editor.post(edits(), request("'operation': 'delete', 'where': {'attr': 'nothing', 'value': 1}"))
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(viewer.post(edits(), request("'operation': 'delete', " + CHEAP))
                        .outcome())
                .isEqualTo("403 records.editors-only");
        assertThat(square.person("Stranger")
                        .api()
                        .post(edits(), request("'operation': 'delete', " + CHEAP))
                        .status())
                .isEqualTo(404);

        var deleted = done(editor, "'operation': 'delete', 'expected': 1100, " + CHEAP);
        assertThat(deleted.path("state").asString()).as(deleted.toString()).isEqualTo("done");
        assertThat(deleted.path("written").asInt()).isEqualTo(1100);
        assertThat(deleted.path("undoable").asBoolean()).isTrue();
        assertThat(count("'where': null")).isEqualTo(100);
        var path = edits() + "/" + deleted.path("id").asString();
        assertThat(viewer.get(path).outcome()).isEqualTo("404 records.no-bulk-edit");
        assertThat(viewer.post(path + "/undo", "").outcome()).isEqualTo("403 records.editors-only");
        var undo = editor.post(path + "/undo", "");
        assertThat(undo.outcome()).as(undo.body()).isEqualTo("202");
        var undone = ended(editor, undo.header("Location"));
        assertThat(undone.path("written").asInt()).as(undone.toString()).isEqualTo(1100);
        assertThat(count(CHEAP)).isEqualTo(1100);
        assertThat(editor.post(path + "/undo", "").outcome()).isEqualTo("409 records.bulk-edit-not-undoable");
        assertThat(done(editor, "'operation': 'delete', 'all': true")
                        .path("written")
                        .asInt())
                .isEqualTo(1200);
    }

    @Test
    void allRecordsOfAConditionAreChangedAndWhatOthersChangedSinceStays() {
        schema();
        fill(20);
        assertThat(editor.post(edits(), request("'operation': 'update', 'values': {'price': -1}, " + CHEAP))
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(editor.post(edits(), request("'operation': 'update', " + CHEAP))
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(count("'where': {'attr': 'price', 'value': 7}")).isOne();
        var changed = done(editor, "'operation': 'update', 'values': {'price': 7}, " + CHEAP);
        // One of them had it.
        assertThat(changed.path("written").asInt()).as(changed.toString()).isEqualTo(19);
        assertThat(count("'where': {'attr': 'price', 'value': 7}")).isEqualTo(20);
        var one = owner.api()
                .get(items + "?limit=1")
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString();
        owner.api().send("PATCH", items + "/" + one, "{'price': 8}");
        var undo = editor.post(edits() + "/" + changed.path("id").asString() + "/undo", "");
        var undone = ended(editor, undo.header("Location"));
        assertThat(undone.path("written").asInt() + undone.path("refused").asInt())
                .isEqualTo(19);
        assertThat(count("'where': {'attr': 'price', 'value': 8}")).isPositive();
        assertThat(owner.api().get(items + "/" + one).body()).contains("\"price\":8");
    }

    @Test
    void whoDeletesAllThatMatchDeletesWhatTheRulesLetThemAndWhatNobodyRefersTo() {
        schema();
        fill(3);
        var mine = owner.api().post(items, "{'price': 50}").text("id");
        var second = owner.api()
                .post(items, "{'price': 50, 'like': '%s'}".formatted(mine))
                .text("id");
        owner.api().post(items, "{'price': 2000, 'like': '%s'}".formatted(second));
        var rules = project + "/schemas/item" + schemas + "/rules";
        owner.api().put(rules, "{'editors': {'ownRowsOnly': true}}");
        assertThat(done(editor, "'operation': 'delete', 'all': true")
                        .path("written")
                        .asInt())
                .isEqualTo(3);
        owner.api().put(rules, "{'editors': {'delete': false}}");
        assertThat(editor.post(edits(), request("'operation': 'delete', 'all': true"))
                        .outcome())
                .isEqualTo("403 records.delete-denied");
        // The one that stays refers to the second, and that to the first.
        var some = done(owner.api(), "'operation': 'delete', " + CHEAP);
        assertThat(some.path("refused").asInt()).as(some.toString()).isEqualTo(2);
        assertThat(some.path("refusals").toString()).contains(mine, second);
        assertThat(done(owner.api(), "'operation': 'delete', 'all': true")
                        .path("refused")
                        .asInt())
                .isZero();
        assertThat(count("'where': null")).isZero();
    }
}
