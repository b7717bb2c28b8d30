package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestKnowledge;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostRuleRoutesTest {

    private static final String PATH = "/api/v1/knowledge/post-rules";

    private final TestKnowledge knowledge = new TestKnowledge();
    private final TestAccounts accounts = knowledge.accounts;
    private final HttpServer server = serve();
    private final ApiClient admin = client(accounts.caller(accounts.admin()));

    private HttpServer serve() {
        var authentication = new Authentication(accounts.sessions, accounts.tokens);
        var routes =
                new PostRuleRoutes(new PostRules(knowledge.db, accounts.lease.ids(), accounts.clock, new WakeSignal()));
        return HttpServer.builder(
                        HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)), accounts.db)
                .identity(authentication)
                .routes(authentication, routes)
                .build()
                .start();
    }

    private ApiClient client(String nickname) {
        return client(knowledge.person(nickname));
    }

    private ApiClient client(Caller caller) {
        var session = accounts.sessions.begin(TestAccounts.client(), caller.user());
        return ApiClient.anonymous(server.port()).cookie(session.secret());
    }

    @AfterAll
    void end() {
        server.close();
        knowledge.close();
    }

    private static List<String> ids(Reply list) {
        var ids = new ArrayList<String>();
        list.json().path("items").forEach(item -> ids.add(item.path("id").asString()));
        return ids;
    }

    @Test
    void aRuleIsTurnedOnListedAndTurnedOff() {
        var owner = knowledge.person("Ann");
        var ann = client(owner);
        var added = ann.post(PATH, "{'tag': '#Cats'}");
        assertThat(added.outcome()).isEqualTo("201");
        assertThat(added.header("Location")).isEqualTo(PATH + "/" + added.text("id"));
        assertThat(added.text("tag")).isEqualTo("cats");
        assertThat(added.text("ownedBy")).isEqualTo(owner.user().hex());
        assertThat(added.json().path("filling").asBoolean()).isTrue();
        var again = ann.post(PATH, "{'tag': 'cats'}");
        assertThat(again.outcome()).isEqualTo("200");
        assertThat(again.text("id")).isEqualTo(added.text("id"));
        var all = ann.post(PATH, "{}");
        assertThat(all.outcome()).isEqualTo("201");
        assertThat(all.json().path("tag").isNull()).isTrue();
        assertThat(ids(ann.get(PATH))).containsExactlyInAnyOrder(added.text("id"), all.text("id"));
        assertThat(ann.delete(added.header("Location")).status()).isEqualTo(204);
        assertThat(ids(ann.get(PATH))).containsExactly(all.text("id"));
    }

    @Test
    void anothersRulesAreNeitherSeenNorTurnedOff() {
        var bob = client("Bob");
        var cleo = client("Cleo");
        var rule = bob.post(PATH, "{'tag': 'secret'}");
        assertThat(ids(cleo.get(PATH))).doesNotContain(rule.text("id"));
        assertThat(cleo.delete(rule.header("Location")).outcome()).isEqualTo("404 knowledge.no-rule");
        assertThat(ids(bob.get(PATH))).containsExactly(rule.text("id"));
        assertThat(admin.delete(rule.header("Location")).status()).isEqualTo(204);
        assertThat(bob.delete(rule.header("Location")).outcome()).isEqualTo("404 knowledge.no-rule");
    }

    @Test
    void aRuleForEverybodyIsAnAdminsAndSeenByAll() {
        var dan = client("Dan");
        assertThat(dan.post(PATH, "{'tag': 'howto', 'everyone': true}").outcome())
                .isEqualTo("403 accounts.admin-only");
        var rule = admin.post(PATH, "{'tag': 'howto', 'everyone': true}");
        assertThat(rule.outcome()).isEqualTo("201");
        assertThat(rule.json().path("ownedBy").isNull()).isTrue();
        assertThat(ids(dan.get(PATH))).containsExactly(rule.text("id"));
        assertThat(dan.delete(rule.header("Location")).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(admin.delete(rule.header("Location")).status()).isEqualTo(204);
        assertThat(ids(dan.get(PATH))).isEmpty();
        assertThat(accounts.audited(Action.POST_RULE_ADDED))
                .singleElement()
                .satisfies(added -> assertThat(added.after()).contains("howto"));
        assertThat(accounts.audited(Action.POST_RULE_REMOVED).getFirst().targetId())
                .isEqualTo(rule.text("id"));
    }

    @Test
    void whatIsWrongIsTold() {
        var eve = client("Eve");
        for (var body :
                List.of("{'tag': ''}", "{'tag': 'two words'}", "{'tag': '#'}", "{'tag': '" + "x".repeat(51) + "'}")) {
            assertThat(eve.post(PATH, body).outcome()).as(body).isEqualTo("400 knowledge.invalid");
        }
        assertThat(admin.post(PATH, "{'everyone': true}").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(eve.post(PATH, "{'tags': 'x'}").outcome()).isEqualTo("400 http.unknown-field");
        assertThat(eve.delete(PATH + "/0000000000000001").outcome()).isEqualTo("404 knowledge.no-rule");
        for (int i = 0; i < 50; i++) {
            assertThat(eve.post(PATH, "{'tag': 'tag%d'}".formatted(i)).status()).isEqualTo(201);
        }
        assertThat(eve.post(PATH, "{'tag': 'one-more'}").outcome()).isEqualTo("409 knowledge.too-many-rules");
        var stranger = ApiClient.anonymous(server.port());
        assertThat(stranger.get(PATH).status()).isEqualTo(401);
        assertThat(stranger.post(PATH, "{'tag': 'x'}").status()).isEqualTo(401);
        assertThat(stranger.delete(PATH + "/0000000000000001").status()).isEqualTo(401);
    }
}
