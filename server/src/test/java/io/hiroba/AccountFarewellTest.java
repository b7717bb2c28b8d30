package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Deleting an account, which is a saga. */
class AccountFarewellTest {

    private static final Square SQUARE = new Square();

    @AfterAll
    static void close() {
        SQUARE.close();
    }

    @Test
    void aDeletedAccountIsGoneWithItsPostsAndItsSagaSaysSo() {
        var leaver = SQUARE.person("Leaver");
        var other = SQUARE.person("Other");
        var post = leaver.post("So long");
        var reply = other.reply(post, "Oh");
        assertThat(leaver.api().delete("/api/v1/users/" + leaver.id()).outcome())
                .isEqualTo("204");
        assertThat(other.api().get("/api/v1/posts/" + post).outcome()).isEqualTo("404 social.post-not-found");
        assertThat(other.api().get("/api/v1/posts/" + reply).outcome()).isEqualTo("200");
        assertThat(other.api().get("/api/v1/users/" + leaver.id()).outcome()).startsWith("404");
        var sagas = SQUARE.admin.api().get("/api/v1/sagas?correlationId=account-" + leaver.id());
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> SQUARE.admin
                        .api()
                        .get("/api/v1/sagas?correlationId=account-" + leaver.id())
                        .body()
                        .contains("COMPLETED"));
        assertThat(sagas.body()).contains("account-deletion");
    }

    @Test
    void anAccountThatIsBeingDeletedLetsNobodyIn() {
        var leaver = SQUARE.person("Locked");
        assertThat(leaver.api().delete("/api/v1/users/" + leaver.id()).outcome())
                .isEqualTo("204");
        assertThat(leaver.api().get("/api/v1/me").outcome()).startsWith("401");
        var login = SQUARE.admin
                .api()
                .post("/api/v1/session", Json.text(Map.of("email", leaver.email(), "password", leaver.password())));
        assertThat(login.outcome()).startsWith("401");
    }

    @Test
    void nobodyStartsADeletionAsASagaOfTheirOwn() {
        var victim = SQUARE.person("Victim");
        var start =
                Json.text(Map.of("workflowName", "hiroba.account-deletion", "payload", Map.of("user", victim.id())));
        assertThat(SQUARE.admin.api().post("/api/v1/sagas", start).outcome()).isEqualTo("403 saga.own-workflow");
        assertThat(victim.api().get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void theLastAdminStays() {
        var admin = SQUARE.admin;
        assertThat(admin.api().delete("/api/v1/users/" + admin.id()).outcome()).isEqualTo("409 accounts.last-admin");
        assertThat(admin.api().get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void anotherMembersAccountIsNotTheirsToDelete() {
        var one = SQUARE.person("One");
        var other = SQUARE.person("Another");
        assertThat(one.api().delete("/api/v1/users/" + other.id()).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(SQUARE.admin.api().delete("/api/v1/users/00000000000fffff").outcome())
                .startsWith("404");
        assertThat(SQUARE.admin
                        .api()
                        .get("/api/v1/sagas?correlationId=account-" + other.id())
                        .body())
                .doesNotContain("account-deletion");
    }
}
