package io.hiroba.records.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Names and titles with signs that set a direction. */
class TextDirectionPagesTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    @Test
    void aNameThatSetsADirectionTurnsNothingAroundItAndATitleMayNot() {
        var api = square.person("Olive").api();
        var made = api.post("/api/v1/projects", "{'name':'Lamps \\u202Egpj'}");
        assertThat(made.text("name")).isEqualTo("Lamps \u202Egpj");
        var page = Jsoup.parse(api.get("/records/" + made.text("id")).body());
        assertThat(page.select("h1").text()).isEqualTo("\u2068Lamps \u202Egpj\u202C\u2069");

        var schemas = "/api/v1/projects/" + made.text("id") + "/schemas";
        api.post(schemas, "{'name':'lamp','attributes':[{'name':'price','type':'numeric'}]}");
        var refused = api.send("PATCH", schemas + "/lamp", "{'title':'Lamps \\u2067gpj'}");
        assertThat(refused.outcome()).isEqualTo("400 records.invalid");
        assertThat(refused.body()).contains("must not have characters that set the direction of text");
    }
}
