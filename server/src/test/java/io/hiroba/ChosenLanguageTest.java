package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The language of the API's texts and problems, which agree. */
class ChosenLanguageTest {

    private static final Square square = new Square();
    private static ApiClient member;

    @BeforeAll
    static void choose() {
        member = square.person("Hana").api();
        member.sendAs("application/x-www-form-urlencoded", "POST", "/language", "language=ja&next=/");
        assertThat(member.get("/api/v1/me").text("language")).isEqualTo("ja");
    }

    @AfterAll
    static void close() {
        square.close();
    }

    private static void answersIn(ApiClient client, String title, String refusal) {
        var templates = client.get("/api/v1/project-templates");
        assertThat(templates.body()).contains("\"title\":\"" + title + "\"");
        var missing = client.get("/api/v1/nowhere");
        assertThat(missing.text("detail")).isEqualTo(refusal);
    }

    @Test
    void textsAndProblemsAreInTheChosenLanguage() {
        answersIn(member, "コンテンツ計画", "このアドレスには何もありません。");
        answersIn(square.person("Nobody chose").api(), "Content plan", "There is nothing at this address.");
    }

    @ParameterizedTest
    @CsvSource({"zh-CN, 内容计划, 此地址没有内容。", "en, Content plan, There is nothing at this address."})
    void aLanguageThatARequestNamesIsUsed(String header, String title, String refusal) {
        answersIn(member.with("Accept-Language", header), title, refusal);
    }

    @ParameterizedTest
    @CsvSource({"*", "fr", "''"})
    void aHeaderThatNamesNoneOfTheLanguagesLeavesTheChosenOne(String header) {
        answersIn(member.with("Accept-Language", header), "コンテンツ計画", "このアドレスには何もありません。");
    }

    @Test
    void whatABrowserSendsWithTheRequestsOfScriptsNamesNone() {
        var script = member.with("Accept-Language", "en").with("Sec-Fetch-Site", "same-origin");
        answersIn(script, "コンテンツ計画", "このアドレスには何もありません。");
    }

    @Test
    void anItemOfManyIsRefusedInTheChosenLanguage() {
        var project = "/api/v1/projects/"
                + member.post("/api/v1/projects", "{'name':'Shop'}").text("id");
        member.post(
                project + "/schemas",
                "{'name':'product','attributes':[{'name':'price','type':'numeric','required':true}]}");
        var refused = member.post(project + "/records/product?atomic=false", "[{'price': 1}, {'price': 'x'}]");
        assertThat(refused.status()).isEqualTo(207);
        var english = member.with("Accept-Language", "en")
                .post(project + "/records/product?atomic=false", "[{'price': 1}, {'price': 'x'}]");
        assertThat(refused.body()).isNotEqualTo(english.body()).containsPattern("\\p{IsHiragana}");
    }
}
