package io.hiroba.platform.vault;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Vault's HTTP API: one request, one answer. */
final class VaultHttp implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String address;
    private final String namespace;
    private final HttpClient client;

    private VaultHttp(String address, String namespace, HttpClient client) {
        this.address = address;
        this.namespace = namespace;
        this.client = client;
    }

    /** By {@code VAULT_ADDR}, {@code VAULT_NAMESPACE} and {@code VAULT_CACERT}. */
    static VaultHttp of(Map<String, String> environment) throws IOException {
        var address = environment.getOrDefault("VAULT_ADDR", "").replaceFirst("/+$", "");
        if (!address.matches("https?://[^\\s?#@]+")) {
            throw new IOException("VAULT_ADDR must be the address of Vault, such as https://vault.example:8200");
        }
        // A standby sends on to the server that is active.
        var client = HttpClient.newBuilder().connectTimeout(TIMEOUT).followRedirects(Redirect.NORMAL);
        var authority = environment.getOrDefault("VAULT_CACERT", "");
        if (!authority.isEmpty()) {
            client.sslContext(trusting(Path.of(authority)));
        }
        return new VaultHttp(address, header(environment.getOrDefault("VAULT_NAMESPACE", "")), client.build());
    }

    private static SSLContext trusting(Path authorities) throws IOException {
        try (InputStream pem = Files.newInputStream(authorities)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int n = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority " + n++, certificate);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("VAULT_CACERT names no file of certificates in PEM", e);
        }
    }

    static String header(String text) throws IOException {
        if (!text.matches("[\\x21-\\x7e]*")) {
            throw new IOException("the token or namespace for Vault has signs that it cannot have");
        }
        return text;
    }

    /** @param token none for a login */
    JsonNode get(String path, String token) throws IOException {
        return send(request(path, token).GET(), path);
    }

    JsonNode post(String path, String token, Map<String, ?> body) throws IOException {
        return send(request(path, token).POST(BodyPublishers.ofString(JSON.writeValueAsString(body))), path);
    }

    private HttpRequest.Builder request(String path, String token) {
        var request = HttpRequest.newBuilder(URI.create(address + "/v1/" + path))
                .timeout(TIMEOUT)
                .header("X-Vault-Request", "true");
        if (!namespace.isEmpty()) {
            request.header("X-Vault-Namespace", namespace);
        }
        return token.isEmpty() ? request : request.header("X-Vault-Token", token);
    }

    private JsonNode send(HttpRequest.Builder request, String path) throws IOException {
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            int status = response.statusCode();
            if (status == VaultException.NOT_FOUND) {
                throw new VaultException(status, "Vault has no " + path);
            }
            if (status != OK && status != NO_CONTENT) {
                throw new VaultException(status, "Vault answered %d for %s".formatted(status, path));
            }
            return status == NO_CONTENT ? JSON.createObjectNode() : JSON.readTree(response.body());
        } catch (JacksonException e) {
            throw new VaultException("Vault's answer for " + path + " is no JSON", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VaultException("interrupted", e);
        } catch (VaultException e) {
            throw e;
        } catch (IOException e) {
            throw new VaultException("Vault at " + address + " does not answer (" + e + ")", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
