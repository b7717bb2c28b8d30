package io.hiroba.records.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dashboards over HTTP. */
@Tag("slow")
class DashboardApiTest {

    private static Square square;
    private static ApiClient owner;
    private static ApiClient editor;
    private static ApiClient viewer;
    private static String project;
    private static String dashboards;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner").api();
        var kim = square.person("Kim");
        var lee = square.person("Lee");
        editor = kim.api();
        viewer = lee.api();
        project = "/api/v1/projects/"
                + owner.post("/api/v1/projects", "{'name': 'Sales'}").text("id");
        dashboards = project + "/dashboards";
        owner.put(project + "/members/" + kim.id(), "{'role': 'editor'}");
        owner.put(project + "/members/" + lee.id(), "{'role': 'viewer'}");
        owner.post(project + "/schemas", """
                {'name': 'deal', 'attributes': [{'name': 'title', 'type': 'text'}, {'name': 'worth', 'type': 'numeric'},
                    {'name': 'stage', 'type': 'text', 'enum': ['open', 'won']}, {'name': 'day', 'type': 'date'},
                    {'name': 'tags', 'type': 'multi_select', 'enum': ['a']}, {'name': 'secret', 'type': 'numeric'}]}
                """);
        owner.post(project + "/records/deal", """
                [{'title': 'a', 'worth': 10, 'stage': 'open', 'day': '2026-01-31', 'secret': 1},
                 {'title': 'b', 'worth': 20, 'stage': 'won', 'day': '2026-02-01', 'secret': 2},
                 {'title': 'c', 'worth': 70, 'stage': 'won', 'day': '2026-02-28'}]
                """);
        owner.put(project + "/schemas/deal/rules", """
                {'hidden': ['secret'], 'where': [{'attr': 'stage', 'value': 'won'}], 'editors': {'hidden': ['secret']}}
                """);
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void thoseWhoCreateSeveralAtOnceGetNoMoreThanAProjectMayHave() {
        var full = "/api/v1/projects/"
                + owner.post("/api/v1/projects", "{'name': 'Full'}").text("id");
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update("""
                        INSERT INTO records.dashboards (id, project_id, owner, name, panels)
                        SELECT n, :project, 1, 'n', '[]' FROM generate_series(1, :most - 1) AS n
                        """)
                        .bind("project", Long.parseUnsignedLong(full.substring("/api/v1/projects/".length()), 16))
                        .bind("most", Dashboards.MAX_DASHBOARDS)
                        .execute());
        var outcomes = new ConcurrentLinkedQueue<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                threads.submit(() -> outcomes.add(owner.post(full + "/dashboards", "{'name': 'One', 'panels': []}")
                        .outcome()));
            }
        }
        assertThat(outcomes).hasSize(6).containsOnlyOnce("201");
    }

    @Test
    void eachReaderSeesTheFiguresOfTheirRecords() {
        var made = owner.post(dashboards, """
                {'name': 'Sales', 'panels': [
                    {'title': 'All', 'schema': 'deal', 'measure': {'fn': 'sum', 'attr': 'worth'}},
                    {'schema': 'deal', 'measure': {'fn': 'count'}, 'groupBy': {'attr': 'stage'}},
                    {'schema': 'deal', 'measure': {'fn': 'max', 'attr': 'worth'}, 'groupBy': {'attr': 'day', 'unit': 'month'}, 'wide': true},
                    {'schema': 'deal', 'measure': {'fn': 'count'}, 'groupBy': {'attr': 'worth', 'bins': true}},
                    {'schema': 'deal', 'measure': {'fn': 'count'}, 'where': {'attr': 'title', 'op': 'ne', 'value': 'c'}},
                    {'title': 'Secrets', 'schema': 'deal', 'measure': {'fn': 'sum', 'attr': 'secret'}},
                    {'schema': 'deal', 'measure': {'fn': 'count'}, 'where': {'attr': 'secret', 'op': 'gt', 'value': 1}}]}
                """);
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        var path = dashboards + "/" + made.text("id");
        assertThat(made.header("Location")).isEqualTo(path);
        var mine = owner.get(path + "/results").json().path("panels");
        assertThat(mine.at("/0/items").toString()).isEqualTo("[{\"group\":null,\"value\":100}]");
        assertThat(mine.at("/1/items").toString())
                .isEqualTo("[{\"group\":\"won\",\"value\":2},{\"group\":\"open\",\"value\":1}]");
        assertThat(mine.at("/2/items").size()).isEqualTo(2);
        assertThat(mine.at("/3/bin").decimalValue()).isEqualByComparingTo("10");
        assertThat(mine.at("/4/items/0/value").intValue()).isEqualTo(2);
        assertThat(mine.at("/5/items/0/value").intValue()).isEqualTo(3);
        assertThat(mine.at("/6/items/0/value").intValue()).isOne();

        var seen = viewer.get(path + "/results").json().path("panels");
        assertThat(seen.at("/0/items/0/value").intValue()).isEqualTo(90);
        assertThat(seen.at("/1/items").size()).isOne();
        assertThat(seen.at("/4/items/0/value").intValue()).isOne();
        assertThat(seen.at("/5").toString())
                .isEqualTo("{\"title\":\"Secrets\",\"gone\":true,\"items\":[],\"complete\":true,\"bin\":null}");
        assertThat(seen.at("/6/gone").booleanValue()).isTrue();
        assertThat(viewer.get(path).body()).doesNotContain("\"secret\"").contains("\"worth\"");
        assertThat(viewer.get(path).json().at("/panels/6/gone").booleanValue()).isTrue();
        assertThat(owner.get(path).json().at("/panels/6/where/attr").stringValue())
                .isEqualTo("secret");

        // Names are held by id, and what is removed is told so.
        owner.send("PATCH", project + "/schemas/deal/attributes/worth", "{'name': 'value'}");
        assertThat(viewer.get(path + "/results")
                        .json()
                        .at("/panels/0/items/0/value")
                        .intValue())
                .isEqualTo(90);
        assertThat(viewer.get(path).json().at("/panels/0/measure/attr").stringValue())
                .isEqualTo("value");
        owner.send("PATCH", project + "/schemas/deal/attributes/value", "{'name': 'worth'}");
        assertThat(owner.get(path + "/results?timeZone=nowhere").status()).isEqualTo(400);
    }

    @Test
    void editorsMakeChangeAndDeleteThemByVersion() {
        var body = "{'name': 'One', 'panels': [{'schema': 'deal', 'measure': {'fn': 'count'}}]}";
        assertThat(viewer.post(dashboards, body).outcome()).isEqualTo("403 records.editors-only");
        var made = editor.post(dashboards, body);
        assertThat(made.outcome()).isEqualTo("201");
        var path = made.header("Location");
        assertThat(made.header("ETag")).isEqualTo("\"1\"");
        var changed = editor.with("If-Match", "\"1\"").send("PATCH", path, "{'name': ' Two '}");
        assertThat(changed.json().path("name").stringValue()).isEqualTo("Two");
        assertThat(changed.json().path("panels")).hasSize(1);
        assertThat(editor.with("If-Match", "\"1\"")
                        .send("PATCH", path, "{'name': 'Three'}")
                        .status())
                .isEqualTo(412);
        // What was read can be sent back.
        var panels = editor.get(path).json().path("panels").toString();
        assertThat(editor.send("PATCH", path, "{\"panels\": %s}".formatted(panels))
                        .outcome())
                .isEqualTo("200");
        assertThat(viewer.send("PATCH", path, "{'name': 'x'}").status()).isEqualTo(403);
        assertThat(viewer.delete(path).status()).isEqualTo(403);
        assertThat(viewer.get(dashboards).json().path("items")).isNotEmpty();
        assertThat(square.person("Stranger").api().get(path).outcome()).isEqualTo("404 records.no-project");
        assertThat(editor.delete(path).outcome()).isEqualTo("204");
        assertThat(editor.get(path).outcome()).isEqualTo("404 records.no-dashboard");
    }

    @Test
    void aPanelThatMakesNoSenseIsRefusedByField() {
        for (var bad : new String[] {
            "{'schema': 'nothing', 'measure': {'fn': 'count'}}|panels[0].schema",
            "{'schema': 'deal', 'measure': {'fn': 'median', 'attr': 'worth'}}|panels[0].measure.fn",
            "{'schema': 'deal', 'measure': {'fn': 'sum'}}|panels[0].measure.attr",
            "{'schema': 'deal', 'measure': {'fn': 'sum', 'attr': 'title'}}|panels[0].measure.attr",
            "{'schema': 'deal', 'measure': {'fn': 'sum', 'attr': 'secret'}}|panels[0].measure.attr",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'groupBy': {'attr': 'tags'}}|panels[0].groupBy.attr",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'groupBy': {'attr': 'title', 'unit': 'month'}}|panels[0].groupBy.unit",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'groupBy': {'attr': 'day', 'unit': 'century'}}|panels[0].groupBy.unit",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'groupBy': {'attr': 'title', 'bins': true}}|panels[0].groupBy.bins",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'where': {'attr': 'secret', 'op': 'gt', 'value': 1}}|panels[0].where",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'where': {'attr': 'worth', 'value': 'x'}}|panels[0].where",
            "{'schema': 'deal', 'measure': {'fn': 'count'}, 'where': {'nor': []}}|panels[0].where"
        }) {
            var parts = bad.split("\\|");
            var refused = editor.post(dashboards, "{'name': 'x', 'panels': [%s]}".formatted(parts[0]));
            assertThat(refused.outcome()).as(bad + refused.body()).isEqualTo("400 records.invalid");
            assertThat(refused.json().at("/errors/0/field").stringValue())
                    .as(refused.body())
                    .isEqualTo(parts[1]);
        }
        assertThat(editor.post(dashboards, "{'name': ' '}").status()).isEqualTo(400);
        var many = "{'schema': 'deal', 'measure': {'fn': 'count'}},".repeat(21);
        assertThat(editor.post(
                                dashboards,
                                "{'name': 'x', 'panels': [%s]}".formatted(many.substring(0, many.length() - 1)))
                        .status())
                .isEqualTo(400);
    }
}
