package io.hiroba.platform.config;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads secrets of HashiCorp Vault's key-value engine, version 2, over HTTP. The variables are Vault's own: {@code VAULT_ADDR},
 * {@code VAULT_NAMESPACE}, and {@code VAULT_TOKEN}, {@code VAULT_TOKEN_FILE}, or {@code VAULT_ROLE_ID} with {@code VAULT_SECRET_ID}.
 */
final class VaultSecrets {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final Pattern REFERENCE = Pattern.compile("([A-Za-z0-9_-]+)/([A-Za-z0-9_./-]+)#([A-Za-z0-9_.-]+)");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String address;
    private final String namespace;
    private final Map<String, String> environment;
    private final Map<String, JsonNode> read = new HashMap<>();
    private String token = "";

    private VaultSecrets(String address, String namespace, Map<String, String> environment) {
        this.address = address;
        this.namespace = namespace;
        this.environment = environment;
    }

    static VaultSecrets of(Map<String, String> environment) throws IOException {
        var address = environment.getOrDefault("VAULT_ADDR", "").replaceFirst("/+$", "");
        if (!address.matches("https?://[^\\s?#]+")) {
            throw new IOException("VAULT_ADDR must be the address of Vault, such as https://vault.example:8200");
        }
        return new VaultSecrets(address, header(environment.getOrDefault("VAULT_NAMESPACE", "")), environment);
    }

    private static String header(String text) throws IOException {
        if (!text.matches("[\\x21-\\x7e]*")) {
            throw new IOException("the token or namespace for Vault has signs that it cannot have");
        }
        return text;
    }

    /** @param reference the engine's path, the secret's and the name in it, such as {@code secret/hiroba#db-password} */
    String read(String reference) throws IOException {
        var parts = REFERENCE.matcher(reference);
        if (!parts.matches() || parts.group(2).contains("..")) {
            throw new IOException("write it as vault:secret/hiroba#password");
        }
        var path = parts.group(1) + "/data/" + parts.group(2);
        var secret = read.get(path);
        if (secret == null) {
            secret = ask(request(path).header("X-Vault-Token", token()).GET(), path)
                    .path("data")
                    .path("data");
            read.put(path, secret);
        }
        var value = secret.path(parts.group(3));
        if (!value.isString()) {
            throw new IOException("the secret has no text " + parts.group(3));
        }
        return value.asString();
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(address + "/v1/" + path))
                .timeout(TIMEOUT)
                .header("X-Vault-Request", "true");
        return namespace.isEmpty() ? request : request.header("X-Vault-Namespace", namespace);
    }

    private String token() throws IOException {
        if (token.isEmpty()) {
            token = header(findToken());
        }
        return token;
    }

    private String findToken() throws IOException {
        var given = environment.getOrDefault("VAULT_TOKEN", "");
        var file = environment.getOrDefault("VAULT_TOKEN_FILE", "");
        var role = environment.getOrDefault("VAULT_ROLE_ID", "");
        if (!given.isEmpty()) {
            return given;
        }
        if (!file.isEmpty()) {
            return Files.readString(Path.of(file)).strip();
        }
        if (role.isEmpty()) {
            throw new IOException("set VAULT_TOKEN, VAULT_TOKEN_FILE, or VAULT_ROLE_ID and VAULT_SECRET_ID");
        }
        var body = JSON.writeValueAsString(
                Map.of("role_id", role, "secret_id", environment.getOrDefault("VAULT_SECRET_ID", "")));
        var path = "auth/approle/login";
        return ask(request(path).POST(HttpRequest.BodyPublishers.ofString(body)), path)
                .path("auth")
                .path("client_token")
                .asString("");
    }

    private static JsonNode ask(HttpRequest.Builder request, String path) throws IOException {
        try (var client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            var response = client.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() == NOT_FOUND) {
                throw new IOException("Vault has no " + path);
            }
            if (response.statusCode() != OK) {
                throw new IOException("Vault answered %d for %s".formatted(response.statusCode(), path));
            }
            return JSON.readTree(response.body());
        } catch (JacksonException e) {
            throw new IOException("Vault's answer for " + path + " is no JSON", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
