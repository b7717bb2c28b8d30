package io.hiroba.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/secret/data/", exchange -> answer(exchange, "s.token"));
        server.createContext("/v1/auth/approle/login", this::login);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange, String token) throws IOException {
        asked.add(exchange.getRequestURI().getPath() + " "
                + exchange.getRequestHeaders().getFirst("X-Vault-Namespace"));
        var path = exchange.getRequestURI().getPath();
        if (!token.equals(exchange.getRequestHeaders().getFirst("X-Vault-Token"))) {
            send(exchange, 403, "{\"errors\":[\"permission denied\"]}");
        } else if (path.endsWith("/hiroba/square")) {
            send(exchange, 200, """
                    {"request_id": "1", "data": {"data": {"db": "hunter2", "key": "k", "number": 7},
                     "metadata": {"version": 2}}}
                    """);
        } else {
            send(exchange, 404, "{\"errors\":[]}");
        }
    }

    private void login(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (body.contains("\"role_id\":\"role\"") && body.contains("\"secret_id\":\"id\"")) {
            send(exchange, 200, "{\"auth\": {\"client_token\": \"s.token\", \"lease_duration\": 60}}");
        } else {
            send(exchange, 400, "{\"errors\":[\"invalid role or secret ID\"]}");
        }
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        try (exchange) {
            var body = json.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private LoadedConfig<Root> load(Map<String, String> variables, String... flags) {
        var environment = new HashMap<>(variables);
        environment.putIfAbsent(
                "VAULT_ADDR",
                "http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
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
                        "s.token",
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
        assertThat(asked).as("once").containsExactly("/v1/secret/data/hiroba/square team");
        assertThat(config.print())
                .contains("HIROBA_DATABASE_PASSWORD, vault:secret/hiroba/square#db")
                .doesNotContain("hunter2");
    }

    @Test
    void theTokenComesFromAFileOrForARole() throws IOException {
        var file = Files.writeString(folder.resolve("token"), "s.token\n");
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
        var token = Map.of("VAULT_TOKEN", "s.token");
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
        assertThat(asked).isEmpty();
    }
}
