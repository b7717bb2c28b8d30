package io.hiroba.records.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Views and options over HTTP. */
class ViewApiTest {

    private static Square square;
    private static ApiClient owner;
    private static ApiClient editor;
    private static ApiClient viewer;
    private static ApiClient stranger;
    private static String kim;
    private static String project;
    private static String schema;
    private static String views;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner").api();
        var second = square.person("Kim");
        kim = second.id();
        var lee = square.person("Lee");
        editor = second.api();
        viewer = lee.api();
        stranger = square.person("Stranger").api();
        project = "/api/v1/projects/"
                + owner.post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        owner.put(project + "/members/" + kim, "{'role': 'editor'}");
        owner.put(project + "/members/" + lee.id(), "{'role': 'viewer'}");
        assertThat(owner.post(project + "/schemas", """
                {'name': 'task', 'attributes': [
                    {'name': 'name', 'type': 'text', 'required': true},
                    {'name': 'state', 'type': 'text', 'options': [
                        {'value': 'todo', 'color': 'gray'}, {'value': 'done', 'title': 'Done', 'color': 'green'}]},
                    {'name': 'hours', 'type': 'numeric'},
                    {'name': 'due', 'type': 'date'},
                    {'name': 'secret', 'type': 'text'},
                    {'name': 'extra', 'type': 'text'}]}
                """).outcome()).isEqualTo("201");
        owner.put(project + "/schemas/task/rules", "{'hidden': ['secret'], 'readOnly': []}");
        assertThat(owner.post(project + "/records/task", """
                [{'name': 'a', 'state': 'todo', 'hours': 3, 'secret': 'x'},
                 {'name': 'b', 'state': 'done', 'hours': 5},
                 {'name': 'c', 'state': 'todo', 'hours': 1, 'secret': 'y'}]
                """).status()).isEqualTo(201);
        schema = project + "/schemas/task";
        views = schema + "/views";
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void aViewHoldsItsAttributesByIdThroughRenamesAndRemovals() {
        var made = editor.post(views, """
                {'name': 'Open', 'kind': 'board', 'visibility': 'project',
                 'filter': {'and': [{'attr': 'state', 'op': 'eq', 'value': 'todo'}, {'attr': 'extra', 'op': 'missing'}]},
                 'sort': [{'attr': 'hours', 'dir': 'desc'}],
                 'columns': [{'attribute': 'hours', 'width': 90, 'frozen': true}, {'attribute': 'due', 'hidden': true}],
                 'groupBy': {'attribute': 'due', 'unit': 'month'}, 'sums': [{'attribute': 'hours', 'function': 'sum'}],
                 'settings': {'by': 'state', 'title': 'extra'}}
                """);
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        var view = views + "/" + made.text("id");
        assertThat(names(viewer.get(view + "/records"))).isEqualTo("a,c");
        assertThat(viewer.get(view + "/records")
                        .json()
                        .path("items")
                        .path(0)
                        .path("values")
                        .toString())
                .doesNotContain("secret");
        assertThat(made.json().path("columns").path(0).path("attribute").stringValue())
                .isEqualTo("11");

        patch(owner, schema + "/attributes/hours", "{'name': 'effort'}");
        assertThat(owner.delete(schema + "/attributes/extra").status()).isEqualTo(200);
        var after = viewer.get(view);
        assertThat(after.json().path("sort").path(0).path("attr").stringValue()).isEqualTo("effort");
        assertThat(after.json().path("gone").toString()).isEqualTo("[\"25\"]");
        assertThat(after.json().path("filter").toString()).doesNotContain("25");
        assertThat(names(viewer.get(view + "/records"))).isEqualTo("a,c");
        // What is gone may stay when something else is changed, and comes back with the attribute.
        assertThat(patch(editor, view, "{'name': 'Still open'}").outcome()).isEqualTo("200");
        owner.post(schema + "/attributes/25/restore", "");
        assertThat(viewer.get(view).json().path("gone")).isEmpty();
        assertThat(viewer.get(view).json().path("filter").toString()).contains("extra");

        // Filters follow renamed options.
        assertThat(patch(owner, schema + "/attributes/state", """
                {'options': [{'value': 'open'}, {'value': 'done', 'color': 'green'}], 'replacements': {'todo': 'open'}}
                """).outcome()).isEqualTo("200");
        assertThat(names(viewer.get(view + "/records"))).isEqualTo("a,c");
        assertThat(patch(owner, schema + "/attributes/state?preview=true", "{'options': [{'value': 'open'}]}")
                        .json()
                        .path("allowed")
                        .booleanValue())
                .isFalse();
        patch(owner, schema + "/attributes/state", """
                {'options': [{'value': 'todo', 'color': 'gray'}, {'value': 'done', 'title': 'Done', 'color': 'green'}],
                 'replacements': {'open': 'todo'}}
                """);
        patch(owner, schema + "/attributes/effort", "{'name': 'hours'}");
    }

