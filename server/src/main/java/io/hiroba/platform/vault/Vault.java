package io.hiroba.platform.vault;

import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.vault.VaultCredentials.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * A client of HashiCorp Vault over its HTTP API: secrets of the key-value engine, version 2, and leases of the database engine. The
 * variables are Vault's own: {@code VAULT_ADDR}, {@code VAULT_NAMESPACE}, {@code VAULT_CACERT}, and {@code VAULT_TOKEN}, {@code
 * VAULT_TOKEN_FILE}, or {@code VAULT_ROLE_ID} with {@code VAULT_SECRET_ID}.
 */
public final class Vault implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Vault.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Pattern REFERENCE = Pattern.compile("([A-Za-z0-9_-]+)/([A-Za-z0-9_./-]+)#([A-Za-z0-9_.-]+)");

    private final VaultHttp http;
    private final VaultToken token;
    private final Map<String, JsonNode> read = new HashMap<>();

    private Vault(VaultHttp http, VaultToken token) {
        this.http = http;
        this.token = token;
    }

    public static Vault of(Map<String, String> environment) throws IOException {
        var http = VaultHttp.of(environment);
        return new Vault(http, new VaultToken(http, environment));
    }

    /**
     * The text of a secret, which is asked for once.
     *
     * @param reference the engine's path, the secret's and the name in it, such as {@code secret/hiroba#db-password}
     */
    public String text(String reference) throws IOException {
        var parts = REFERENCE.matcher(reference);
        if (!parts.matches() || parts.group(2).contains("..")) {
            throw new IOException("write it as vault:secret/hiroba#password");
        }
        var path = parts.group(1) + "/data/" + parts.group(2);
        var secret = read.get(path);
        if (secret == null) {
            secret = read(path).data().path("data");
            read.put(path, secret);
        }
        var value = secret.path(parts.group(3));
        if (!value.isString()) {
            throw new IOException("the secret has no text " + parts.group(3));
        }
        return value.asString();
    }

    /** Has secrets asked for again, and keeps the token valid that they are asked for with. */
    public void refresh() throws IOException {
        read.clear();
        token.keep();
    }

    /** A request with a token. */
    private interface Request {
        JsonNode send(String token) throws IOException;
    }

    private VaultLease ask(Request request) throws IOException {
        var used = token.current();
        try {
            return VaultLease.of(request.send(used), used);
        } catch (VaultException e) {
            if (e.status() != VaultException.FORBIDDEN || !token.replace(used)) {
                throw e;
            }
            var other = token.current();
            return VaultLease.of(request.send(other), other);
        }
    }

    VaultLease read(String path) throws IOException {
        return ask(used -> http.get(path, used));
    }

    VaultLease renew(VaultLease lease, Duration increment) throws IOException {
        return ask(used -> http.post(
                "sys/leases/renew", used, Map.of("lease_id", lease.id(), "increment", increment.toSeconds())));
    }

    void revoke(VaultLease lease) throws IOException {
        ask(used -> http.post("sys/leases/revoke", used, Map.of("lease_id", lease.id())));
    }

    /** Whether a lease lives as long as the token in use. */
    boolean isOfToken(VaultLease lease) throws IOException {
        return lease.token().equals(token.current());
    }

    void keepToken() throws IOException {
        token.keep();
    }

    /**
     * Takes the credentials and keeps them valid until the answer is closed, which gives them back.
     *
     * @throws IOException if some cannot be had
     */
    public static Subscription keep(Map<String, String> environment, List<VaultCredentials> all) throws IOException {
        var vault = of(environment);
        try {
            for (var credentials : all) {
                credentials.open(vault);
            }
        } catch (IOException | RuntimeException e) {
            giveBack(vault, all);
            throw e;
        }
        var renewal = WorkLoop.every(LOOK, "vault leases", () -> all.forEach(VaultCredentials::keep));
        return () -> {
            renewal.close();
            giveBack(vault, all);
        };
    }

    private static void giveBack(Vault vault, List<VaultCredentials> all) {
        all.forEach(VaultCredentials::giveBack);
        vault.close();
    }

    @Override
    public void close() {
        try (http) {
            token.revoke();
        } catch (IOException e) {
            log.warn("the token could not be given back to Vault: {}", e.getMessage());
        }
    }
}
