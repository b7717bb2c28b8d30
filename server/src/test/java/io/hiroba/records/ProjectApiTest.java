package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Projects and their members over HTTP. */
class ProjectApiTest {

    private static Square square;
    private static Person owner;
    private static Person editor;
    private static Person viewer;
    private static Person stranger;
    private String project;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner");
        editor = square.person("Editor");
        viewer = square.person("Viewer");
        stranger = square.person("Stranger");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @BeforeEach
    void aProject() {
        project = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        assertThat(put(owner, editor, "editor")).isEqualTo("204");
        assertThat(put(owner, viewer, "viewer")).isEqualTo("204");
    }

    @Test
    void aDeletedSchemaIsNowhereUntilItIsRestored() {
        var api = owner.api();
        api.post(project + "/schemas", """
                {'name': 'task', 'attributes': [{'name': 'title', 'type': 'text'}, {'name': 'hours', 'type': 'numeric'},
                    {'name': 'files', 'type': 'jsonb', 'format': 'attachments'}]}
                """);
        var file = api.sendAs(
                        "multipart/form-data; boundary=b",
                        "POST",
                        project + "/attachments",
                        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n--b--\r\n")
                .text("id");
        var id = api.post(
                        project + "/records/task",
                        "{'title': 'Quartzite', 'hours': 3, 'files': ['%s']}".formatted(file))
                .text("id");
        var task = project + "/schemas/task";
        var number = api.get(task).text("id");
        var view = api.post(task + "/views", "{'name': 'All', 'visibility': 'project'}")
                .text("id");
        var link = api.post(task + "/views/" + view + "/links", "{}").text("path");
        api.post(project + "/saved-queries", "{'name': 'Long', 'query': {'schema': 'task'}}");
        api.post(
                project + "/dashboards",
                "{'name': 'One', 'panels': [{'title': 'Tasks', 'schema': 'task', 'measure': {'fn': 'count'}}]}");
        var odata = "/odata/" + project.substring(project.lastIndexOf('/') + 1) + "/";
        var pages = List.of(
                task,
                project + "/schemas/" + number,
                project + "/records/task/" + id,
                project + "/records/" + number + "/" + id,
                project + "/records/task",
                project + "/records/task/" + id + "/history",
                project + "/exports/task",
                project + "/attachments/" + file,
                task + "/views",
                task + "/views/" + view,
                odata + "task",
                link);
        assertThat(pages)
                .allSatisfy(path -> assertThat(api.get(path).status()).as(path).isEqualTo(200));
        assertThat(api.get("/api/v1/search?q=Quartzite").body()).contains(id);
        assertThat(viewer.api().get(project + "/records/task").status()).isEqualTo(200);

        var events = viewer.api().get("/api/v1/events?types=schema.*").text("next");
        assertThat(editor.api().delete(task).outcome()).isEqualTo("403 records.owners-only");
        assertThat(stranger.api().delete(task).status()).isEqualTo(404);
        var preview = api.delete(task + "?preview=true").json();
        assertThat(preview.path("allowed").asBoolean()).isTrue();
        assertThat(preview.path("records").asInt()).isOne();
        assertThat(preview.path("contents").toString())
                .contains(
                        "1 record with its history", "1 view and 1 public link", "1 file", "1 saved query", "1 chart");
        assertThat(api.delete(task).outcome()).isEqualTo("204");

        assertThat(pages)
                .allSatisfy(path -> assertThat(api.get(path).status()).as(path).isEqualTo(404));
        assertThat(api.get(odata.replace("odata", "records") + "task").status()).isEqualTo(410);
        assertThat(api.get("/api/v1/search?q=Quartzite").body()).doesNotContain(id);
        assertThat(api.get(project + "/saved-queries").body()).doesNotContain("Long");
        assertThat(api.get(project + "/indexes").status()).isEqualTo(200);
        assertThat(api.get(odata + "$metadata").body()).doesNotContain("Quartzite", "\"task\"");
        assertThat(api.get(project + "/dashboards").status()).isEqualTo(200);
        assertThat(api.post(project + "/records/task", "{'title': 'x'}").outcome())
                .isEqualTo("404 records.no-schema");
        assertThat(api.get(project + "/schemas").json().path("items")).isEmpty();
        assertThat(viewer.api().get(project + "/removed-schemas").outcome()).isEqualTo("403 records.owners-only");
        var removed = api.get(project + "/removed-schemas").json().path("items").path(0);
        assertThat(removed.path("name").asString()).isEqualTo("task");
        assertThat(removed.path("removedBy").asString()).isEqualTo(owner.id());

        api.post(project + "/schemas", "{'name': 'task', 'attributes': []}");
        var restore = project + "/removed-schemas/task/restore";
        assertThat(editor.api().post(restore, "{}").outcome()).isEqualTo("403 records.owners-only");
        assertThat(api.post(restore, "").outcome()).isEqualTo("409 records.name-taken");
        assertThat(api.post(restore, "{'name': 'old task'}").outcome()).isEqualTo("200");
        assertThat(api.get(project + "/records/old%20task/" + id).body()).contains("Quartzite");
        assertThat(api.get(project + "/attachments/" + file).status()).isEqualTo(200);
        assertThat(api.get(link).body()).contains("Quartzite");
        assertThat(api.get(project + "/saved-queries").body()).contains("Long", "old task");
        assertThat(api.delete(project + "/removed-schemas/task").outcome()).isEqualTo("404 records.no-schema");
        assertThat(api.delete(task).outcome()).isEqualTo("204");
        assertThat(api.delete(project + "/removed-schemas/task").outcome()).isEqualTo("204");
        assertThat(square.audited("targetKind=schema&actor=" + owner.id()))
                .startsWith("schema-erased", "schema-deleted", "schema-restored", "schema-deleted");
        var told = new StringBuilder();
        var after = new AtomicReference<>(events);
        Awaitility.await().untilAsserted(() -> {
            var page = viewer.api().get("/api/v1/events?types=schema.*&after=" + after.get());
            told.append(page.body());
            after.set(page.text("next"));
            assertThat(told.toString()).contains("schema.deleted", "schema.restored", number);
        });
    }

    @Test
    void theTypeOfAnAttributeIsChangedAfterAPreviewAndTheChangeIsUndone() {
        var api = owner.api();
        api.post(project + "/schemas", "{'name':'product','attributes':[{'name':'price','type':'text'}]}");
        api.post(project + "/records/product", "[{'price':'3'},{'price':'free'}]");
        var price = project + "/schemas/product/attributes/price";
        var preview =
                api.send("PATCH", price + "?preview=true", "{'type':'numeric'}").json();
        assertThat(preview.path("allowed").asBoolean()).isFalse();
        assertThat(preview.path("converted").asInt()).isOne();
        assertThat(preview.path("examples").toString()).contains("\"value\":\"free\",\"reason\":\"must be a number\"");
        assertThat(api.send("PATCH", price, "{'type':'numeric'}").outcome()).isEqualTo("409 records.cannot-evolve");
        assertThat(api.send("PATCH", price, "{'type':'numeric','name':'x'}").outcome())
                .isEqualTo("409 records.cannot-evolve");
        assertThat(api.send("PATCH", price, "{'type':'numeric','colour':'x'}").outcome())
                .isEqualTo("400 records.invalid");
        // The whole attribute with the type that it has is a change of the rest.
        var whole = api.send("PATCH", price, "{'name':'price','type':'text','title':'Price','required':true}");
        assertThat(whole.outcome()).as(whole.body()).isEqualTo("200");
        assertThat(whole.json().path("attributes").path(0).path("title").asString())
                .isEqualTo("Price");
        assertThat(api.send("PATCH", price, "{'type':'text','required':false}").outcome())
                .isEqualTo("200");
        assertThat(api.send("PATCH", price, "{'type':'money','onFailure':'no'}").outcome())
                .isEqualTo("400 records.invalid");
        assertThat(editor.api().send("PATCH", price, "{'type':'numeric'}").outcome())
                .isEqualTo("403 records.owners-only");
        var together = "{'type':'numeric','onFailure':'clear','title':'Amount','default':5}";
        var all = api.send("PATCH", price + "?preview=true", together).json();
        assertThat(all.path("allowed").asBoolean()).as(all.toString()).isTrue();
        assertThat(all.path("changes").toString()).contains("Amount", "default");
        var changed = api.send("PATCH", price, together);
        assertThat(changed.outcome()).as(changed.body()).isEqualTo("200");
        assertThat(changed.json().path("attributes").path(0).path("title").asString())
                .isEqualTo("Amount");
        assertThat(changed.json().path("attributes").path(0).path("default").asInt())
                .isEqualTo(5);
        assertThat(changed.json().path("attributes").path(0).path("type").asString())
                .isEqualTo("numeric");
        assertThat(api.get(project + "/records/product?price.gte=1")
                        .json()
                        .path("items")
                        .size())
                .isOne();
        assertThat(api.post(price + "/undo-retype", "").outcome()).isEqualTo("200");
        assertThat(api.get(project + "/records/product?price=free")
                        .json()
                        .path("items")
                        .size())
                .isOne();
        assertThat(api.post(price + "/undo-retype", "").outcome()).isEqualTo("409 records.retype-not-undoable");

        var many = IntStream.range(0, 1000)
                .mapToObj("{'price':'%d'}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        api.post(project + "/records/product", many);
        api.post(project + "/records/product", many);
        var begun = api.send("PATCH", price, "{'type':'numeric','onFailure':'clear'}");
        assertThat(begun.outcome()).isEqualTo("202");
        var location = begun.header("Location");
        Awaitility.await().until(() -> api.get(location).text("state").equals("done"));
        assertThat(api.get(location).json().path("failed").asInt()).isOne();
        assertThat(api.post(location + "/cancel", "").text("state")).isEqualTo("done");
        assertThat(editor.api().get(location).outcome()).isEqualTo("403 records.owners-only");
        assertThat(api.get(project + "/schemas/product/retypes/1A1ED1AAE6700002")
                        .outcome())
                .isEqualTo("404 records.no-retype");
        assertThat(api.get(project + "/records/product?price.gt=998&count=exact")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void aSchemaInAnyScriptIsRenamedAndItsFormerNameIsDeprecated() {
        var api = owner.api();
        var made = api.post(project + "/schemas", """
                {'name':'商品','attributes':[{'name':'名前','type':'text'},{'name':'価格','type':'numeric'}]}""");
        assertThat(made.header("Location")).isEqualTo(project + "/schemas/%E5%95%86%E5%93%81");
        var path = project + "/records/" + SchemaNames.encoded("商品");
        assertThat(api.post(path, "[{'名前':'茶','価格':300},{'名前':'米','価格':2000}]").outcome())
                .isEqualTo("201");
        var list = path + "?" + SchemaNames.encoded("価格") + ".gte=500&order=-" + SchemaNames.encoded("価格") + "&select="
                + SchemaNames.encoded("名前");
        assertThat(api.get(list).json().path("items").toString()).contains("米").doesNotContain("茶", ":2000");
        var schema = project + "/schemas/" + SchemaNames.encoded("商品");
        var preview = api.send(
                "PATCH", schema + "/attributes/" + SchemaNames.encoded("価格") + "?preview=true", "{'name':'単価'}");
        assertThat(preview.json().path("allowed").booleanValue()).isTrue();
        assertThat(api.get(schema).header("Deprecation")).isEmpty();
        var renamed =
                api.send("PATCH", schema + "/attributes/" + SchemaNames.encoded("価格"), "{'name':'単価','title':'単価（円）'}");
        assertThat(renamed.json().path("attributes").path(1).path("title").asString())
                .isEqualTo("単価（円）");
        int id = renamed.json().path("attributes").path(1).path("id").intValue();
        for (int asked = 0; asked < 3; asked++) {
            var former = api.get(list);
            assertThat(former.json().path("items").toString()).contains("米");
            assertThat(former.header("Deprecation")).matches("@\\d{10}");
            assertThat(former.header("Sunset")).endsWith("GMT");
        }
        assertThat(api.get(path + "?" + id + ".gte=500").header("Deprecation")).isEmpty();
        assertThat(api.get(path + "?" + id + ".gte=500").json().path("items")).hasSize(1);
        assertThat(api.send("PATCH", schema, "{'name':'品目'}").outcome()).isEqualTo("200");
        assertThat(api.get(path).header("Deprecation")).matches("@\\d{10}");
        var export = api.get(project + "/exports/" + SchemaNames.encoded("商品"));
        assertThat(export.header("Deprecation")).matches("@\\d{10}");
        assertThat(export.header("Content-Disposition")).contains("UTF-8''%E5%95%86%E5%93%81.csv");
        assertThat(export.body()).startsWith("名前,単価");
        assertThat(api.post(project + "/schemas", "{'name':'商品','attributes':[]}")
                        .outcome())
                .isEqualTo("409 records.name-kept");
        assertThat(editor.api().send("PATCH", schema, "{'name':'x'}").outcome()).isEqualTo("403 records.owners-only");
        assertThat(api.send("PATCH", schema, "{'name':'a/b','colour':1}").outcome())
                .isEqualTo("400 records.invalid");
    }

    @Test
    void anOptionIsReplacedByNothing() {
        var api = owner.api();
        api.post(project + "/schemas", """
                {'name':'stage','attributes':[{'name':'k','type':'text','options':[{'value':'a'},{'value':'b'}]}]}""");
        var id = api.post(project + "/records/stage", "{'k':'b'}").text("id");
        var attribute = project + "/schemas/stage/attributes/k";
        var changed = api.send("PATCH", attribute, "{'options':[{'value':'a'}],'replacements':{'b':null}}");
        assertThat(changed.outcome()).as(changed.body()).isEqualTo("200");
        assertThat(api.get(project + "/records/stage/" + id)
                        .json()
                        .path("values")
                        .has("k"))
                .isFalse();
        assertThat(api.send("PATCH", attribute, "{'options':[null]}").outcome()).isEqualTo("400 http.missing-field");
    }

    @Test
    void formerNamesLeadToWhatIsThereInODataAsWell() {
        var api = owner.api();
        var id = api.post("/api/v1/projects", "{'name': 'Renamed'}").text("id");
        var path = "/api/v1/projects/" + id;
        api.post(path + "/schemas", """
                {'name': 'bill', 'attributes': [{'name': 'amt', 'type': 'numeric'}, {'name': 'paid by', 'type': 'text', 'references': 'bill'},
                    {'name': 'secret', 'type': 'text'}]}
                """);
        api.post(path + "/records/bill", "[{'amt': 3}, {'amt': 4, 'paid by': '#0'}]");
        api.send("PATCH", path + "/schemas/bill/attributes/amt", "{'name': 'amount'}");
        api.send("PATCH", path + "/schemas/bill/attributes/paid%20by", "{'name': 'payer'}");
        api.send("PATCH", path + "/schemas/bill", "{'name': 'invoice'}");
        var asked = "$select=amt,paid_by_id&$filter=amt%20gt%203&$orderby=amt&$expand=paid_by,payer($select=amt)";
        var reply = api.get("/odata/" + id + "/bill?" + asked);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        var found = reply.json().path("value").path(0);
        assertThat(found.path("amount").intValue()).isEqualTo(4);
        assertThat(found.path("payer").path("amount").intValue()).isEqualTo(3);
        assertThat(found.has("payer_id")).isTrue();
        assertThat(reply.header("Deprecation")).startsWith("@");
        assertThat(api.get("/odata/" + id + "/invoice?$select=amount").header("Deprecation"))
                .isEmpty();
        assertThat(api.get("/odata/" + id + "/bill/$count").body()).isEqualTo("2");
        assertThat(api.get("/odata/" + id + "/$metadata").body())
                .contains("\"amount\"")
                .doesNotContain("\"amt\"");
        assertThat(api.get("/odata/" + id + "/invoice?$select=amd").status()).isEqualTo(400);
    }

    private String put(Person by, Person who, String role) {
        return by.api().put(member(who), "{'role': '%s'}".formatted(role)).outcome();
    }

    private String member(Person who) {
        return project + "/members/" + who.id();
    }

    /** What an owner alone may do. */
    private List<String> attempts(ApiClient by) {
        return List.of(
                by.send("PATCH", project, "{'name': 'Mine'}").outcome(),
                by.delete(project).outcome(),
                by.put(member(stranger), "{'role': 'viewer'}").outcome(),
                by.put(member(editor), "{'role': 'owner'}").outcome(),
                by.put(member(viewer), "{'role': 'owner'}").outcome(),
                by.delete(member(owner)).outcome());
    }

    @Test
    void onlyOwnersChangeAProjectAndItsMembers() {
        assertThat(attempts(editor.api())).containsOnly("403 records.owners-only");
        assertThat(attempts(viewer.api())).containsOnly("403 records.owners-only");
        assertThat(attempts(stranger.api())).containsOnly("404 records.no-project");
        assertThat(attempts(square.anonymous())).allMatch(outcome -> outcome.startsWith("401"));
        assertThat(stranger.api().get(project).outcome()).isEqualTo("404 records.no-project");
        assertThat(stranger.api().get(project + "/members").outcome()).isEqualTo("404 records.no-project");
        assertThat(viewer.api().get(project).text("name")).isEqualTo("Shop");
        assertThat(viewer.api().get(project + "/members").json().path("items").size())
                .isEqualTo(3);
    }

    @Test
    void aProjectKeepsAnOwner() {
        assertThat(owner.api().delete(member(owner)).outcome()).isEqualTo("409 records.last-owner");
        assertThat(put(owner, owner, "viewer")).isEqualTo("409 records.last-owner");
        assertThat(put(owner, editor, "owner")).isEqualTo("204");
        assertThat(owner.api().delete(member(owner)).outcome()).isEqualTo("204");
        assertThat(owner.api().get(project).outcome()).isEqualTo("404 records.no-project");
        assertThat(editor.api().delete(member(editor)).outcome()).isEqualTo("409 records.last-owner");
        assertThat(editor.api().delete(project).outcome()).isEqualTo("204");
    }

    @Test
    void everybodyMayLeaveAndOnlyMembersAreTakenOut() {
        assertThat(viewer.api().delete(member(viewer)).outcome()).isEqualTo("204");
        assertThat(viewer.api().get(project).outcome()).isEqualTo("404 records.no-project");
        assertThat(owner.api().delete(member(viewer)).outcome()).isEqualTo("404 records.no-member");
        assertThat(owner.api()
                        .put(project + "/members/0000000000000001", "{'role': 'viewer'}")
                        .outcome())
                .isEqualTo("404 records.no-user");
        assertThat(put(owner, viewer, "emperor")).startsWith("400");
    }

    @Test
    void anAdminHasAnOwnersRights() {
        assertThat(square.admin.api().send("PATCH", project, "{'name': 'Kept'}").text("name"))
                .isEqualTo("Kept");
        assertThat(square.admin.api().delete(project).outcome()).isEqualTo("204");
        assertThat(owner.api().get(project).outcome()).isEqualTo("404 records.no-project");
    }

    @Test
    void changesOfRightsAreOnTheAuditLog() {
        var id = project.substring(project.lastIndexOf('/') + 1);
        assertThat(put(owner, viewer, "editor")).isEqualTo("204");
        assertThat(owner.api().delete(member(viewer)).outcome()).isEqualTo("204");
        assertThat(owner.api()
                        .post(project + "/schemas", "{'name': 'task', 'attributes': [{'name': 'x', 'type': 'text'}]}")
                        .outcome())
                .isEqualTo("201");
        assertThat(owner.api()
                        .put(project + "/schemas/task/rules", "{'hidden': ['x']}")
                        .outcome())
                .isEqualTo("200");
        assertThat(square.audited("targetId=" + id))
                .containsExactly(
                        "project-member-removed", "project-member-set", "project-member-set", "project-member-set");
        var set = square.admin
                .api()
                .get("/api/v1/audit?limit=1&action=project-member-set&subject=" + viewer.id())
                .json()
                .at("/items/0");
        assertThat(set.at("/before/role").asString()).isEqualTo("viewer");
        assertThat(set.at("/after/role").asString()).isEqualTo("editor");
        assertThat(set.path("actorId").asString()).isEqualTo(owner.id());
        assertThat(square.audited("targetKind=schema&actor=" + owner.id())).containsExactly("schema-rules-set");
    }
}
