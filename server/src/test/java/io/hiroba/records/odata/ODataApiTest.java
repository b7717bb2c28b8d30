package io.hiroba.records.odata;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The OData service over HTTP, as its clients ask it. */
class ODataApiTest {

    private static Square square;
    private static Square.Person ann;
    private static ApiClient owner;
    private static ApiClient viewer;
    private static String project;
    private static String service;
    private static String pen;

    @BeforeAll
    static void start() {
        square = new Square();
        ann = square.person("Ann");
        owner = ann.api();
        var lee = square.person("Lee");
        viewer = lee.api();
        var id = owner.post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        project = "/api/v1/projects/" + id;
        service = "/odata/" + id;
        owner.put(project + "/members/" + lee.id(), "{'role': 'viewer'}");
        owner.post(project + "/schemas", """
                {'name': 'maker', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'secret', 'type': 'text'}]}
                """);
        owner.put(project + "/schemas/maker/rules", "{'hidden': ['secret']}");
        var maker = owner.post(project + "/records/maker", "{'name': 'Ōmori', 'secret': 'x'}")
                .text("id");
        owner.post(project + "/schemas", """
                {'name': 'product', 'attributes': [
                    {'name': 'name', 'type': 'text', 'required': true},
                    {'name': 'price', 'type': 'numeric'},
                    {'name': 'sold', 'type': 'bool'},
                    {'name': 'day', 'type': 'date'},
                    {'name': 'seen', 'type': 'datetime'},
                    {'name': 'more', 'type': 'jsonb'},
                    {'name': 'maker', 'type': 'text', 'references': 'maker'}]}
                """);
        pen = owner.post(project + "/records/product", """
                {'name': "pen", 'price': 100.50, 'sold': true, 'day': '2026-01-02', 'seen': '2026-01-02T03:04:05Z',
                 'more': {'a': [1]}, 'maker': '%s'}
                """.formatted(maker)).text("id");
        owner.post(project + "/records/product", """
                [{'name': 'Ink', 'price': 7, 'sold': false}, {'name': 'pad', 'price': 300, 'day': '2026-02-01'},
                 {'name': 'it'}]
                """);
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static Reply get(ApiClient api, String resource, String... options) {
        var address = new StringBuilder(service + resource);
        for (int i = 0; i < options.length; i++) {
            int equals = options[i].indexOf('=');
            address.append(i == 0 ? '?' : '&')
                    .append(options[i], 0, equals + 1)
                    .append(URLEncoder.encode(options[i].substring(equals + 1), StandardCharsets.UTF_8));
        }
        return api.get(address.toString());
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
    void theServiceDocumentNamesTheEntitySets() {
        var reply = viewer.get(service);
        assertThat(reply.header("OData-Version")).isEqualTo("4.0");
        assertThat(reply.json().path("@odata.context").asString()).endsWith(service + "/$metadata");
        assertThat(reply.json()
                        .path("value")
                        .valueStream()
                        .map(each -> each.path("url").asString()))
                .containsExactly("maker", "product");
    }

    @Test
    void theMetadataHasTypesAndReferencesButNothingThatIsHidden() {
        var type = metadata(viewer, service).selectFirst("EntityType[Name=product]");
        assertThat(type.select("> Key > PropertyRef").attr("Name")).isEqualTo("_id");
        assertThat(type.select("> Property").eachAttr("Type"))
                .containsSubsequence(
                        "Edm.Guid",
                        "Edm.String",
                        "Edm.Decimal",
                        "Edm.Boolean",
                        "Edm.Date",
                        "Edm.DateTimeOffset",
                        "Edm.String",
                        "Edm.Guid");
        assertThat(type.selectFirst("> NavigationProperty").attr("Type")).isEqualTo("hiroba.records.maker");
        assertThat(type.selectFirst("ReferentialConstraint").attr("Property")).isEqualTo("maker_id");
        // A client would fetch what is referred to, and fail where there is no network.
        assertThat(metadata(viewer, service).getElementsByTag("edmx:Reference")).isEmpty();
        assertThat(metadata(viewer, service).select("Property[Name=secret]")).isEmpty();
        assertThat(metadata(owner, service).select("Property[Name=secret]")).hasSize(1);
    }

    @Test
    void anEntityHasItsValuesInTheFormsOfTheirTypes() {
        var entity = get(viewer, "/product(" + pen + ")", "$expand=maker").json();
        assertThat(entity.path("@odata.context").asString()).endsWith("$metadata#product(maker())/$entity");
        assertThat(entity.path("_id").asString()).isEqualTo(pen);
        assertThat(entity.path("price").decimalValue()).isEqualByComparingTo("100.50");
        assertThat(entity.path("day").asString()).isEqualTo("2026-01-02");
        assertThat(entity.path("seen").asString()).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(entity.path("more").asString()).isEqualTo("{\"a\":[1]}");
        assertThat(entity.path("maker").path("name").asString()).isEqualTo("Ōmori");
        assertThat(entity.path("maker").path("_id")).isEqualTo(entity.path("maker_id"));
        assertThat(entity.path("maker").has("secret")).isFalse();
        var texts = viewer.with("Accept", "application/json;odata.metadata=none;IEEE754Compatible=true")
                .get(service + "/product(" + pen + ")?$select=price")
                .body();
        assertThat(texts).isEqualTo("{\"price\":\"100.50\"}");
        assertThat(get(viewer, "/product(" + pen + ")/maker", "$select=name")
                        .json()
                        .path("name")
                        .asString())
                .isEqualTo("Ōmori");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "name eq 'pen'|pen",
                "name ne 'pen'|Ink pad it",
                "price gt 100 and price le 300|pen pad",
                "100 lt price or name eq 'it'|pen pad it",
                "not (price ge 100)|Ink it",
                "price eq null|it",
                "price ne null and not sold|Ink",
                "sold|pen",
                "sold eq false|Ink",
                "contains(name,'p')|pen pad",
                "startswith(name,'p') eq false|Ink it",
                "not contains(name,'p')|Ink it",
                "not startswith(name,'p') and (price lt 10 or price eq null)|Ink it",
                "name in ('pen','it')|pen it",
                "not (name in ('pen','it'))|Ink pad",
                "day lt 2026-02-01|pen",
                "seen ge 2026-01-02T12:04:05%2B09:00|pen",
                "maker/name eq 'Ōmori'|pen",
                "maker_id ne null|pen",
                "price eq 1.005e2|pen",
                "name eq 'it''s'|''",
            })
    void filtersFindWhatTheySay(String filter, String expected) {
        var found = get(viewer, "/product", "$filter=" + filter.replace("%2B", "+"));
        assertThat(names(found)).isEqualTo(expected.equals("''") ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "$filter=name eq|400",
                "$filter=nothing eq 1|400",
                "$filter=name eq 'a|400",
                "$filter=(name eq 'a'|400",
                "$filter=name eq 1|400",
                "$filter=price gt null|400",
                "$filter=endswith(name,'a')|501",
                "$filter=_version gt 1 ~ $filter=_updatedAt eq null ~ $filter=_id gt 01890000-0000-7000-8000-000000000000 ~ $filter=more eq '1' ~ $orderby=more ~ $apply=x ~ $format=xml|501",
                "$filter=price add 1 gt 2 ~ $filter=price gt price ~ $filter=name eq tolower(name)|501",
                "$filter=contains(tolower(name),'a') ~ $filter=maker/any(m:m/name eq 'a') ~ $orderby=tolower(name)|501",
                "$orderby=maker/name ~ $select=maker/name ~ $expand=maker/$ref ~ $expand=maker($select=name;$top=1)|501",
                "$filter=_id eq 'pen' ~ $filter=_updatedAt ge 'now' ~ $filter=_createdAt ge 5|400",
                "$orderby=nothing|400",
                "$orderby=name sideways|400",
                "$select=nothing|400",
                "$expand=name|400",
                "$expand=maker($expand=x)|501",
                "$top=-1 ~ $skip=10001|400",
                "$count=maybe ~ $skiptoken=x|400",
            })
    void whatCannotBeReadOrIsNotSupportedIsSaidInTheFormOfOData(String options, int status) {
        for (var option : options.split(" ~ ", -1)) {
            var reply = get(viewer, "/product", option);
            assertThat(reply.status()).as(option + reply.body()).isEqualTo(status);
            var message = reply.json().at("/error/message").asString();
            assertThat(message).isNotEmpty().doesNotContain("after");
        }
    }

    @Test
    void anOrderPutsWhatIsMissingFirst() {
        assertThat(names(get(viewer, "/product", "$orderby=price"))).isEqualTo("it Ink pen pad");
        assertThat(names(get(viewer, "/product", "$orderby=price desc,name"))).isEqualTo("pad pen Ink it");
        assertThat(names(get(viewer, "/product", "$orderby=_createdAt desc", "$top=1")))
                .isEqualTo("it");
        assertThat(names(get(viewer, "/product", "$orderby=price", "$skip=1", "$top=2")))
                .isEqualTo("Ink pen");
    }

    @Test
    void aCountIsExactWhateverThePage() {
        var page = get(viewer, "/product", "$filter=price ne null", "$count=true", "$top=1");
        assertThat(page.json().path("@odata.count").asInt()).isEqualTo(3);
        assertThat(page.json().has("@odata.nextLink")).isFalse();
        assertThat(get(viewer, "/product", "$count=true", "$top=0")
                        .json()
                        .path("@odata.count")
                        .asInt())
                .isEqualTo(4);
        assertThat(get(viewer, "/product/$count", "$filter=price lt 200").body())
                .isEqualTo("2");
    }

    @Test
    void nextLinksLeadThroughAllEntitiesOnce() {
        var id = owner.post("/api/v1/projects", "{'name': 'Many'}").text("id");
        var path = "/api/v1/projects/" + id;
        owner.post(path + "/schemas", "{'name': 'row', 'attributes': [{'name': 'n', 'type': 'numeric'}]}");
        for (int from = 0; from < 240; from += 80) {
            var rows = IntStream.range(from, from + 80)
                    .mapToObj(n -> Map.of("n", n / 3))
                    .toList();
            owner.post(path + "/records/row", Json.text(rows));
        }
        var seen = new ArrayList<String>();
        var next = "/odata/" + id + "/row?$orderby=n%20desc&$top=230&$count=true";
        int pages = 0;
        while (!next.isEmpty()) {
            var page = owner.with("Prefer", "odata.maxpagesize=110").get(next).json();
            page.path("value").forEach(each -> seen.add(each.path("_id").asString()));
            var address = page.path("@odata.nextLink").asString("");
            next = address.isEmpty()
                    ? ""
                    : URI.create(address).getRawPath() + "?"
                            + URI.create(address).getRawQuery();
            pages++;
        }
        assertThat(pages).isEqualTo(3);
        assertThat(seen).hasSize(230);
        assertThat(new HashSet<>(seen)).hasSize(230);
    }

    @Test
    void namesInAnyScriptBecomeIdentifiers() {
        var id = owner.post("/api/v1/projects", "{'name': '店'}").text("id");
        var path = "/api/v1/projects/" + id;
        owner.post(path + "/schemas", """
                {'name': '商品 (新)', 'attributes': [{'name': '価格', 'type': 'numeric'}, {'name': '2024 sales', 'type': 'numeric'},
                    {'name': 'a b', 'type': 'text'}, {'name': 'a_b', 'type': 'text'}, {'name': 'a-b', 'type': 'text'}, {'name': 'not', 'type': 'bool'}]}
                """);
        var set = URLEncoder.encode("商品__新_", StandardCharsets.UTF_8);
        owner.post(
                path + "/records/"
                        + URLEncoder.encode("商品 (新)", StandardCharsets.UTF_8).replace("+", "%20"),
                """
                {'価格': 5, '2024 sales': 6, 'a b': 'x', 'a_b': 'y', 'a-b': 'z', 'not': true}
                """);
        var type = metadata(owner, "/odata/" + id).selectFirst("EntityType");
        assertThat(type.attr("Name")).isEqualTo("商品__新_");
        assertThat(type.selectFirst("> Annotation").attr("String")).isEqualTo("商品 (新)");
        var names = type.select("> Property").eachAttr("Name");
        assertThat(names).contains("価格", "_2024_sales", "a_b").doesNotHaveDuplicates();
        assertThat(names.stream().filter(name -> name.startsWith("a_b"))).hasSize(3);
        var found = owner.get("/odata/" + id + "/" + set + "?$filter="
                + URLEncoder.encode("価格 eq 5 and _2024_sales gt 5 and not eq true", StandardCharsets.UTF_8));
        assertThat(found.json().path("value").path(0).path("a_b").asString()).isEqualTo("y");
    }

    @Test
    void aTokenIsThePasswordOfASpreadsheet() {
        var reply = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        Json.text(Map.of(
                                "email",
                                ann.email(),
                                "password",
                                ann.password(),
                                "name",
                                "sheet",
                                "scopes",
                                List.of("records:read:" + service.substring("/odata/".length())))));
        var token = reply.text("token");
        assertThat(basic(token).get(service + "/product").status()).isEqualTo(200);
        // Only where spreadsheets come.
        assertThat(basic(token).get(project + "/records/product").status()).isEqualTo(401);
        var refused = basic(ann.password()).get(service);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate")).startsWith("Basic ");
        assertThat(refused.json().path("error").path("code").asString()).isEqualTo("accounts.not-signed-in");
        var other = owner.post("/api/v1/projects", "{'name': 'Other'}").text("id");
        assertThat(basic(token).get("/odata/" + other).status()).isEqualTo(403);
        assertThat(square.person("Stranger").api().get(service).status()).isEqualTo(404);
    }

    private static ApiClient basic(String password) {
        var pair = Base64.getEncoder().encodeToString(("any:" + password).getBytes(StandardCharsets.UTF_8));
        return square.anonymous().with("Authorization", "Basic " + pair);
    }

    @Test
    void rulesOfRowsHoldForEntitiesAndTheirCounts() {
        var id = owner.post("/api/v1/projects", "{'name': 'Own'}").text("id");
        var path = "/api/v1/projects/" + id;
        var max = square.person("Max");
        owner.put(path + "/members/" + max.id(), "{'role': 'editor'}");
        owner.post(path + "/schemas", "{'name': 'note', 'attributes': [{'name': 'name', 'type': 'text'}]}");
        owner.put(path + "/schemas/note/rules", "{'ownRowsOnly': true}");
        var hers = owner.post(path + "/records/note", "{'name': 'hers'}").text("id");
        max.api().post(path + "/records/note", "{'name': 'his'}");
        assertThat(names(max.api().get("/odata/" + id + "/note"))).isEqualTo("his");
        assertThat(max.api().get("/odata/" + id + "/note/$count").body()).isEqualTo("1");
        assertThat(max.api().get("/odata/" + id + "/note(" + hers + ")").status())
                .isEqualTo(404);
    }
}