    @Test
    void aViewGoesOnWithAnAttributeOfAnotherType() {
        var item = project + "/schemas/item";
        owner.post(project + "/schemas", """
                {'name': 'item', 'attributes': [
                    {'name': 'name', 'type': 'text', 'required': true},
                    {'name': 'grade', 'type': 'text', 'options': [{'value': '1', 'title': 'Good'}, {'value': '2'}]},
                    {'name': 'day', 'type': 'date'}]}
                """);
        owner.post(project + "/schemas", """
                {'name': 'note', 'attributes': [
                    {'name': 'name', 'type': 'text'}, {'name': 'of', 'type': 'text', 'references': 'item'}]}
                """);
        var first = owner.post(
                        project + "/records/item",
                        "[{'name': 'a', 'grade': '1', 'day': '2026-08-20'}, {'name': 'b', 'grade': '2'}]")
                .json()
                .path("items")
                .path(0)
                .path("id")
                .stringValue();
        owner.post(project + "/records/note", "[{'name': 'n', 'of': '%s'}, {'name': 'o'}]".formatted(first));
        var all = made(item, """
                {'name': 'All', 'visibility': 'project',
                 'filter': {'or': [{'attr': 'grade', 'op': 'in', 'value': ['1', '3']}, {'not': {'attr': 'grade', 'op': 'exists'}}]},
                 'sort': [{'attr': 'grade'}], 'columns': [{'attribute': 'grade', 'width': 90}],
                 'groupBy': {'attribute': 'grade'}, 'sums': [{'attribute': 'grade', 'function': 'max'}],
                 'settings': {'by': 'grade', 'title': 'grade', 'cover': 'grade', 'fields': [{'attribute': 'grade', 'label': 'G'}]}}
                """);
        var board = made(item, "{'name': 'Board', 'kind': 'board', 'settings': {'by': 'grade'}}");
        var calendar = made(item, "{'name': 'Days', 'kind': 'calendar', 'settings': {'date': 'day'}}");
        var sums = made(
                item,
                "{'name': 'Sums', 'filter': {'attr': 'grade', 'op': 'startsWith', 'value': '1'}, 'sort': [{'attr': 'day'}],"
                        + " 'groupBy': {'attribute': 'day', 'unit': 'month'}, 'sums': [{'attribute': 'day', 'function': 'max'}]}");
        var notes = made(
                project + "/schemas/note",
                "{'name': 'Notes', 'filter': {'attr': 'of.grade', 'op': 'eq', 'value': '1'}}");
        var link = editor.post(all + "/links", "{}").text("path");
        var narrow = editor.post(sums + "/links", "{}").text("path");
        var before = editor.get(all).json();

        retype(item, "grade", "numeric");
        retype(item, "day", "jsonb");
        // The ids of before lead there for 30 days; views do not depend on it.
        execute("DELETE FROM records.former_names WHERE name ~ '^[0-9]+$'");
        var after = editor.get(all).json();
        assertThat(after.toString()).doesNotContain("\"5\"").contains("[1,3]");
        assertThat(after.path("gone")).isEmpty();
        assertThat(names(editor.get(all + "/records"))).isEqualTo("a");
        assertThat(names(editor.get(notes + "/records"))).isEqualTo("n");
        assertThat(Jsoup.parse(square.anonymous().get(link).body()).select("tbody tr"))
                .hasSize(1);
        // What makes no sense of the new type is left out and told, and behind a link nothing is shown.
        assertThat(names(editor.get(sums + "/records"))).isEqualTo("a,b");
        assertThat(editor.get(sums).json().path("gone").toString()).isEqualTo("[\"16\",\"24\"]");
        assertThat(editor.get(page(sums).replace("/views/", "?view=")).status()).isEqualTo(200);
        assertThat(square.anonymous().get(narrow).status()).isEqualTo(404);
        assertThat(editor.get(page(board)).body()).contains("no longer suits");
        assertThat(editor.get(page(calendar)).body()).contains("no longer suits");

        for (var attribute : List.of("grade", "day")) {
            assertThat(owner.post(item + "/attributes/" + attribute + "/undo-retype", "")
                            .outcome())
                    .isEqualTo("200");
        }
        var undone = editor.get(all).json();
        for (var field : List.of("filter", "sort", "columns", "groupBy", "sums", "settings", "gone")) {
            assertThat(undone.path(field)).isEqualTo(before.path(field));
        }
        assertThat(names(editor.get(sums + "/records"))).isEqualTo("a");
        assertThat(names(editor.get(notes + "/records"))).isEqualTo("n");
        assertThat(Jsoup.parse(editor.get(page(board)).body()).select(".board-card"))
                .hasSize(2);
        assertThat(editor.get(page(calendar) + "?month=2026-08").body()).contains("2026-08-20");
    }

    private static String made(String schema, String view) {
        var made = editor.post(schema + "/views", view);
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return schema + "/views/" + made.text("id");
    }

    private static String page(String view) {
        return view.replace("/api/v1/projects/", "/records/").replace("/schemas/", "/");
    }

    private static void retype(String schema, String attribute, String type) {
        var retyped = patch(owner, schema + "/attributes/" + attribute, "{'type': '%s'}".formatted(type));
        assertThat(retyped.outcome()).as(retyped.body()).isEqualTo("200");
    }

