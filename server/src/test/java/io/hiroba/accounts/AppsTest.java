package io.hiroba.accounts;

import static io.hiroba.accounts.OAuthMessages.CALLBACK;
import static io.hiroba.accounts.OAuthMessages.CHALLENGE;
import static io.hiroba.accounts.OAuthMessages.VERIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestAccounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppsTest {

    @Test
    void appsThatNobodyLetsInAreForgottenAndNeverMany() {
        try (var accounts = new TestAccounts()) {
            var clients = accounts.module.oauthClients();
            var first = clients.register("x", "First", List.of(CALLBACK), false).client();
            accounts.db.useTransaction(tx -> tx.update("""
                    INSERT INTO accounts.oauth_clients (id, name, redirect_uris)
                    SELECT :first + n, 'x', ARRAY['https://x.example/'] FROM generate_series(1, :max) n
                    """)
                    .bind("first", first.id().value())
                    .bind("max", OAuthClients.MAX_UNUSED)
                    .execute());
            clients.sweep();
            assertThat(clients.find(first.id().hex()))
                    .as("the oldest of too many")
                    .isEmpty();
            assertThat(accounts.count("SELECT count(*) FROM accounts.oauth_clients"))
                    .isEqualTo(OAuthClients.MAX_UNUSED);

            accounts.clock.advance(Duration.ofHours(25));
            clients.sweep();
            assertThat(accounts.count("SELECT count(*) FROM accounts.oauth_clients"))
                    .isZero();
        }
    }

    @Test
    void appsThatAreNotUsedForAMonthAreDisconnected() {
        try (var accounts = new TestAccounts()) {
            var client = accounts.module
                    .oauthClients()
                    .register("x", "First", List.of(CALLBACK), false)
                    .client();
            var apps = accounts.module.apps();
            var caller = accounts.signedIn(accounts.user("Ann"));
            var request =
                    new AuthorizationRequest(client, client.redirectUris().getFirst(), TokenScope.reading(), CHALLENGE);
            var late = apps.allow(caller, request, request.scopes(), "");
            var code = apps.allow(caller, request, request.scopes(), "");
            var tokens = apps.redeem(client, code, Optional.empty(), VERIFIER);
            accounts.clock.advance(Duration.ofSeconds(61));
            assertThatThrownBy(() -> apps.redeem(client, late, Optional.empty(), VERIFIER))
                    .as("a code is good for a minute")
                    .isInstanceOf(OAuthError.class);
            accounts.clock.advance(Duration.ofDays(29));
            var renewed = apps.refresh(client, tokens.refreshToken(), Optional.empty());
            accounts.clock.advance(Duration.ofDays(29));
            apps.sweep();
            assertThat(apps.list(caller, Optional.empty(), 10)).hasSize(1);
            accounts.clock.advance(Duration.ofDays(2));
            assertThatThrownBy(() -> apps.refresh(client, renewed.refreshToken(), Optional.empty()))
                    .isInstanceOf(OAuthError.class);
            apps.sweep();
            assertThat(accounts.count("SELECT count(*) FROM accounts.oauth_grants"))
                    .isZero();
            assertThat(accounts.count("SELECT count(*) FROM accounts.oauth_codes"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "javascript://x/%0aalert(1)",
                "data:text/html,x",
                "http://notes.example/callback",
                "http://127.0.0.1.notes.example/callback",
                "https://notes.example/#x",
                "https://ann@notes.example/",
                "https:///callback",
                "notes.example/callback",
                "//notes.example/callback",
                "https://notes.example/\u3042",
                "https://notes.example/a b",
                ""
            })
    void noAppIsFoundAtAnAddressThatMayDoHarm(String uri) {
        assertThatThrownBy(() -> RedirectUri.parse(uri)).isInstanceOf(OAuthError.class);
    }

    @Test
    void anAddressMatchesExactlyButForThePortOnSomebodysOwnMachine() {
        assertThat(RedirectUri.parse("cursor://notes/callback").matches("cursor://notes/callback"))
                .isTrue();
        assertThat(RedirectUri.parse(CALLBACK).matches(CALLBACK)).isTrue();
        assertThat(RedirectUri.parse(CALLBACK).matches("https://notes.example:8443/callback"))
                .isFalse();
        var local = RedirectUri.parse("http://127.0.0.1:8080/callback");
        assertThat(List.of(
                        "http://127.0.0.1:49152/callback",
                        "http://127.0.0.1/callback",
                        "http://127.0.0.1:8080/callback"))
                .allMatch(local::matches);
        assertThat(RedirectUri.parse("http://[::1]/callback").matches("http://[::1]:49152/callback"))
                .isTrue();
        assertThat(List.of(
                        "http://127.0.0.1:49152/other",
                        "http://127.0.0.1:49152/callback?x",
                        "http://localhost:49152/callback",
                        "https://127.0.0.1:49152/callback",
                        "http://127.0.0.1:49152@evil.example/callback",
                        "http://127.0.0.1:1:49152/callback",
                        "http://127.0.0.1.evil.example:49152/callback",
                        "no address"))
                .noneMatch(local::matches);
    }
}
