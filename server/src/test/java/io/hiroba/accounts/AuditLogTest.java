package io.hiroba.accounts;

import static io.hiroba.testkit.TestAccounts.PASSWORD;
import static io.hiroba.testkit.TestAccounts.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestAccounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AuditLogTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final HttpServer server = accounts.serve();
    private static final ApiClient anonymous = ApiClient.anonymous(server.port());
    private static final Visitors visitors = new Visitors(accounts, anonymous);
    private static final AuditLog audit = accounts.module.audit();
    private static final UserId adminId = accounts.admin();
    private static final ApiClient admin = visitors.byToken(adminId);

    @AfterAll
    static void close() {
        server.close();
        accounts.close();
    }

    private static List<AuditEntry> about(UserId user) {
        return audit.list(accounts.caller(adminId), Map.of("subject", user.hex()), Optional.empty(), 100);
    }

    private static List<JsonNode> items(String query) {
        return admin.get("/api/v1/audit?" + query)
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private static List<String> actions(String query) {
        return items(query).stream().map(item -> item.path("action").asString()).toList();
    }

    @Test
    void anEntryTellsWhoAsWhomByWhatFromWhereAndWhatChanged() {
        var user = accounts.user("Ada");
        var former = accounts.emailOf(user).value();
        var browser = visitors.bySession(adminId).with("User-Agent", "Firefox").with("X-Request-Id", "the-request-1");
        var profile = "{'nickname':'Ada L','introduction':'','email':'ada.l@example.org'}";
        assertThat(browser.put("/api/v1/users/" + user, profile).outcome()).isEqualTo("200");

        var set = items("action=email-set&subject=" + user).getFirst();
        assertThat(set.path("actorId").asString()).isEqualTo(adminId.hex());
        assertThat(set.path("actorNickname").asString()).isEqualTo("admin");
        assertThat(set.path("actingAsId").isNull()).isTrue();
        assertThat(set.path("via").asString()).isEqualTo("session");
        assertThat(set.path("viaId").asString()).hasSize(16);
        assertThat(set.path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(set.path("agent").asString()).isEqualTo("Firefox");
        assertThat(set.path("requestId").asString()).isEqualTo("the-request-1");
        assertThat(set.path("target")).isEqualTo(json("{'kind':'user','id':'%s','name':null}".formatted(user)));
        assertThat(set.path("before")).isEqualTo(json("{'email':'%s'}".formatted(former)));
        assertThat(set.path("after")).isEqualTo(json("{'email':'ada.l@example.org'}"));
        var updated = items("action=user-updated&subject=" + user).getFirst();
        assertThat(updated.path("before")).isEqualTo(json("{'nickname':'Ada'}"));
        assertThat(updated.path("after")).isEqualTo(json("{'nickname':'Ada L'}"));
    }

    private static JsonNode json(String text) {
        return Json.mapper().readTree(text.replace('\'', '"'));
    }

    @Test
    void anAdminWhoActsAsAnotherIsRecordedInPerson() {
        var user = accounts.user("Bea");
        var other = visitors.bySession(user)
                .get("/api/v1/sessions")
                .json()
                .at("/items/0/id")
                .asString();
        var switched = visitors.bySession(adminId).post("/api/v1/session/switch", "{'userId':'%s'}".formatted(user));
        var acting = anonymous.cookie(switched.cookie());
        assertThat(acting.delete("/api/v1/sessions/" + other).outcome()).isEqualTo("204");

        var ended = items("targetId=" + other + "&action=session-ended").getFirst();
        assertThat(ended.path("actorId").asString()).isEqualTo(adminId.hex());
        assertThat(ended.path("actingAsId").asString()).isEqualTo(user.hex());
        assertThat(ended.path("actingAsNickname").asString()).isEqualTo("Bea");
        assertThat(ended.path("subjectId").asString()).isEqualTo(user.hex());
    }

    @Test
    void logInsTokensAndPasswordsAreRecordedWithoutTheirSecrets() {
        var user = accounts.user("Cid");
        var browser = visitors.bySession(user);
        var made = browser.post("/api/v1/tokens", "{'name':'backup'}");
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(browser.delete("/api/v1/tokens/" + made.text("id")).outcome())
                .isEqualTo("204");
        var next = "a wholly other phrase";
        var change = "{'currentPassword':'%s','newPassword':'%s'}".formatted(PASSWORD, next);
        assertThat(browser.put("/api/v1/users/%s/password".formatted(user), change)
                        .outcome())
                .isEqualTo("204");
        assertThat(browser.delete("/api/v1/session").outcome()).isEqualTo("204");
        assertThat(anonymous
                        .post("/api/v1/session", "{%s}".formatted(visitors.credentials(user)))
                        .outcome())
                .isEqualTo("401 accounts.wrong-password");

        Awaitility.await().until(() -> actions("subject=" + user).contains("log-in-failed"));
        assertThat(actions("subject=" + user))
                .containsExactly(
                        "log-in-failed",
                        "logged-out",
                        "password-changed",
                        "token-revoked",
                        "token-created",
                        "logged-in");
        var failed = items("action=log-in-failed&subject=" + user).getFirst();
        assertThat(failed.path("actorId").isNull()).isTrue();
        assertThat(failed.path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(failed.path("requestId").asString()).isNotEmpty();
        var all = accounts.db.read(reads -> reads.query("SELECT l::text FROM accounts.audit_log AS l")
                .mapTo(String.class)
                .list());
        assertThat(String.join("\n", all)).doesNotContain(PASSWORD, next, made.text("token"), "hrs_", "hrb_");
    }

    @Test
    void failuresAreRecordedSoFarAsTheyCannotFillTheDisk() {
        var failures = new FailedLogIns(
                accounts.db, new Throttle(accounts.db, accounts.clock), audit, accounts.module.alerts());
        var user = accounts.user("Dan");
        var email = accounts.emailOf(user);
        for (int i = 0; i < 12; i++) {
            failures.write(client(), email);
        }
        assertThat(about(user)).hasSize(10);
        accounts.clock.advance(Duration.ofMinutes(61));
        failures.write(client(), email);
        assertThat(about(user)).hasSize(11);

        var before = unknown();
        for (int i = 0; i < 250; i++) {
            failures.write(client(), new Email("invented%d@example.org".formatted(i)));
        }
        assertThat(unknown() - before).isBetween(100L, 160L);
        assertThat(count("l::text LIKE '%invented%'")).isZero();
    }

    private static long unknown() {
        return count("action = 'log-in-failed' AND subject_id IS NULL");
    }

    private static long count(String condition) {
        return accounts.db.read(reads -> reads.query("SELECT count(*) FROM accounts.audit_log AS l WHERE " + condition)
                .mapTo(Long.class)
                .one());
    }

    @Test
    void entriesAreNeitherChangedNorDeleted() {
        var user = accounts.user("Eve");
        var caller = accounts.signedIn(user);
        accounts.sessions.logOut(caller);
        for (var statement : List.of(
                "UPDATE accounts.audit_log SET action = 'user-created'",
                "UPDATE accounts.audit_log SET actor_id = NULL, detail = NULL, old_values = NULL, new_values = NULL",
                "UPDATE accounts.audit_log SET detail = 'another'",
                "DELETE FROM accounts.audit_log",
                "TRUNCATE accounts.audit_log")) {
            assertThatThrownBy(() -> accounts.db.useTransaction(
                            tx -> tx.update(statement).execute()))
                    .as(statement)
                    .isInstanceOf(DbException.class)
                    .hasMessageContaining("append-only");
        }
        assertThat(about(user)).extracting(AuditEntry::action).containsExactly(Action.LOGGED_OUT, Action.LOGGED_IN);
    }

    @Test
    void oldEntriesAreDeletedInBatches() {
        var now = Instant.now();
        accounts.db.useTransaction(tx -> tx.update("""
                        INSERT INTO accounts.audit_log (id, action, target_id)
                        SELECT (:age::bigint << 20) + n, 'logged-in', 'old' FROM generate_series(1, 2500) AS n
                        """)
                .bind("age", now.minus(Duration.ofDays(401)).toEpochMilli())
                .execute());
        accounts.db.useTransaction(tx -> tx.update("""
                        INSERT INTO accounts.audit_log (id, action, target_id) VALUES (:id, 'logged-in', 'old')
                        """)
                .bind("id", Ids.lowestAt(now.minus(Duration.ofDays(399))))
                .execute());
        audit.sweep(now.minus(AccountsConfig.DEFAULT.audit().retention()));
        assertThat(items("targetId=old&limit=200")).hasSize(1);
        assertThatThrownBy(() -> audit.sweep(now.plusSeconds(60))).hasMessageContaining("append-only");
    }

    @Test
    void eachFilterLeavesItsOwnAndAnExportHoldsTheSame() {
        var user = accounts.user("Fay");
        var origin = new Caller.Origin("203.0.113.7", "", "", true);
        var caller = new Caller(user, false, new Caller.ByToken(new TokenId(7)), null, origin);
        accounts.db.useTransaction(tx -> {
            var saga = Target.of(TargetKind.SAGA, "saga-1", "order");
            audit.record(tx, caller, Action.SAGA_CANCELLED, saga, Changes.NONE.with("status", "RUNNING", "CANCELLED"));
            audit.record(tx, caller, Action.SAGA_RETRIED, Target.of(TargetKind.SAGA, "saga-2", "order"));
            audit.record(tx, caller, Action.SERVICE_DELETED, Target.of(TargetKind.SERVICE, "shop", null));
        });
        assertThat(actions("actor=" + user)).containsExactly("service-deleted", "saga-retried", "saga-cancelled");
        assertThat(actions("address=203.0.113.7")).hasSize(3);
        assertThat(actions("action=saga-retried")).containsExactly("saga-retried");
        assertThat(actions("targetKind=saga")).containsExactly("saga-retried", "saga-cancelled");
        assertThat(actions("targetId=saga-1&targetKind=saga&actor=" + user)).containsExactly("saga-cancelled");
        assertThat(actions("targetId=saga-1&targetKind=service")).isEmpty();
        assertThat(actions("actor=%s&from=%s".formatted(user, Instant.now().minusSeconds(600))))
                .hasSize(3);
        assertThat(actions("actor=%s&to=%s".formatted(user, Instant.now().minusSeconds(600))))
                .isEmpty();
        assertThat(items("targetId=saga-1").getFirst().path("via").asString()).isEqualTo("grpc");
        assertThat(admin.get("/api/v1/audit?action=nonsense").outcome()).isEqualTo("400 http.invalid");

        var first = admin.get("/api/v1/audit?limit=2&actor=" + user).json();
        var second = admin.get("/api/v1/audit?actor=%s&after=%s"
                .formatted(user, first.path("next").asString()));
        assertThat(second.json().path("items").size()).isEqualTo(1);

        var export = admin.get("/api/v1/audit/export?actor=" + user);
        assertThat(export.header("Content-Type")).startsWith("application/x-ndjson");
        assertThat(export.body().lines().map(Json.mapper()::readTree).toList()).isEqualTo(items("actor=" + user));
        var exported = items("action=audit-exported&actor=" + adminId).getFirst();
        assertThat(exported.path("after")).isEqualTo(json("{'actor':'%s'}".formatted(user)));
    }

    @Test
    void onlyAdminsReadIt() {
        var member = visitors.byToken(accounts.user("Gil"));
        for (var path : List.of("/api/v1/audit", "/api/v1/audit/export")) {
            assertThat(member.get(path).outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(anonymous.get(path).outcome()).isEqualTo("401 accounts.not-signed-in");
        }
    }

    @Test
    void aDeletedAccountLeavesItsIdAndNoNameOrValue() {
        var user = accounts.user("Hatsu");
        var email = accounts.emailOf(user).value();
        var caller = accounts.caller(adminId);
        accounts.db.useTransaction(tx -> audit.record(
                tx,
                caller,
                Action.SOURCE_READ,
                Target.of(TargetKind.SOURCE, "1", "Diary of Hatsu", user),
                Changes.NONE.with("email", null, email)));
        accounts.users.delete(caller, user);

        assertThat(about(user)).extracting(AuditEntry::action).containsExactly(Action.USER_DELETED, Action.SOURCE_READ);
        assertThat(about(user)).allSatisfy(entry -> {
            assertThat(entry.about()).isEqualTo(new AuditLog.Person(user, null));
            assertThat(entry.detail()).isNull();
            assertThat(entry.before()).isNull();
            assertThat(entry.after()).isNull();
        });
    }

    @Test
    void readingTheSameAgainIsRecordedOnceInTenMinutes() {
        var user = accounts.user("Ito");
        var other = accounts.user("Jun");
        for (var owner : List.of(user, user, other, other)) {
            var target = Target.of(TargetKind.CHAT_SESSION, "thread:1", "thread:1", owner);
            audit.recordRead(accounts.caller(adminId), Action.CHAT_SESSION_READ, target);
        }
        assertThat(about(user)).hasSize(1);
        assertThat(about(other)).hasSize(1);
    }

    @Test
    void eachFilterIsServedByAnIndex() throws SQLException {
        accounts.db.useTransaction(tx -> tx.update("""
                        INSERT INTO accounts.audit_log (id, actor_id, subject_id, action, address, target_kind, target_id)
                        SELECT (n::bigint << 20), n % 50, n % 50, 'action-' || n % 50, '192.0.2.' || n % 50,
                               'kind-' || n % 50, 'target-' || n % 50
                        FROM generate_series(1, 30000) AS n
                        """).execute());
        try (var connection = accounts.db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) accounts.audit_log");
        }
        var one = new UserId(7);
        var none = AuditFilter.ALL;
        var filters = Map.of(
                "none", none,
                "actor", new AuditFilter(one, null, null, null, null, null, none.from(), none.to()),
                "subject", new AuditFilter(null, one, null, null, null, null, none.from(), none.to()),
                "action", new AuditFilter(null, null, Action.LOGGED_IN, null, null, null, none.from(), none.to()),
                "kind", new AuditFilter(null, null, null, TargetKind.SAGA, null, null, none.from(), none.to()),
                "target", new AuditFilter(null, null, null, null, "target-7", null, none.from(), none.to()),
                "address", new AuditFilter(null, null, null, null, null, "192.0.2.7", none.from(), none.to()));
        filters.forEach((name, filter) -> {
            for (boolean generic : List.of(false, true)) {
                var plan = Plan.of(
                        accounts.db,
                        generic,
                        reads ->
                                AuditStore.query(reads, Plan.LEAD + AuditStore.sql(filter), filter, 20_000L << 20, 51));
                assertThat(plan.scannedThrough(Set.of("audit_log"), 0))
                        .as(name + plan)
                        .isEmpty();
                assertThat(plan.largestSort()).as(name + plan).isLessThanOrEqualTo(51);
                assertThat(plan.entriesPassed()).as(name + plan).isLessThanOrEqualTo(51 * 4);
            }
        });
    }

    /** With {@code -Dhiroba.write-docs=true} the list is written anew. */
    @Test
    void theReferenceListsEveryActionAndKind() throws IOException {
        var list = new StringBuilder("## Actions\n| code | |\n|---|---|\n");
        for (var action : Action.values()) {
            list.append("| `%s` | %s |\n".formatted(action.code(), name("accounts.audit-action." + action.code())));
        }
        list.append("\n## Kinds of targets\n| code | |\n|---|---|\n");
        for (var kind : TargetKind.values()) {
            list.append("| `%s` | %s |\n".formatted(kind.code(), name("accounts.audit-kind." + kind.code())));
        }
        var file = Path.of("../docs/reference/audit-log.md");
        var text = Files.readString(file);
        var expected = text.substring(0, text.indexOf("## Actions\n")) + list;
        if (Boolean.getBoolean("hiroba.write-docs")) {
            Files.writeString(file, expected);
        } else {
            assertThat(text).isEqualTo(expected);
        }
    }

    /** The name in English; there is none in a language without it. */
    private static String name(String key) {
        assertThat(Language.values())
                .allSatisfy(language ->
                        assertThat(new Text(key, Map.of()).in(language)).isNotBlank());
        return new Text(key, Map.of()).in(Language.ENGLISH);
    }
}
