package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.model.ModelRequest.ToolDefinition;
import io.hiroba.mcp.ApiTools;
import io.hiroba.mcp.ApiTools.Effect;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.testkit.TestAccounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Tools that agents use through the API of a live server: they read what both agent and caller may read, and change nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiAgentToolsTest {

    private final TestAccounts accounts = new TestAccounts();
    private final ApiAgentTools tools = new ApiAgentTools(accounts.module.authentication(), accounts.db);
    private final HttpServer server = accounts.serve();
    private final UserId ann = accounts.user("Ann");
    private final UserId agent = accounts.user("Agent");

    @BeforeAll
    void connect() {
        tools.connect(server::calls);
    }

    @AfterAll
    void close() {
        server.close();
        accounts.close();
    }

    @Test
    void modelsAreToldTheToolsWithTheirSchemas() {
        var definitions = tools.definitions(List.of("people_get", "posts_create", "inbox_approve", "no_such_tool"));
        assertThat(definitions.stream().map(ToolDefinition::name)).containsExactly("people_get", "posts_create");
        assertThat(definitions.getLast().inputSchema()).doesNotContain("idempotencyKey");
        var schema = JsonMapper.shared().readTree(definitions.getFirst().inputSchema());
        assertThat(schema.path("properties").has("id")).isTrue();
        assertThat(definitions.getFirst().description()).isNotBlank();
    }

    @Test
    void everyToolThatTakesAnApprovalHasWordsForIt() {
        assertThat(ApiTools.names())
                .filteredOn(name -> tools.effect(name) == Effect.LARGE)
                .hasSize(19)
                .allSatisfy(name -> assertThat(
                                Text.of("agents.tool." + name.replace('_', '-')).in(Language.ENGLISH))
                        .doesNotContain("agents.tool"));
        assertThat(tools.effect("posts_create")).isEqualTo(Effect.SMALL);
        assertThat(tools.effect("inbox_approve")).isEqualTo(Effect.OWN);
    }

    @Test
    void askingTheChatModelIsNoReading() {
        assertThat(tools.definitions(List.of("knowledge_ask"))).isEmpty();
        assertThat(tools.effect("knowledge_ask")).isEqualTo(Effect.OWN);
        assertThat(tools.use("knowledge_ask", "{\"question\": \"Why?\", \"sessionKey\": \"main\"}", agent, ann)
                        .failed())
                .isTrue();
        assertThat(tools.effect("knowledge_search")).isEqualTo(Effect.NONE);
    }

    @Test
    void numbersKeepEveryDigitAndNamesThatAreThereTwiceAreRefused() {
        var exact = "{\"n\":0.1000000000000000055,\"m\":1.50}";
        assertThat(tools.arguments(exact)).contains(exact);
        assertThat(tools.arguments("{\"n\":1,\"n\":2}")).isEmpty();
        assertThat(ApiAgentTools.inCommon(exact, "{\"n\":0.1000000000000000055}"))
                .isEqualTo("{\"n\":0.1000000000000000055}");
    }

    @Test
    void whatBothMayReadIsToldAndWhatIsOnlyTheCallersIsNot() {
        var people = tools.use("people_list", "{\"limit\": 10}", agent, ann);
        assertThat(people.failed()).as(people.text()).isFalse();
        assertThat(people.text()).contains("Ann", "Agent");
        var email = accounts.users.profile(ann).user().email().value();
        var me = tools.use("people_me", "", agent, ann);
        assertThat(me.failed()).as(me.text()).isFalse();
        assertThat(me.text()).doesNotContain(email, ann.hex(), "Ann");
        assertThat(tools.use("people_get", "{\"id\": \"" + ann + "\"}", agent, ann)
                        .text())
                .contains("Ann")
                .doesNotContain(email);
    }

    @Test
    void nobodyActsWithTheRightsOfAnAdmin() {
        var admin = accounts.admin();
        var email = accounts.users.profile(ann).user().email().value();
        var seen = tools.use("people_get", "{\"id\": \"" + ann + "\"}", admin, admin);
        assertThat(seen.failed()).as(seen.text()).isFalse();
        assertThat(seen.text()).doesNotContain(email);
    }

    @Test
    void whatChangesSomethingIsNonsenseOrUnknownIsRefusedWithAWord() {
        assertThat(tools.use("posts_create", "{\"content\": \"hi\"}", agent, ann)
                        .failed())
                .isTrue();
        assertThat(tools.use("people_list", "[1]", agent, ann).text()).contains("one JSON object");
        assertThat(tools.use("people_list", "{", agent, ann).failed()).isTrue();
        assertThat(tools.use("people_list", "{\"colour\": 1}", agent, ann).text())
                .contains("no argument colour");
        assertThat(tools.use("people_get", "{\"id\": \"../me\"}", agent, ann).failed())
                .isTrue();
        assertThat(tools.use("rm", "{}", agent, ann).failed()).isTrue();
    }

    @Test
    void anAuthorizationWithinTheProcessEndsWithItsWork() {
        var kept = accounts.module
                .authentication()
                .as(new Caller(ann, false, new Caller.ByServer(), null), authorization -> {
                    assertThat(server.calls(authorization)
                                    .call("GET", "/api/v1/me", null, Map.of())
                                    .status())
                            .isEqualTo(200);
                    return authorization;
                });
        assertThat(server.calls(kept).call("GET", "/api/v1/me", null, Map.of()).status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a':1}|{'a':1}|{'a':1}",
                "{'a':1,'b':2}|{'a':1,'b':3}|{'a':1}",
                "{'items':[{'id':'1','own':true},{'id':'2'}]}|{'items':[{'id':'1','own':false},{'id':'3'}]}|{'items':[{'id':'1'}]}",
                "{'rows':[1,2,3]}|{'rows':[3,4]}|{'rows':[3]}",
                "{'count':4}|{'count':9}|{}",
                "['secret']|['other']|[]",
                "'one'|'other'|{}",
            })
    void twoAnswersHaveInCommonWhatBothSay(String one, String other, String common) {
        assertThat(ApiAgentTools.inCommon(one.replace('\'', '"'), other.replace('\'', '"')))
                .isEqualTo(common.replace('\'', '"'));
    }
}
