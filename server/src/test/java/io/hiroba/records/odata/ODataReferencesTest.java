package io.hiroba.records.odata;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ids, times and lists of references in filters and answers of OData. */
class ODataReferencesTest {

    private static Square square;
    private static ApiClient owner;
    private static ApiClient viewer;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Ann").api();
        viewer = square.person("Lee").api();
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static String names(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return String.join(
                " ",
                reply.json()
                        .path("value")
                        .valueStream()
                        .map(each -> each.path("name").asString())
                        .toList());
    }

    private static Document metadata(ApiClient api, String of) {
        var reply = api.get(of + "/$metadata");
        assertThat(reply.header("Content-Type")).startsWith("application/xml");
        return Jsoup.parse(reply.body(), "", Parser.xmlParser());
    }

    @Test
    void listsComputedAndGeneratedValuesArePropertiesAndWhatComesOfHiddenOnesIsNot() {
        var id = owner.post("/api/v1/projects", "{'name': 'Types'}").text("id");
        var path = "/api/v1/projects/" + id;
        var lee = viewer.get("/api/v1/me").text("id");
        owner.put(path + "/members/" + lee, "{'role': 'viewer'}");
        owner.post(path + "/schemas", """
                {'name': 'job', 'attributes': [
                    {'name': 'tags', 'type': 'multi_select', 'enum': ['a', 'b']},
                    {'name': 'like', 'type': 'text', 'references': 'job', 'many': true},
                    {'name': 'lead', 'type': 'text', 'format': 'person'},
                    {'name': 'no', 'type': 'numeric', 'format': 'autonumber'},
                    {'name': 'at', 'type': 'datetime', 'format': 'created_at'},
                    {'name': 'pay', 'type': 'numeric', 'format': 'currency', 'currency': 'EUR'},
                    {'name': 'double', 'computed': {'formula': 'no * 2'}},
                    {'name': 'taxed', 'computed': {'formula': 'pay * 1.5'}}]}
                """);
        owner.put(path + "/schemas/job/rules", "{'hidden': ['pay']}");
        owner.post(
                path + "/records/job", "{'tags': ['b', 'a'], 'like': ['#0'], 'lead': '%s', 'pay': 4}".formatted(lee));
        var names = metadata(viewer, "/odata/" + id)
                .selectFirst("EntityType[Name=job]")
                .select("> Property");
        assertThat(names.eachAttr("Name"))
                .contains("tags", "like_ids", "lead", "no", "at", "double")
                .doesNotContain("pay", "taxed");
        assertThat(metadata(viewer, "/odata/" + id).select("NavigationProperty").attr("Type"))
                .isEqualTo("Collection(hiroba.records.job)");
        var reply = viewer.get("/odata/" + id + "/job?$filter=double%20eq%202%20and%20no%20le%201&$orderby=double");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        var entity = reply.json().path("value").path(0);
        assertThat(entity.path("tags").asString()).isEqualTo("[\"b\",\"a\"]");
        assertThat(entity.path("like_ids").asString())
                .contains(entity.path("_id").asString());
        assertThat(entity.path("lead").asString()).isEqualTo(lee);
        assertThat(entity.has("taxed")).isFalse();
        assertThat(owner.get("/odata/" + id + "/job")
                        .json()
                        .path("value")
                        .path(0)
                        .path("taxed")
                        .decimalValue())
                .isEqualByComparingTo("6");
    }

