package io.hiroba.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.FakeVault;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings whose secrets lie in files or in Vault, against a server that answers as Vault's documentation says. */
class VaultSecretsTest {

    record Store(
            @Default("") String user,
            @Default("") @Secret String password,
            @Default("") @Secret String key) {}

    record Root(Store database) {}

    private static final TestDatabase database = TestDatabase.create();

    private FakeVault vault;

    @TempDir
    private Path folder;

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void start() {
        vault = new FakeVault(database.db());
        vault.secrets.put("hiroba/square", Map.of("db", "hunter2", "key", "k", "number", 7));
    }

    @AfterEach
    void stop() {
        vault.close();
    }

    private LoadedConfig<Root> load(Map<String, String> variables, String... flags) {
        var environment = vault.environment();
        environment.putAll(variables);
        return ConfigLoader.of(Root.class)
                .environment(environment)
                .arguments(List.of(flags))
                .load();
    }

    @Test
    void aSecretIsTheTextThatVaultHas() {
        var config = load(
                Map.of(
                        "VAULT_TOKEN",
                        FakeVault.ROOT,
                        "VAULT_NAMESPACE",
                        "team",
                        "HIROBA_DATABASE_PASSWORD",
                        "vault:secret/hiroba/square#db"),
                "--database.key=vault:secret/hiroba/square#key",
                "--database.user=vault:secret/hiroba/square#db");
        assertThat(config.value().database().password()).isEqualTo("hunter2");
        assertThat(config.value().database().key()).isEqualTo("k");
        assertThat(config.value().database().user())
                .as("only secrets are looked up")
                .isEqualTo("vault:secret/hiroba/square#db");
        assertThat(vault.requests).as("once").containsExactly("GET secret/data/hiroba/square team");
        assertThat(config.print())
                .contains("HIROBA_DATABASE_PASSWORD, vault:secret/hiroba/square#db")
                .doesNotContain("hunter2");
    }

    @Test
    void theTokenComesFromAFileOrForARole() throws IOException {
        var file = Files.writeString(folder.resolve("token"), FakeVault.ROOT + "\n");
        for (var variables : List.of(
                Map.of("VAULT_TOKEN_FILE", file.toString()),
                Map.of("VAULT_ROLE_ID", "role", "VAULT_SECRET_ID", "id"))) {
            assertThat(load(variables, "--database.password=vault:secret/hiroba/square#db")
                            .value()
                            .database()
                            .password())
                    .isEqualTo("hunter2");
        }
    }

    @Test
    void whatCannotBeReadIsNamedWithoutItsValue() {
        var token = Map.of("VAULT_TOKEN", FakeVault.ROOT);
        refuse(Map.of("VAULT_TOKEN", "wrong"), "vault:secret/hiroba/square#db", "Vault answered 403");
        refuse(Map.of(), "vault:secret/hiroba/square#db", "set VAULT_TOKEN");
        refuse(Map.of("VAULT_ROLE_ID", "role"), "vault:secret/hiroba/square#db", "Vault answered 400");
        refuse(Map.of("VAULT_ADDR", "vault"), "vault:secret/hiroba/square#db", "VAULT_ADDR must be");
        refuse(token, "vault:secret/other#db", "Vault has no secret/data/other");
        refuse(token, "vault:secret/hiroba/square#number", "has no text number");
        refuse(token, "vault:secret/hiroba/square", "write it as vault:secret/hiroba#password");
        refuse(token, "vault:secret/../sys#x", "write it as");
        refuse(Map.of("VAULT_TOKEN", "a\nb"), "vault:secret/hiroba/square#db", "cannot have");
        refuse(token, "file:" + folder.resolve("none"), "there is no such file");
        refuse(token, "file:" + folder, "there is no such file");
    }

    private void refuse(Map<String, String> variables, String reference, String reason) {
        assertThatThrownBy(() -> load(variables, "--database.password=" + reference))
                .as(reference)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("`database.password` from --database.password")
                .hasMessageContaining(reason);
    }

    @Test
    void aSecretIsTheTextOfAFileWithoutItsLastLineBreak() throws IOException {
        var file = Files.writeString(folder.resolve("password"), " pass word \n");
        assertThat(load(Map.of(), "--database.password=file:" + file)
                        .value()
                        .database()
                        .password())
                .isEqualTo(" pass word ");
        var credentials = Map.of("CREDENTIALS_DIRECTORY", folder.toString());
        assertThat(load(credentials, "--database.password=credential:password")
                        .value()
                        .database()
                        .password())
                .as("of systemd")
                .isEqualTo(" pass word ");
        refuse(credentials, "credential:../password", "write it as credential:db-password");
        refuse(credentials, "credential:none", "there is no such file");
        refuse(Map.of(), "credential:password", "CREDENTIALS_DIRECTORY is not set");
        assertThat(vault.requests).isEmpty();
    }

    record Rotating(
            @Default("") @Secret SecretText key,
            @Default("") @Secret SecretText token) {}

    @Test
    void aSecretThatIsChangedIsReadWithoutARestart() throws Exception {
        var file = Files.writeString(folder.resolve("token"), "one\n");
        var environment = vault.environment();
        environment.putAll(Map.of("VAULT_ROLE_ID", "role", "VAULT_SECRET_ID", "id"));
        var config = ConfigLoader.of(Rotating.class)
                .environment(environment)
                .arguments(List.of("--key=vault:secret/hiroba/square#key", "--token=file:" + file))
                .load();
        var value = config.value();
        assertThat(value.key().value()).isEqualTo("k");
        assertThat(value.toString()).doesNotContain("k=k").doesNotContain("one");

        var secrets = config.keepSecrets(Duration.ofMillis(20));
        try (secrets) {
            vault.secrets.put("hiroba/square", Map.of("key", "another"));
            Files.writeString(file, "two\n");
            await().untilAsserted(() -> {
                assertThat(value.key().value()).isEqualTo("another");
                assertThat(value.token().value()).isEqualTo("two");
            });
            vault.secrets.remove("hiroba/square");
            Files.delete(file);
            int before = vault.requests.size();
            await().until(() -> vault.requests.size() > before + 3);
            assertThat(value.key().value()).as("stays while it cannot be read").isEqualTo("another");
            assertThat(value.token().value()).isEqualTo("two");
            vault.secrets.put("hiroba/square", Map.of("key", "a third"));
            await().until(() -> value.key().value().equals("a third"));
        }
        assertThat(vault.requests.getLast()).as("the token is given back").contains("revoke-self");
    }

    @Test
    void nothingIsReadAgainWhereNoSecretLiesElsewhere() throws Exception {
        var config = ConfigLoader.of(Rotating.class)
                .environment(Map.of())
                .arguments(List.of("--key=plain"))
                .load();
        try (var secrets = config.keepSecrets(Duration.ofMillis(1))) {
            assertThat(secrets).isNotInstanceOf(SecretRotation.class);
        }
        assertThat(config.value().key().value()).isEqualTo("plain");
    }
}
