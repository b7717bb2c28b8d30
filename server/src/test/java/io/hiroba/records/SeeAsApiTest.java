package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
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

    private static List<String> passages(ApiClient api, String query) {
        var reply = api.post(
                "/api/v1/knowledge/search",
                "{'query': '%s', 'mode': 'keyword', 'filters': {'sourceType': 'record'}}".formatted(query));
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("200");
        return reply.json()
                .path("items")
                .valueStream()
                .map(hit -> hit.path("sourceTitle").asString())
                .sorted()
                .toList();
    }

    private static void awaitPassages(String query, String... titles) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(passages(owner.api(), query)).containsExactly(titles));
    }

    @Test
    void recordsAreFoundInKnowledgeAsTheRulesOfThatMomentSay() {
        var schema = project + "/schemas/manual";
        owner.api().post(project + "/schemas", """
                {'name': 'manual', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'body', 'type': 'text'},
                    {'name': 'salary', 'type': 'numeric'}]}
                """);
        var made = owner.api().post(project + "/records/manual", """
                [{'name': 'Kettle', 'body': 'Descale the zorbing element with vinegar.', 'salary': 77123},
                 {'name': 'Toaster', 'body': 'Empty the crumb tray.'}]
                """);
        owner.api().put(schema + "/rules", "{'hidden': ['salary']}");
        assertThat(owner.api()
                        .put(schema + "/knowledge", "{'attributes': ['name', 'salary']}")
                        .body())
                .contains("hidden from some members");
        var chosen = owner.api().put(schema + "/knowledge", "{'attributes': ['name', 'body']}");
        assertThat(chosen.json().path("readers").toString())
                .as(chosen.body())
                .isEqualTo("[\"viewer\",\"editor\",\"owner\"]");
        awaitPassages("zorbing", "Kettle");
        assertThat(passages(viewer.api(), "zorbing")).containsExactly("Kettle");
        // A value outside the choice is in no text, also for who may read it in the record.
        assertThat(passages(owner.api(), "77123")).isEmpty();
        var stranger = square.person("Stranger");
        assertThat(passages(stranger.api(), "zorbing")).isEmpty();
        assertThat(passages(square.admin.api(), "zorbing")).isEmpty();

        var source = viewer.api()
                .get("/api/v1/knowledge/sources?type=record")
                .json()
                .path("items")
                .valueStream()
                .filter(each -> each.path("title").asString().equals("Kettle"))
                .findFirst()
                .orElseThrow();
        var path = "/api/v1/knowledge/sources/" + source.path("id").asString();
        assertThat(source.path("ownedBy").isNull()).isTrue();
        assertThat(source.path("uri").asString())
                .endsWith("/manual/"
                        + made.json().path("items").path(0).path("id").asString(""));
        assertThat(viewer.api().get(path + "/chunks").body()).contains("zorbing");
        assertThat(stranger.api().get(path).outcome()).isEqualTo("404 knowledge.no-source");
        for (var person : List.of(owner, square.admin)) {
            assertThat(person.api().delete(path).outcome()).isEqualTo("403 knowledge.not-yours");
            assertThat(person.api()
                            .send("PATCH", path, "{'visibility': 'public'}")
                            .outcome())
                    .isEqualTo("403 knowledge.not-yours");
            assertThat(person.api().send("PATCH", path, "{'collection': ''}").outcome())
                    .isEqualTo("403 knowledge.not-yours");
        }
        var collection =
                "/api/v1/knowledge/collections/" + source.path("collection").asString();
        assertThat(viewer.api().get(collection).text("name")).isEqualTo("Sales / manual");
        assertThat(stranger.api().get(collection).outcome()).startsWith("404");
        assertThat(owner.api()
                        .put(collection + "/members/" + stranger.id(), "{'role': 'reader'}")
                        .outcome())
                .startsWith("403");
        assertThat(square.admin.api().delete(collection + "?sources=keep").outcome())
                .startsWith("403");

        // From the commit of a rule on, and not after some event.
        owner.api().put(schema + "/rules", "{'editors': {'hidden': ['body']}}");
        assertThat(passages(editor.api(), "zorbing")).isEmpty();
        assertThat(editor.api().get(path).outcome()).isEqualTo("404 knowledge.no-source");
        assertThat(passages(viewer.api(), "zorbing")).containsExactly("Kettle");
        owner.api().put(schema + "/rules", "{'ownRowsOnly': true, 'editors': {}}");
        assertThat(passages(viewer.api(), "zorbing")).isEmpty();
        assertThat(passages(editor.api(), "zorbing")).containsExactly("Kettle");
        assertThat(passages(owner.api(), "zorbing")).containsExactly("Kettle");
        owner.api().put(schema + "/rules", "{}");
        assertThat(passages(viewer.api(), "zorbing")).containsExactly("Kettle");
        var limited = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        Json.text(Map.of(
                                "email", viewer.email(),
                                "password", viewer.password(),
                                "name", "limited",
                                "scopes", List.of("knowledge:read"))));
        var api = square.anonymous().token(limited.text("token"));
        assertThat(passages(api, "zorbing")).isEmpty();
        assertThat(api.get(path).outcome()).isEqualTo("404 knowledge.no-source");
        assertThat(passages(viewer.api(), "zorbing")).containsExactly("Kettle");
    }

    @Test
    void passagesFollowTheRecordsUntilTheyAreNoLongerChosen() {
        var schema = project + "/schemas/note";
        owner.api()
                .post(
                        project + "/schemas",
                        "{'name': 'note', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'body', 'type': 'text'}]}");
        assertThat(owner.api().get(schema + "/knowledge").outcome()).isEqualTo("404 records.not-in-knowledge");
        assertThat(editor.api()
                        .put(schema + "/knowledge", "{'attributes': ['name']}")
                        .outcome())
                .isEqualTo("403 records.owners-only");
        assertThat(owner.api()
                        .put(schema + "/knowledge", "{'attributes': ['name', 'body']}")
                        .outcome())
                .isEqualTo("200");
        var made = editor.api().post(project + "/records/note", "{'name': 'First', 'body': 'A quibberty thing.'}");
        awaitPassages("quibberty", "First");
        var record = project + "/records/note/" + made.text("id");
        editor.api().send("PATCH", record, "{'name': 'Second', 'body': 'A flumtious thing.'}");
        awaitPassages("flumtious", "Second");
        assertThat(passages(owner.api(), "quibberty")).isEmpty();
        editor.api().delete(record);
        awaitPassages("flumtious");
        editor.api().post(record + "/restore", "{'version': 2}");
        awaitPassages("flumtious", "Second");

        // Other attributes are another choice: nobody reads texts of the former one from that commit on.
        owner.api().put(schema + "/knowledge", "{'attributes': ['name']}");
        assertThat(passages(owner.api(), "flumtious")).isEmpty();
        awaitPassages("second", "Second");
        assertThat(viewer.api().delete(schema + "/knowledge").outcome()).isEqualTo("403 records.owners-only");
        assertThat(owner.api().delete(schema + "/knowledge").outcome()).isEqualTo("204");
        assertThat(passages(owner.api(), "second")).isEmpty();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> owner.api()
                        .get("/api/v1/knowledge/collections")
                        .json()
                        .path("items")
                        .valueStream()
                        .noneMatch(each -> each.path("name").asString().equals("Sales / note")));
        assertThat(square.audited("action=schema-texts-set&actor=" + owner.id()).size())
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void aSchemaOfWhichSomeSeeOnlySomeRecordsIsNotForKnowledge() {
        var refused = owner.api().put(project + "/schemas/deal/knowledge", "{'attributes': ['title']}");
        assertThat(refused.outcome()).isEqualTo("409 records.row-rules-in-knowledge");
        assertThat(refused.body()).contains("change the rules first");
        var page = Jsoup.parse(owner.api()
                .get("/records/" + project.substring(project.lastIndexOf('/') + 1) + "/deal/knowledge")
                .body());
        assertThat(page.select("input[name=attribute]").eachAttr("value")).doesNotContain("worth");
    }
}
