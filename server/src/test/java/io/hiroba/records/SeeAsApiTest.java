package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules by role over HTTP, and owners who see records as others do. */
@Tag("slow")
class SeeAsApiTest {

    private static Square square;
    private static Person owner;
    private static Person editor;
    private static Person viewer;
    private static String project;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner");
        editor = square.person("Kim");
        viewer = square.person("Lee");
        project = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name': 'Sales'}").text("id");
        owner.api().put(project + "/members/" + editor.id(), "{'role': 'editor'}");
        owner.api().put(project + "/members/" + viewer.id(), "{'role': 'viewer'}");
        assertThat(owner.api().post(project + "/schemas", """
                {'name': 'deal', 'attributes': [{'name': 'title', 'type': 'text'}, {'name': 'worth', 'type': 'numeric'},
                    {'name': 'stage', 'type': 'text', 'enum': ['open', 'won']}]}
                """).outcome()).isEqualTo("201");
        assertThat(owner.api().post(project + "/records/deal", """
                [{'title': 'a', 'worth': 1, 'stage': 'open'}, {'title': 'b', 'worth': 2, 'stage': 'won'}, {'title': 'c', 'worth': 3}]
                """).outcome()).isEqualTo("201");
        var set = owner.api().put(project + "/schemas/deal/rules", """
                {'hidden': ['worth'], 'where': [{'attr': 'stage', 'op': 'in', 'value': ['won']}],
                 'editors': {'where': [{'attr': 'stage', 'op': 'exists'}], 'delete': false}}
                """);
        assertThat(set.outcome()).as(set.body()).isEqualTo("200");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void rulesAreShownAsTheyWereSetByRole() {
        var rules = owner.api().get(project + "/schemas/deal").json().path("rules");
        assertThat(rules.path("where").toString())
                .isEqualTo("[{\"attr\":\"stage\",\"op\":\"in\",\"value\":[\"won\"]}]");
        assertThat(rules.path("editors").path("delete").booleanValue()).isFalse();
        assertThat(rules.path("editors").path("create").booleanValue()).isTrue();
        assertThat(rules.path("editors").path("where").toString())
                .isEqualTo("[{\"attr\":\"stage\",\"op\":\"exists\"}]");
        assertThat(editor.api().get(project + "/schemas/deal").json().has("rules"))
                .isFalse();
        for (var bad : new String[] {
            "{'where': [{'attr': 'nothing'}]}",
            "{'where': [{'attr': 'title', 'op': 'contains', 'value': 'x'}]}",
            "{'where': {'attr': 'title'}}",
            "{'editors': {'editors': {}}}",
            "{'editors': {'hidden': ['nothing']}}",
            "{'where': [{'attr': 'worth', 'value': 'x'}]}",
            "{'create': 'no'}"
        }) {
            assertThat(owner.api().put(project + "/schemas/deal/rules", bad).status())
                    .as(bad)
                    .isEqualTo(400);
        }
    }

    @Test
    void whatIsHiddenDoesNotShowByOrderConditionCountGroupNorError() {
        var record = viewer.api().get(project + "/records/deal?count=exact");
        assertThat(record.body()).contains("\"title\":\"b\"").doesNotContain("worth");
        assertThat(record.json().at("/count/value").intValue()).isOne();
        var query = project + "/query";
        for (var probe : new String[] {
            "{'schema': 'deal', 'sort': [{'attr': 'worth'}]}",
            "{'schema': 'deal', 'where': {'attr': 'worth', 'op': 'gt', 'value': 1}}",
            "{'schema': 'deal', 'where': {'not': {'attr': 'worth', 'op': 'exists'}}, 'count': 'exact'}",
            "{'schema': 'deal', 'select': ['worth']}"
        }) {
            // As of an attribute that is not there, to the letter.
            var hidden = viewer.api().post(query, probe);
            var missing = viewer.api().post(query, probe.replace("worth", "wurst"));
            assertThat(hidden.status()).isEqualTo(400);
            assertThat(hidden.json().path("errors"))
                    .hasToString(missing.json().path("errors").toString().replace("wurst", "worth"));
            var seen = owner.api().post(query + "?seeAs=" + viewer.id(), probe);
            assertThat(seen.outcome()).isEqualTo(hidden.outcome());
        }
        var groups = "{'schema': 'deal', 'groupBy': [{'attr': 'worth'}]}";
        assertThat(viewer.api().post(project + "/aggregate", groups).status()).isEqualTo(400);
        assertThat(owner.api()
                        .post(project + "/aggregate?seeAs=role:viewer", groups)
                        .status())
                .isEqualTo(400);
        assertThat(owner.api().post(project + "/aggregate", groups).status()).isEqualTo(200);
        // Neither do records that rules leave out.
        var counted = "{'schema': 'deal', 'groupBy': [{'attr': 'stage'}]}";
        assertThat(viewer.api().post(project + "/aggregate", counted).json().path("items"))
                .hasSize(1);
        assertThat(owner.api()
                        .post(project + "/aggregate?seeAs=role:viewer", counted)
                        .body())
                .isEqualTo(viewer.api().post(project + "/aggregate", counted).body());
    }

    @Test
    void onlyOwnersSeeAsOthersAndItIsAudited() {
        var list = project + "/records/deal?order=title";
        for (var as : new String[] {viewer.id(), "role:viewer"}) {
            var seen = owner.api().get(list + "&seeAs=" + as);
            assertThat(seen.outcome()).as(seen.body()).isEqualTo("200");
            assertThat(seen.body()).isEqualTo(viewer.api().get(list).body());
        }
        assertThat(owner.api().get(list + "&seeAs=" + editor.id()).body())
                .isEqualTo(editor.api().get(list).body());
        assertThat(owner.api()
                        .post(project + "/query?seeAs=role:editor", "{'schema': 'deal'}")
                        .json()
                        .path("items"))
                .hasSize(2);
        for (var person : new Person[] {editor, viewer}) {
            for (var as : new String[] {owner.id(), "role:viewer", person.id(), "x"}) {
                assertThat(person.api().get(list + "&seeAs=" + as).outcome()).isEqualTo("403 records.owners-only");
            }
        }
        var stranger = square.person("Stranger");
        assertThat(stranger.api().get(list + "&seeAs=role:viewer").outcome()).isEqualTo("404 records.no-project");
        for (var bad :
                new String[] {stranger.id(), "role:owner", "role:admin", "FFFFFFFFFFFFFFFF", "%00", "%27%20OR%201"}) {
            assertThat(owner.api().get(list + "&seeAs=" + bad).status()).as(bad).isEqualTo(400);
        }
        assertThat(square.audited("action=records-seen-as&actor=" + owner.id())).isNotEmpty();
        assertThat(square.audited("action=records-seen-as&subject=" + viewer.id()))
                .hasSize(1);
        // An export is the owner's own.
        assertThat(owner.api()
                        .get(project + "/exports/deal?format=csv&seeAs=role:viewer")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void writesThatRulesDenyAreRefused() {
        var id = owner.api()
                .post(project + "/records/deal", "{'title': 'd', 'stage': 'open'}")
                .text("id");
        var path = project + "/records/deal/" + id;
        assertThat(editor.api().delete(path).outcome()).isEqualTo("403 records.delete-denied");
        assertThat(editor.api().send("PATCH", path, "{'title': 'e'}").outcome()).isEqualTo("200");
        assertThat(editor.api().send("PATCH", path, "{'stage': null}").outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api().delete(path).outcome()).isEqualTo("204");
    }
}
