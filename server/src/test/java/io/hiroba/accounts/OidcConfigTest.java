package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.AppConfig;
import io.hiroba.platform.config.ConfigException;
import io.hiroba.platform.config.ConfigLoader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OidcConfigTest {

    private static OidcConfig provider(Map<String, String> environment, String... flags) {
        var loaded = ConfigLoader.of(AppConfig.class)
                .environment(environment)
                .arguments(List.of(flags))
                .load();
        assertThat(loaded.toString()).doesNotContain("top secret");
        return Objects.requireNonNull(loaded.value().accounts().oidc().get("our-gitlab"));
    }

    @Test
    void aProviderHasANameInItsKeyAndItsSecretInTheEnvironment() {
        var config = provider(
                Map.of("HIROBA_ACCOUNTS_OIDC_OUR_GITLAB_CLIENT_SECRET", "top secret"),
                "--accounts.oidc.our-gitlab.issuer=https://gitlab.example.org",
                "--accounts.oidc.our-gitlab.client-id=hiroba",
                "--accounts.oidc.our-gitlab.scopes=email",
                "--accounts.oidc.our-gitlab.allowed-domains=Bücher.example");
        assertThat(config.clientSecret().value()).isEqualTo("top secret");
        assertThat(config.toString()).doesNotContain("top secret");
        assertThat(config.scopes()).containsExactly("openid", "email");
        assertThat(config.allowedDomains()).containsExactly("xn--bcher-kva.example");
        assertThat(config.signUp()).isEqualTo(OidcConfig.ProviderSignUp.MODE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://keycloak.example.org",
                "http://127.0.0.1.evil.example",
                "https://id.example/?x",
                "https://user@id.example",
                "keycloak",
                "https://"
            })
    void secretsAreSentThroughTlsOrNotAtAll(String issuer) {
        assertThatThrownBy(() -> provider(
                        Map.of(),
                        "--accounts.oidc.our-gitlab.issuer=" + issuer,
                        "--accounts.oidc.our-gitlab.client-id=hiroba"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("accounts.oidc.our-gitlab.issuer");
    }

    @Test
    void aNameThatIsNoPartOfAnAddressStopsTheStart() {
        assertThatThrownBy(() -> provider(
                        Map.of(),
                        "--accounts.oidc.Our_GitLab.issuer=https://gitlab.example.org",
                        "--accounts.oidc.Our_GitLab.client-id=hiroba"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lower-case");
    }
}
