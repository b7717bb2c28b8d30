package io.hiroba.inbox.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Identities and keys over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdentityApiTest {

    private static final String MINE = "/api/v1/me/identities";
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMfyP46FAei5IneAP5JxWZRuhpIszBera0BUI9JUM05e ann@laptop";

    private Square square;

    @BeforeAll
    void open() {
        square = new Square();
    }

    @AfterAll
    void close() {
        square.close();
    }

    private static ApiClient.Reply claim(Square.Person person, String json) {
        return person.api().put(MINE, json);
    }

    @Test
    void aNameIsSaidShownAndTakenBack() {
        var ann = square.person("Ann");
        var made = claim(ann, "{'provider': 'gitlab', 'username': 'ann-1'}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("200");
        assertThat(made.text("username")).isEqualTo("ann-1");
        assertThat(made.json().path("connection").isNull()).isTrue();
        assertThat(claim(ann, "{'provider': 'gitlab', 'username': 'ann-1'}").text("id"))
                .isEqualTo(made.text("id"));
        assertThat(ann.api().get(MINE).json().path("items").size()).isEqualTo(1);
        var bob = square.person("Bob");
        assertThat(claim(bob, "{'provider': 'gitlab', 'username': 'ANN-1'}").outcome())
                .isEqualTo("409 inbox.identity-taken");
        assertThat(bob.api().delete(MINE + "/" + made.text("id")).outcome()).isEqualTo("404 inbox.identity-not-found");
        assertThat(ann.api().delete(MINE + "/" + made.text("id")).outcome()).isEqualTo("204");
        assertThat(claim(bob, "{'provider': 'gitlab', 'username': 'ANN-1'}").outcome())
                .isEqualTo("200");
    }

    @Test
    void anotherAddressWaitsForAnAdmin() {
        var ann = square.person("Ann");
        var own = claim(ann, Json.text(Map.of("provider", "gitlab", "email", ann.email())));
        assertThat(own.json().path("confirmed").asBoolean()).isTrue();
        var other = claim(ann, "{'provider': 'gitlab', 'email': 'Ann.W@work.example'}");
        assertThat(other.json().path("waiting").asBoolean()).isTrue();
        var claims = square.admin.api().get("/api/v1/inbox/claims");
        assertThat(claims.body()).contains("ann.w@work.example").doesNotContain(ann.email());
        assertThat(ann.api().get("/api/v1/inbox/claims").outcome()).isEqualTo("403 accounts.admin-only");
        var claim = "/api/v1/inbox/claims/" + other.text("id");
        assertThat(ann.api().post(claim + "/confirm", "").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(ann.api().delete(claim).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(square.admin.api().post(claim + "/confirm", "").outcome()).isEqualTo("200");
        assertThat(square.admin.api().get("/api/v1/inbox/claims").body()).doesNotContain("ann.w@work.example");
        assertThat(square.admin.api().delete(claim).outcome()).isEqualTo("204");
        assertThat(square.admin.api().delete(claim).outcome()).isEqualTo("404 inbox.identity-not-found");
    }

    @Test
    void anAdminGivesNamesToOthersAndNobodyElseDoes() {
        var ann = square.person("Ann");
        var path = "/api/v1/users/%s/identities".formatted(ann.id());
        var body = "{'provider': 'gitlab', 'username': 'ann-given'}";
        assertThat(ann.api().put(path, body).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(ann.api().get(path).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(square.admin.api().put(path, body).json().path("confirmed").asBoolean())
                .isTrue();
        assertThat(square.admin.api().get(path).body()).contains("ann-given");
        assertThat(square.anonymous().get(MINE).outcome()).startsWith("401");
    }

    @Test
    void whatIsNoNameIsRefused() {
        var ann = square.person("Ann");
        for (var bad : new String[] {
            "{'provider': 'github', 'username': 'ann'}",
            "{'provider': 'gitlab'}",
            "{'provider': 'gitlab', 'username': 'a b'}",
            "{'provider': 'gitlab', 'username': 'ann', 'email': 'a@b.example'}",
            "{'provider': 'gitlab', 'username': 'ann', 'connection': '0000000000000002'}"
        }) {
            assertThat(claim(ann, bad).outcome()).as(bad).isEqualTo("400 inbox.invalid");
        }
        assertThat(claim(ann, "{'provider': 'gitlab', 'email': 'nothing'}").outcome())
                .isEqualTo("400 accounts.invalid");
    }

    @Test
    void keysAreAddedChangedAndDeletedByTheirOwner() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var keys = "/api/v1/me/keys";
        var made = ann.api().post(keys, Json.text(Map.of("key", KEY, "expiresAt", "2100-01-01T00:00:00Z")));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.text("title")).isEqualTo("ann@laptop");
        assertThat(made.text("fingerprint")).isEqualTo("SHA256:75gIMcGcJvGXK1dC72zzaOQDfI8NiCMq/uiGRALuIdE");
        assertThat(ann.api().post(keys, Json.text(Map.of("key", KEY))).outcome())
                .isEqualTo("409 inbox.key-taken");
        assertThat(ann.api()
                        .post(keys, Json.text(Map.of("key", "ssh-dss AAAA")))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        var one = made.header("Location");
        assertThat(bob.api().delete(one).outcome()).isEqualTo("404 inbox.key-not-found");
        assertThat(bob.api().put(one, "{'title': 'Mine'}").outcome()).isEqualTo("404 inbox.key-not-found");
        assertThat(ann.api().put(one, "{'title': 'Laptop', 'expiresAt': null}").text("title"))
                .isEqualTo("Laptop");
        assertThat(ann.api().get(keys).json().at("/items/0/expiresAt").isNull()).isTrue();
        assertThat(bob.api().get(keys).json().path("items").size()).isZero();
        assertThat(ann.api().delete(one).outcome()).isEqualTo("204");
        assertThat(ann.api().delete(one).outcome()).isEqualTo("404 inbox.key-not-found");
    }
}