    @Test
    void readersKeepPrivateViewsAndEditorsThoseOfAll() {
        assertThat(viewer.post(views, "{'name': 'x', 'visibility': 'project'}").outcome())
                .isEqualTo("403 records.editors-only");
        var mine = viewer.post(views, "{'name': 'Mine', 'filter': {'attr': 'name', 'value': 'b'}}");
        assertThat(mine.outcome()).isEqualTo("201");
        var view = views + "/" + mine.text("id");
        assertThat(names(viewer.get(view + "/records"))).isEqualTo("b");
        for (var other : new ApiClient[] {owner, editor, stranger}) {
            assertThat(other.get(view).status()).isEqualTo(404);
            assertThat(other.get(view + "/records").status()).isEqualTo(404);
            assertThat(patch(other, view, "{'name': 'Yours'}").status()).isEqualTo(404);
            assertThat(other.delete(view).status()).isEqualTo(404);
        }
        assertThat(owner.get(views).body()).doesNotContain(mine.text("id"));
        assertThat(viewer.get(views).body()).contains(mine.text("id"));
        assertThat(patch(viewer, view, "{'visibility': 'project'}").outcome()).isEqualTo("403 records.editors-only");

        var shared = editor.post(views, "{'name': 'Ours', 'visibility': 'project'}");
        var ours = views + "/" + shared.text("id");
        assertThat(patch(viewer, ours, "{'name': 'x'}").outcome()).isEqualTo("403 records.editors-only");
        assertThat(viewer.delete(ours).outcome()).isEqualTo("403 records.editors-only");
        var first = owner.get(ours).header("ETag");
        assertThat(patch(owner.with("If-Match", first), ours, "{'name': 'Hers'}")
                        .outcome())
                .isEqualTo("200");
        assertThat(patch(editor.with("If-Match", first), ours, "{'name': 'His'}")
                        .outcome())
                .isEqualTo("412 records.other-version");
        assertThat(owner.delete(ours).status()).isEqualTo(204);
        assertThat(owner.get(ours).status()).isEqualTo(404);
    }

    @Test
    void whatIsHiddenIsNeitherToldNorAskedFor() {
        assertThat(viewer.post(views, "{'name': 'x', 'filter': {'attr': 'secret', 'value': 'x'}}")
                        .outcome())
                .isEqualTo("400 records.invalid");
        var made = owner.post(views, """
                {'name': 'Secrets', 'visibility': 'project', 'filter': {'attr': 'secret', 'value': 'hush'},
                 'sort': [{'attr': 'secret'}], 'columns': [{'attribute': 'secret'}]}
                """);
        var view = views + "/" + made.text("id");
        assertThat(owner.get(view + "/records").json().path("items")).isEmpty();
        var seen = viewer.get(view);
        assertThat(seen.body()).doesNotContain("hush").doesNotContain("\"secret\"");
        assertThat(viewer.get(view + "/records").json().path("items")).hasSize(3);
        owner.delete(view);
    }

    @Test
    void whatMakesNoSenseIsRefusedAtItsField() {
        for (var bad : new String[] {
            "{'name': ''}",
            "{'name': 'x', 'kind': 'timeline'}",
            "{'name': 'x', 'kind': 'board'}",
            "{'name': 'x', 'kind': 'board', 'settings': {'by': 'name'}}",
            "{'name': 'x', 'kind': 'calendar', 'settings': {'date': 'name'}}",
            "{'name': 'x', 'columns': [{'attribute': 'nothing'}]}",
            "{'name': 'x', 'columns': [{'attribute': 'name'}, {'attribute': '0'}]}",
            "{'name': 'x', 'columns': [{'attribute': 'name', 'width': 3}]}",
            "{'name': 'x', 'sort': [{'attr': 'name', 'dir': 'up'}]}",
            "{'name': 'x', 'sums': [{'attribute': 'name', 'function': 'sum'}]}",
            "{'name': 'x', 'groupBy': {'attribute': 'name', 'unit': 'month'}}",
            "{'name': 'x', 'filter': {'attr': 'hours', 'op': 'gt', 'value': 'many'}}",
            "{'name': 'x', 'filter': [1]}",
            "{'name': 'x', 'visibility': 'world'}"
        }) {
            var refused = editor.post(views, bad);
            assertThat(refused.status()).as(bad + refused.body()).isEqualTo(400);
        }
        assertThat(editor.get(views + "/00").status()).isIn(400, 404);
        assertThat(owner.post(project + "/records/task", "{'name': 'z', 'state': 'other'}")
                        .json()
                        .path("errors")
                        .toString())
                .contains("todo", "done");
    }

    private static void execute(String sql) {
        square.server.database().db().useTransaction(tx -> tx.update(sql).execute());
    }

    private static Reply patch(ApiClient who, String path, String body) {
        return who.send("PATCH", path, body);
    }

    private static String names(Reply page) {
        assertThat(page.status()).as(page.body()).isEqualTo(200);
        return String.join(
                ",",
                page.json()
                        .path("items")
                        .valueStream()
                        .map(each -> each.path("values").path("name").stringValue())
                        .toList());
    }
}
