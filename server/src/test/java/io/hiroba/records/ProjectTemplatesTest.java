package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Projects from templates, over HTTP and in their pages. */
@Tag("slow")
class ProjectTemplatesTest {

    private static Square square;
    private static ApiClient owner;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner").api();
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @ParameterizedTest
    @CsvSource({
        "crm,en",
        "crm,ja",
        "tickets,zh",
        "tickets,en",
        "stock,ja",
        "stock,en",
        "content-plan,zh",
        "content-plan,en"
    })
    void aTemplateMakesAProjectThatWorks(String template, String language) {
        var api = owner.with("Accept-Language", language);
        var made = api.post("/api/v1/projects", "{'name': 'New', 'template': '%s'}".formatted(template));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        var project = "/api/v1/projects/" + made.text("id");
        var kinds = new ArrayList<String>();
        for (var schema : api.get(project + "/schemas").json().path("items")) {
            var name = schema.path("name").stringValue();
            assertThat(schema.path("title").isString()).isTrue();
            assertThat(schema.path("attributes"))
                    .allMatch(each -> each.path("title").isString());
            var records = api.get(project + "/records/" + name + "?count=exact&limit=100")
                    .json();
            assertThat(records.path("items")).as(name).isNotEmpty();
            assertThat(records.toString()).doesNotContain("\"@");
            var page = "/records/" + made.text("id") + "/" + name;
            assertThat(api.get(page).status()).isEqualTo(200);
            for (var view :
                    api.get(project + "/schemas/" + name + "/views").json().path("items")) {
                kinds.add(view.path("kind").stringValue());
                var shown = api.get(page + "/views/" + view.path("id").stringValue());
                var reached =
                        shown.status() == 303 || shown.status() == 302 ? api.get(shown.header("Location")) : shown;
                assertThat(reached.status()).as(view.toString()).isEqualTo(200);
            }
            var chart = Jsoup.parse(api.get(page + "/chart").body());
            assertThat(chart.select("#by option[selected], .empty")).isNotEmpty();
        }
        assertThat(kinds).contains("board", "calendar", "form");
    }

    @Test
    void computedValuesAreThere() {
        var id = owner.post("/api/v1/projects", "{'name': 'Shop', 'template': 'stock'}")
                .text("id");
        var products = owner.get("/api/v1/projects/" + id + "/records/product?sku=P-002")
                .json();
        assertThat(products.at("/items/0/values/worth").decimalValue()).isEqualByComparingTo("25.6");
        assertThat(products.at("/items/0/values/low").booleanValue()).isTrue();
        var project = "/api/v1/projects/" + id;
        var movement = "{'product': '%s', 'kind': 'in', 'pieces': 20}"
                .formatted(products.at("/items/0/id").stringValue());
        assertThat(owner.post(project + "/records/movement", movement).status()).isEqualTo(201);
        products = owner.get(project + "/records/product?sku=P-002").json();
        assertThat(products.at("/items/0/values/quantity").intValue()).isEqualTo(28);
        assertThat(products.at("/items/0/values/low").booleanValue()).isFalse();
        assertThat(owner.post(project + "/records/product", "{'sku': 'X', 'name': 'New'}")
                        .json()
                        .at("/values/low")
                        .booleanValue())
                .isTrue();
        var sales = owner.with("Accept-Language", "ja")
                .post("/api/v1/projects", "{'name': 'Sales', 'template': 'crm'}")
                .text("id");
        var offers = owner.get("/api/v1/projects/" + sales + "/records/deal?stage=offer")
                .json();
        assertThat(offers.at("/items/0/values/chance").intValue()).isEqualTo(70);
        assertThat(offers.at("/items/0/values/expected").decimalValue()).isEqualByComparingTo("1330000");
        var deals = owner.post("/api/v1/projects", "{'name': 'Sales', 'template': 'crm', 'examples': false}")
                .text("id");
        assertThat(owner.get("/api/v1/projects/" + deals + "/records/deal")
                        .json()
                        .path("items"))
                .isEmpty();
        assertThat(owner.get("/api/v1/projects/" + deals + "/schemas/deal/views")
                        .json()
                        .path("items"))
                .hasSize(3);
    }

    @Test
    void templatesAreListedInTheLanguageThatIsAskedFor() {
        var english = owner.get("/api/v1/project-templates").json().path("items");
        assertThat(english)
                .extracting(each -> each.path("name").stringValue())
                .isEqualTo(List.of("crm", "tickets", "stock", "content-plan"));
        assertThat(owner.with("Accept-Language", "ja")
                        .get("/api/v1/project-templates")
                        .json()
                        .at("/items/0/title")
                        .stringValue())
                .isEqualTo("顧客管理");
        assertThat(ApiClient.anonymous(URI.create(square.server.url()).getPort())
                        .get("/api/v1/project-templates")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void whatIsNoTemplateLeavesNothing() {
        var before =
                owner.get("/api/v1/projects?limit=100").json().path("items").size();
        for (var bad : List.of("'nothing'", "'../crm'", "''", "7", "'CRM'")) {
            assertThat(owner.post("/api/v1/projects", "{'name': 'x', 'template': %s}".formatted(bad))
                            .status())
                    .as(bad)
                    .isEqualTo(400);
        }
        assertThat(owner.post("/api/v1/projects", "{'name': ' ', 'template': 'crm'}")
                        .status())
                .isEqualTo(400);
        assertThat(owner.get("/api/v1/projects?limit=100").json().path("items")).hasSize(before);
    }

    @Test
    void theGalleryMakesOne() {
        var person = square.person("Gallery").api();
        var page = Jsoup.parse(person.get("/records").body());
        assertThat(page.select(".template strong").eachText())
                .containsExactly("An empty project", "Customers", "Tickets", "Stock", "Content plan");
        var made = person.sendAs(
                "application/x-www-form-urlencoded",
                "POST",
                "/records",
                "name=Desk&template=tickets&examples=true&key="
                        + page.select("[name=key]").attr("value"));
        assertThat(made.status()).as(made.body()).isEqualTo(303);
        var project = Jsoup.parse(person.get(made.header("Location")).body());
        assertThat(project.select("main").text())
                .contains("Tickets")
                .contains("Areas")
                .contains("7 records");
        var refused =
                person.sendAs("application/x-www-form-urlencoded", "POST", "/records", "name=&template=tickets&key=k");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Jsoup.parse(refused.body())
                        .select("[name=template][checked]")
                        .attr("value"))
                .isEqualTo("tickets");
    }
}