    @Test
    void entitiesAreFoundByTheirIdsAndByWhenTheyWereCreatedAndChanged() {
        var id = owner.post("/api/v1/projects", "{'name': 'Times'}").text("id");
        var path = "/api/v1/projects/" + id;
        owner.post(path + "/schemas", "{'name': 'row', 'attributes': [{'name': 'name', 'type': 'text'}]}");
        owner.post(path + "/schemas", """
                {'name': 'part', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'row', 'type': 'text', 'references': 'row'}]}
                """);
        var first = owner.post(path + "/records/row", "{'name': 'a'}").text("id");
        var second = owner.post(path + "/records/row", "{'name': 'b'}").text("id");
        owner.post(path + "/records/part", "{'name': 'p', 'row': '%s'}".formatted(second));
        owner.send("PATCH", path + "/records/row/" + first, "{'name': 'c'}");
        var rows = "/odata/" + id + "/row";
        var entity = owner.get(rows + "(" + first + ")").json();
        var created = entity.path("_createdAt").asString();
        var changed = entity.path("_updatedAt").asString();
        var other =
                owner.get(rows + "(" + second + ")").json().path("_updatedAt").asString();
        assertFound(rows, "_id eq " + first, "c");
        assertFound(rows, "_id ne " + first, "b");
        assertFound(rows, "_id in (" + first + "," + second + ")", "c b");
        assertFound(rows, "not (_id in (" + first + "))", "b");
        assertFound(rows, "_updatedAt ge " + changed, "c");
        assertFound(rows, "_updatedAt gt " + other, "c");
        assertFound(rows, "_updatedAt le " + other + " and name ne 'x'", "b");
        assertFound(rows, "_updatedAt eq " + changed + " or _updatedAt lt 2020-01-01T00:00:00Z", "c");
        assertFound(rows, changed + " lt _updatedAt", "");
        assertFound(rows, "_createdAt ge " + created, "c b");
        assertFound(rows, "_createdAt lt " + created, "");
        assertFound(rows, "_createdAt eq " + created + " and _id eq " + first, "c");
        assertFound(rows, "_createdAt gt 2000-01-01T00:00:00.0005Z and _createdAt le 9999-12-31T00:00:00Z", "c b");
        assertFound("/odata/" + id + "/part", "row/_updatedAt lt " + changed, "p");
        assertFound("/odata/" + id + "/part", "row/_createdAt lt 2020-01-01T00:00:00Z", "");
        assertThat(owner.get(rows + "/$count?$filter=" + encoded("_updatedAt ge " + changed))
                        .body())
                .isEqualTo("1");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void assertFound(String set, String filter, String expected) {
        assertThat(names(owner.get(set + "?$filter=" + encoded(filter))))
                .as(filter)
                .isEqualTo(expected);
    }

    @Test
    void listsOfReferencesAreFollowedAndFilteredBy() {
        var id = owner.post("/api/v1/projects", "{'name': 'Lists'}").text("id");
        var path = "/api/v1/projects/" + id;
        var lee = viewer.get("/api/v1/me").text("id");
        owner.put(path + "/members/" + lee, "{'role': 'viewer'}");
        owner.post(path + "/schemas", """
                {'name': 'tag', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'weight', 'type': 'numeric'}]}
                """);
        owner.post(path + "/schemas", """
                {'name': 'page', 'attributes': [{'name': 'name', 'type': 'text'},
                    {'name': 'refs', 'type': 'text', 'references': 'tag', 'many': true}]}
                """);
        var red = owner.post(path + "/records/tag", "{'name': 'red', 'weight': 1}")
                .text("id");
        var blue = owner.post(path + "/records/tag", "{'name': 'blue', 'weight': 2}")
                .text("id");
        owner.post(path + "/records/page", "{'name': 'both', 'refs': ['%s', '%s']}".formatted(blue, red));
        owner.post(path + "/records/page", "{'name': 'one', 'refs': ['%s']}".formatted(red));
        var none = owner.post(path + "/records/page", "{'name': 'none'}").text("id");
        var type = metadata(viewer, "/odata/" + id).selectFirst("EntityType[Name=page]");
        assertThat(type.selectFirst("> NavigationProperty").attr("Type")).isEqualTo("Collection(hiroba.records.tag)");
        assertThat(type.select("> Property[Name=refs_ids]").attr("Type")).isEqualTo("Edm.String");
        var pages = "/odata/" + id + "/page";
        var both = viewer.get(pages + "?$expand=refs($select=name)&$top=1").json();
        assertThat(both.path("@odata.context").asString()).endsWith("#page(refs(name))");
        var entity = both.path("value").path(0);
        assertThat(entity.path("refs").valueStream().map(Object::toString))
                .containsExactly("{\"name\":\"blue\"}", "{\"name\":\"red\"}");
        assertThat(entity.path("refs_ids").asString()).contains(red, blue);
        assertThat(viewer.get(pages + "(" + none + ")?$expand=*").json().path("refs"))
                .isEmpty();
        assertThat(names(viewer.get(pages + "(" + entity.path("_id").asString() + ")/refs?$select=name")))
                .isEqualTo("blue red");
        assertThat(names(viewer.get(pages + "(" + none + ")/refs"))).isEmpty();
        assertFound(pages, "refs/any(r: r/_id eq " + blue + ")", "both");
        assertFound(pages, "refs/any(r: r/_id in (" + blue + "," + red + ")) and name ne 'both'", "one");
        assertFound(pages, "not refs/any(r: r/_id eq " + blue + ")", "one none");
        assertFound(pages, "refs/any()", "both one");
        assertFound(pages, "not refs/any()", "none");
        assertFound(pages, "refs/any(r:r/weight ge 2) or refs/any(x:startswith(x/name,'b'))", "both");
        assertFound(pages, "refs/any(r:r/_createdAt lt 2020-01-01T00:00:00Z)", "");
        for (var filter : List.of(
                "refs/any(r:r/weight gt 1 and r/name eq 'red')",
                "refs/any(r:r/name ne 'red')",
                "refs/any(r:r/name eq null)",
                "refs/any(r:name eq 'both')",
                "refs/all(r:r/weight gt 1)",
                "refs/name eq 'red'",
                "refs/$count gt 1",
                "refs_ids eq 'x'")) {
            var reply = owner.get(pages + "?$filter=" + encoded(filter));
            assertThat(reply.status()).as(filter + reply.body()).isEqualTo(501);
        }
        assertThat(owner.get(pages + "?$filter=" + encoded("none/any(r:r/name eq 'a')"))
                        .status())
                .isEqualTo(400);
        owner.put(path + "/schemas/tag/rules", "{'ownRowsOnly': true}");
        var unread = viewer.get(pages + "?$expand=refs&$top=1").json().path("value");
        assertThat(unread.path(0).path("refs")).isEmpty();
    }

    @Test
    void anAnswerWithManyReferencesEndsEarly() {
        var id = owner.post("/api/v1/projects", "{'name': 'Full'}").text("id");
        var path = "/api/v1/projects/" + id;
        owner.post(path + "/schemas", "{'name': 'tag', 'attributes': [{'name': 'n', 'type': 'numeric'}]}");
        owner.post(
                path + "/schemas",
                "{'name': 'page', 'attributes': [{'name': 'refs', 'type': 'text', 'references': 'tag', 'many': true}]}");
        var tags = new ArrayList<String>();
        for (int from = 0; from < 400; from += 100) {
            var some = IntStream.range(from, from + 100)
                    .mapToObj(n -> Map.of("n", n))
                    .toList();
            owner.post(path + "/records/tag", Json.text(some))
                    .json()
                    .findValuesAsString("id")
                    .forEach(tags::add);
        }
        assertThat(tags).hasSize(400);
        for (int i = 0; i < 12; i++) {
            owner.post(path + "/records/page", Json.text(Map.of("refs", tags)));
        }
        var page = owner.get("/odata/" + id + "/page?$expand=refs").json();
        assertThat(page.path("value")).hasSize(10);
        assertThat(page.path("value").path(9).path("refs")).hasSize(400);
        assertThat(page.path("@odata.nextLink").asString("")).isNotEmpty();
    }
}
