package io.hiroba.accounts.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The pages of the admin area over HTTP: what they show, change and refuse. */
class AdminAreaTest {

    private static final TestServer server = TestServer.start(
            "--http.rate-limit.enabled=false", "--knowledge.chat.price-in=2", "--knowledge.chat.price-out=10");
    private static final ApiClient anonymous =
            ApiClient.anonymous(URI.create(server.url()).getPort());
    private static final ApiClient admin = logIn(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);

    @AfterAll
    static void close() {
        server.close();
    }

    private static ApiClient logIn(String email, String password) {
        var reply = anonymous.post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(email, password));
        return anonymous.cookie(reply.cookie()).with("Accept", "text/html");
    }

    /** Creates a user with the address {@code name@example.org}; returns the id. */
    private static String user(String name) {
        return admin.post(
                        "/api/v1/users",
                        "{'email':'%1$s@example.org','nickname':'%1$s','password':'%2$s'}"
                                .formatted(name, PagesServer.PASSWORD))
                .text("id");
    }

    private static Reply submit(ApiClient caller, String path, String fields) {
        return caller.sendAs("application/x-www-form-urlencoded", "POST", path, fields);
    }

    private static Document page(String path) {
        var reply = admin.get(path);
        assertThat(reply.status()).as(path).isEqualTo(200);
        return Jsoup.parse(reply.body());
    }

    private static List<String> names(String path) {
        return page(path).select("main .list li strong").eachText();
    }

    @Test
    void usersAreFilteredByRoleAndState() {
        var suspended = user("filtered");
        user("standing");
        assertThat(admin.post("/api/v1/users/" + suspended + "/suspend", "{}").status())
                .isEqualTo(204);
        assertThat(names("/admin/users")).contains("filtered", "standing");
        assertThat(names("/admin/users?filter=suspended")).contains("filtered").doesNotContain("standing");
        assertThat(names("/admin/users?filter=admins")).doesNotContain("filtered", "standing");
        assertThat(names("/admin/users?filter=agents")).doesNotContain("filtered", "standing");
        assertThat(admin.get("/api/v1/users?filter=suspended").body())
                .contains("filtered")
                .doesNotContain("standing");
        var member = logIn("standing@example.org", PagesServer.PASSWORD).with("Accept", "application/json");
        assertThat(member.get("/api/v1/users?filter=suspended").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(member.get("/api/v1/users?filter=admins").status()).isEqualTo(200);
        assertThat(member.get("/api/v1/users?filter=admins&order=name").status())
                .isEqualTo(400);
        assertThat(member.get("/api/v1/users?filter=nobody").status()).isEqualTo(400);
        assertThat(page("/users/" + suspended).select("main .tag").eachText()).contains("Suspended");
        assertThat(Jsoup.parse(logIn("standing@example.org", PagesServer.PASSWORD)
                                .get("/users/" + suspended)
                                .body())
                        .select("main .tag")
                        .eachText())
                .doesNotContain("Suspended");
    }

    @Test
    void anAccountIsChangedPromotedSuspendedAndRestored() {
        var id = user("managed");
        var path = "/admin/users/" + id;
        assertThat(submit(admin, path, "nickname=Renamed&email=renamed@example.org")
                        .status())
                .isEqualTo(303);
        assertThat(page(path).select("h1").text()).isEqualTo("Renamed");
        var refused = submit(admin, path, "nickname=Renamed&email=" + TestServer.ADMIN_EMAIL);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(Jsoup.parse(refused.body()).select(".alert").text()).contains("already an account");

        assertThat(submit(admin, path + "/role", "isAdmin=true").status()).isEqualTo(303);
        assertThat(page(path).select("main .tag").eachText()).contains("Admin");
        assertThat(submit(admin, path + "/role", "isAdmin=false").status()).isEqualTo(303);
        assertThat(page(path).select("main .tag").eachText()).doesNotContain("Admin");

        var owner = logIn("renamed@example.org", PagesServer.PASSWORD);
        assertThat(submit(admin, path + "/suspend", "reason=Holidays&until=2000-01-01T00:00")
                        .status())
                .isEqualTo(422);
        assertThat(submit(admin, path + "/suspend", "reason=Holidays&until=2999-01-01T00:00")
                        .status())
                .isEqualTo(303);
        assertThat(page(path).select("main").text()).contains("Reason: Holidays", "2999");
        assertThat(owner.get("/settings").status()).isEqualTo(303);
        assertThat(submit(admin, path + "/restore", "").status()).isEqualTo(303);
        assertThat(submit(admin, path + "/restore", "").status()).isEqualTo(409);

        var again = logIn("renamed@example.org", PagesServer.PASSWORD);
        var end = page(path).select("form[action*=/sessions/]").attr("action");
        assertThat(submit(admin, end, "").status()).isEqualTo(303);
        assertThat(again.get("/settings").status()).isEqualTo(303);

        assertThat(submit(admin, path + "/password", "password=12345678").status())
                .isEqualTo(422);
        assertThat(submit(admin, path + "/password", "password=battery+staple").status())
                .isEqualTo(303);
        assertThat(logIn("renamed@example.org", "battery staple")
                        .get("/settings")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void anAdminWhoseLogInWasAWhileAgoIsLedToTheConfirmationAndBack() {
        var path = "/admin/users/" + user("careful");
        var before = logIn(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
        server.database().db().useTransaction(tx -> tx.update("""
                UPDATE accounts.sessions SET confirmed_at = NULL WHERE id = (SELECT max(id) FROM accounts.sessions)
                """).execute());
        var confirm = "/settings/confirm?next=" + path;
        assertThat(Jsoup.parse(before.get(path).body())
                        .select("main a[href='" + confirm + "']")
                        .text())
                .isEqualTo("Confirm");
        for (var act : List.of("/role", "/password", "")) {
            var asked = submit(
                    before, path + act, "isAdmin=true&password=battery+staple&nickname=x&email=careful2@example.org");
            assertThat(asked.status()).isEqualTo(303);
            assertThat(asked.header("Location")).isEqualTo(confirm);
        }
        var made =
                submit(before, "/admin/users", "email=n@example.org&nickname=n&password=battery+staple&isAdmin=true");
        assertThat(made.header("Location")).isEqualTo("/settings/confirm?next=/admin/users");
        var form = "next=%s&password=%s".formatted(path, TestServer.ADMIN_PASSWORD.replace(' ', '+'));
        assertThat(submit(before, "/settings/confirm", form).header("Location")).isEqualTo(path);
        assertThat(submit(before, path + "/role", "isAdmin=true").header("Location"))
                .isEqualTo(path);
        assertThat(Jsoup.parse(before.get(path).body()).select("main .tag").eachText())
                .contains("Admin");
        assertThat(submit(before, path + "/role", "isAdmin=false").status()).isEqualTo(303);
    }

    @Test
    void anAdminRevokesTokensAndRemovesSecondFactors() {
        var path = "/admin/users/" + user("forgetful");
        var token = anonymous
                .post(
                        "/api/v1/tokens",
                        "{'name':'script','email':'forgetful@example.org','password':'%s'}"
                                .formatted(PagesServer.PASSWORD))
                .text("token");
        assertThat(page(path).select("form[action$=/second-factors/reset]")).isEmpty();
        var revoke = page(path).select("form[action*=/tokens/]").attr("action");
        assertThat(submit(anonymous.token(token), revoke, "").status()).isEqualTo(403);
        assertThat(submit(admin, revoke, "").status()).isEqualTo(303);
        assertThat(anonymous.token(token).get("/api/v1/me").status()).isEqualTo(401);
        assertThat(submit(admin, revoke, "").status()).isEqualTo(404);

        server.database().db().useTransaction(tx -> tx.update("""
                INSERT INTO accounts.passkeys (id, user_id, credential_id, public_key, sign_count, name)
                SELECT 1, id, '\\x01', '\\x02', 0, 'phone' FROM accounts.users WHERE nickname = 'forgetful'
                """).execute());
        var reset = page(path).select("form[action$=/second-factors/reset]").attr("action");
        assertThat(submit(admin, reset, "").status()).isEqualTo(303);
        assertThat(page(path).select("form[action$=/second-factors/reset]")).isEmpty();
        assertThat(submit(admin, path + "/second-factors/reset", "").status()).isEqualTo(404);
    }

    @Test
    void theUseOfModelsAndItsCostsAreShownForThirtyDays() {
        server.database().db().useTransaction(tx -> tx.update("""
                INSERT INTO knowledge.model_usage (day, used_for, model, calls, tokens_in, tokens_out)
                SELECT (now() AT TIME ZONE 'UTC')::date - ago, 'chat', 'large', calls, tokens_in, tokens_out
                FROM (VALUES (0, 3, 1500000, 20000), (1, 1, 500000, 0), (40, 9, 900000000, 0)) AS u (ago, calls, tokens_in, tokens_out)
                """).execute());
        var usage = page("/admin/ai-models").select("section[aria-labelledby=usage]");
        assertThat(usage.select("tbody tr th:contains(large) ~ td").eachText())
                .containsExactly("Answers", "4", "2,000,000", "20,000", "4.20");
        assertThat(usage.select("rect")).hasSize(30);
        assertThat(usage.select("rect[height=60] title").eachText())
                .singleElement()
                .asString()
                .contains("3 calls", "1,520,000 tokens");
    }

    @Test
    void deletingAnAccountAsksForItsNickname() {
        var id = user("leaving");
        var path = "/admin/users/" + id + "/delete";
        assertThat(page(path).select("main").text()).contains("No posts", "audit log stay");
        assertThat(submit(admin, path, "nickname=somebody").status()).isEqualTo(422);
        assertThat(submit(admin, path, "nickname=leaving").status()).isEqualTo(303);
        assertThat(admin.get("/admin/users/" + id).status()).isEqualTo(404);
        var own = user("going");
        var member = logIn("going@example.org", PagesServer.PASSWORD);
        assertThat(Jsoup.parse(member.get("/settings/data").body()).select("a[href=/settings/data/delete-account]"))
                .hasSize(1);
        assertThat(member.get("/settings/data/delete-account").body()).doesNotContain("suspend");
        assertThat(submit(member, "/settings/data/delete-account", "nickname=leaving")
                        .status())
                .isEqualTo(422);
        assertThat(submit(member, "/settings/data/delete-account", "nickname=going")
                        .status())
                .isEqualTo(303);
        assertThat(admin.get("/admin/users/" + own).status()).isEqualTo(404);
        var last = submit(admin, "/settings/data/delete-account", "nickname=admin");
        assertThat(last.status()).isEqualTo(409);
        assertThat(Jsoup.parse(last.body()).select(".alert").text()).contains("last admin");
    }

    @Test
    void ownAccountsAndOtherPeopleAreRefused() {
        var own = admin.with("Accept", "application/json").get("/api/v1/me").text("id");
        var shown = page("/admin/users/" + own);
        assertThat(shown.select("form[action$=/suspend], form[action$=/role], a[href$=/delete]"))
                .isEmpty();
        assertThat(submit(admin, "/admin/users/" + own + "/role", "isAdmin=false")
                        .status())
                .isEqualTo(409);
        assertThat(submit(admin, "/admin/users/" + own + "/suspend", "").status())
                .isEqualTo(409);
        var id = user("plain");
        var member = logIn("plain@example.org", PagesServer.PASSWORD);
        for (var path : List.of("", "/delete")) {
            assertThat(member.get("/admin/users/" + id + path).status()).isEqualTo(403);
        }
        for (var act : List.of("", "/role", "/suspend", "/restore", "/password", "/delete")) {
            assertThat(submit(member, "/admin/users/" + id + act, "isAdmin=true&nickname=x&email=x@x.org")
                            .status())
                    .as(act)
                    .isEqualTo(403);
        }
    }

    @Test
    void modelsAreCreatedChangedAndDeleted() {
        var path = "/admin/ai-models";
        var fields = "&inputCost=0.25&outputCost=1.5&description=Small";
        assertThat(submit(admin, path, "name=tiny-1" + fields).status()).isEqualTo(303);
        assertThat(page(path).select("main .list").text()).contains("tiny-1", "$0.25 in · $1.5 out", "no agents");
        assertThat(submit(admin, path, "name=tiny-1" + fields).status()).isEqualTo(422);
        assertThat(submit(admin, path, "name=tiny-2&inputCost=much&outputCost=1")
                        .status())
                .isEqualTo(422);
        assertThat(page(path + "/tiny-1").select("#inputCost").val()).isEqualTo("0.25");
        assertThat(submit(admin, path + "/tiny-1", "inputCost=0.5&outputCost=2&description=")
                        .status())
                .isEqualTo(303);
        assertThat(page(path).select("main .list").text()).contains("$0.5 in · $2 out");
        assertThat(submit(admin, path + "/tiny-1/delete", "").status()).isEqualTo(303);
        assertThat(admin.get(path + "/tiny-1").status()).isEqualTo(404);
    }

    @Test
    void sagaRolesAreGrantedByNicknameOrIdAndRevoked() {
        var id = user("operating");
        var path = "/admin/saga-roles";
        assertThat(submit(admin, path, "user=operating&role=operator").status()).isEqualTo(303);
        assertThat(page(path).select("main .list").text()).contains("operating Operator");
        assertThat(submit(admin, path, "user=" + id + "&role=auditor").status()).isEqualTo(303);
        assertThat(page(path).select("main .list").text()).contains("operating Auditor");
        var unknown = submit(admin, path, "user=nobody+of+this+name&role=auditor");
        assertThat(unknown.status()).isEqualTo(422);
        assertThat(Jsoup.parse(unknown.body()).select("#user-error").text()).isEqualTo("Is the nickname of nobody.");
        assertThat(submit(admin, path + "/" + id + "/revoke", "").status()).isEqualTo(303);
        assertThat(page(path).select("main").text()).doesNotContain("operating");
    }

    @Test
    void theAreaIsForAdminsAndEachPageIsMarkedOnce() {
        user("outside");
        var member = logIn("outside@example.org", PagesServer.PASSWORD);
        var own = page("/admin/users").select(".nav a[href]").eachAttr("href").stream()
                .filter(href -> href.startsWith("/admin/") || href.equals("/inbox/connections"))
                .toList();
        assertThat(own)
                .containsSubsequence(
                        "/admin/users",
                        "/admin/ai-models",
                        "/admin/mail",
                        "/admin/saga-roles",
                        "/inbox/connections",
                        "/admin/system",
                        "/admin/settings");
        for (var path : own) {
            assertThat(member.get(path).status()).as(path).isEqualTo(403);
            assertThat(page(path).select("#menu .nav a[aria-current]").eachAttr("href"))
                    .containsExactly(path);
        }
    }

    @Test
    void theStateOfTheSystemIsShownWithAJudgement() {
        var api = admin.with("Accept", "application/json");
        var checks = api.get("/api/v1/system").json().path("checks");
        assertThat(checks.findValuesAsString("code"))
                .contains(
                        "version",
                        "disk",
                        "database-version",
                        "versions",
                        "machine-memory",
                        "wal",
                        "dead-rows",
                        "transaction-age",
                        "clock",
                        "connections",
                        "schema.accounts",
                        "mail-queue",
                        "embedding-queue",
                        "dictionaries",
                        "sagas",
                        "sagas-stuck")
                .anyMatch(code -> code.startsWith("events."))
                .doesNotContain("not-measured");
        assertThat(checks.findValuesAsString("label"))
                .filteredOn(label -> label.endsWith("(this one)"))
                .hasSize(1);
        assertThat(admin.get("/admin").header("Location")).isEqualTo("/admin/system");
        var shown = page("/admin/system");
        assertThat(shown.select("[data-check=sagas-stuck] dd").text()).isEqualTo("0");

        server.database().db().useTransaction(tx -> tx.update("""
                INSERT INTO platform.mails (id, to_address, subject, body, created_at, not_before)
                VALUES (1, 'late@example.org', 's', 'b', now() - interval '1 hour', now() + interval '1 hour')
                """).execute());
        assertThat(api.get("/api/v1/system").json().path("fine").asBoolean()).isFalse();
        assertThat(page("/admin/system").select(".alert.warn").text())
                .contains("Mail: The oldest mail has been waiting");
        assertThat(page("/admin/system")
                        .select("[data-check=mail-queue] dd")
                        .eachText()
                        .getFirst())
                .isEqualTo("1 waiting");
        user("nosy");
        var member = logIn("nosy@example.org", PagesServer.PASSWORD).with("Accept", "application/json");
        assertThat(member.get("/api/v1/version").json().path("postgresql").asString())
                .startsWith("17.");
        assertThat(member.get("/api/v1/system").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(member.get("/api/v1/system/settings").outcome()).isEqualTo("403 accounts.admin-only");
    }

    @Test
    void aFormForAMailedInvitationLeadsToTheRightOneWithALink() {
        var secret = admin.post("/api/v1/invitations", "{}").text("invitation");
        var reply = submit(anonymous, "/signup/accept", "invitation=" + secret + "&nickname=Ann&password=");
        assertThat(reply.header("Location")).isEqualTo("/signup?invitation=" + secret);
    }

    @Test
    void programsThatKeepPasswordsFindThePageToChangeOne() {
        var reply = anonymous.get("/.well-known/change-password");
        assertThat(reply.status()).isEqualTo(302);
        assertThat(reply.header("Location")).isEqualTo("/settings/password");
    }

    @Test
    void namesOfSettingsInTextsAreDrawnAsCode() {
        assertThat(page("/admin/settings").select(".meaning code").eachText()).contains("prefer");
        assertThat(page("/admin/settings").select(".meaning").text()).doesNotContain("`");
    }

    @Test
    void settingsInEffectAreShownWithTheirOriginAndWithoutSecrets() {
        var shown = page("/admin/settings");
        var changed = shown.select("section[aria-labelledby=changed]").text();
        assertThat(changed).contains("http.rate-limit.enabled", "false", "From --http.rate-limit.enabled", "********");
        assertThat(shown.select("section[aria-labelledby=defaults]").text()).contains("accounts.session-lifetime");
        assertThat(shown.text()).doesNotContain(TestServer.ADMIN_PASSWORD, "jdbc:postgresql");
        var items = admin.with("Accept", "application/json")
                .get("/api/v1/system/settings")
                .json()
                .path("items");
        assertThat(items.findValuesAsString("key")).contains("admin.password", "database.url", "http.port");
        assertThat(items.toString()).doesNotContain(TestServer.ADMIN_PASSWORD, "jdbc:postgresql");
    }
}
