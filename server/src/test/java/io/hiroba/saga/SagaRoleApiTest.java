package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SagaRoleApiTest {

    private static final TestSagaServer server = new TestSagaServer();

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void anAdminGivesAndTakesRoles() {
        var user = server.accounts.user("Nora");
        var nora = server.as(user);
        var path = "/api/v1/saga-roles/" + user.hex();
        assertThat(nora.get("/api/v1/sagas").outcome()).isEqualTo("403 saga.auditors-only");
        assertThat(server.admin.put(path, "{'role':'auditor'}").outcome()).isEqualTo("204");
        assertThat(nora.get("/api/v1/sagas").outcome()).isEqualTo("200");
        assertThat(nora.post("/api/v1/sagas", "{'workflowName':'x'}").outcome()).isEqualTo("403 saga.operators-only");
        assertThat(server.admin.put(path, "{'role':'operator'}").outcome()).isEqualTo("204");
        assertThat(nora.post("/api/v1/sagas", "{'workflowName':'x'}").outcome()).isEqualTo("404 saga.no-workflow");
        assertThat(server.admin.get("/api/v1/saga-roles").body())
                .contains("\"userId\":\"%s\",\"nickname\":\"Nora\",\"role\":\"operator\"".formatted(user.hex()));
        assertThat(server.admin.delete(path).outcome()).isEqualTo("204");
        assertThat(server.admin.delete(path).outcome()).isEqualTo("404 saga.no-role");
        assertThat(nora.get("/api/v1/sagas").outcome()).isEqualTo("403 saga.auditors-only");

        var granted = server.accounts.audited(AuditLog.Action.SAGA_ROLE_GRANTED).getFirst();
        assertThat(granted.targetId()).isEqualTo(user.hex());
        assertThat(granted.before()).contains("auditor");
        assertThat(granted.after()).contains("operator");
        var revoked = server.accounts.audited(AuditLog.Action.SAGA_ROLE_REVOKED).getFirst();
        assertThat(revoked.targetId()).isEqualTo(user.hex());
        assertThat(revoked.before()).contains("operator");
    }

    @Test
    void rolesAreListedPageByPage() {
        var given = new ArrayList<String>();
        for (var nickname : List.of("Zoe", "Yann", "Xaver")) {
            var user = server.accounts.user(nickname);
            server.admin.put("/api/v1/saga-roles/" + user.hex(), "{'role':'auditor'}");
            given.add(user.hex());
        }
        var found = new ArrayList<String>();
        var next = "";
        do {
            var page = server.admin
                    .get("/api/v1/saga-roles?limit=2" + (next.isEmpty() ? "" : "&after=" + next))
                    .json();
            page.path("items").forEach(item -> found.add(item.path("userId").asString("")));
            next = page.path("next").asString("");
        } while (!next.isEmpty());
        assertThat(found).containsSubsequence(given).isSorted().doesNotHaveDuplicates();
        assertThat(server.admin.get("/api/v1/saga-roles?after=x").outcome()).startsWith("400");
    }

    @Test
    void nobodyGivesOrTakesRolesInAnothersName() {
        var other = server.accounts.admin();
        var acting = new Caller(other, true, new Caller.ByServer(), server.adminId);
        assertThatThrownBy(() -> server.roles.grant(acting, other, SagaRole.AUDITOR))
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo("accounts.acting"));
        assertThatThrownBy(() -> server.roles.revoke(acting, other))
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo("accounts.acting"));
    }

    @Test
    void whatAPageShowsOfARoleFollowsAChangeOnThisNodeAtOnce() {
        var user = server.accounts.user("Lately");
        var caller = server.accounts.caller(user);
        var admin = server.accounts.caller(server.adminId);
        assertThat(server.roles.cached(caller)).isEqualTo(SagaRole.NONE);
        server.roles.grant(admin, user, SagaRole.OPERATOR);
        assertThat(server.roles.cached(caller)).isEqualTo(SagaRole.OPERATOR);
        server.roles.revoke(admin, user);
        assertThat(server.roles.cached(caller)).isEqualTo(SagaRole.NONE);
    }

    @Test
    void onlyAnAdminMay() {
        var path = "/api/v1/saga-roles/" + server.adminId.hex();
        for (var other : List.of(server.member, server.auditor, server.operator)) {
            assertThat(other.get("/api/v1/saga-roles").outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(other.put(path, "{'role':'operator'}").outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(other.delete(path).outcome()).isEqualTo("403 accounts.admin-only");
        }
        assertThat(server.anonymous.put(path, "{'role':'operator'}").outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void whatIsNoRoleOrNobodyIsRefused() {
        var user = server.accounts.user("Otto").hex();
        assertThat(server.admin
                        .put("/api/v1/saga-roles/" + user, "{'role':'admin'}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(server.admin
                        .put("/api/v1/saga-roles/198C2E846EE00000", "{'role':'auditor'}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
    }
}
