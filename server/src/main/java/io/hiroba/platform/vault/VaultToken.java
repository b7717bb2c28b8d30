package io.hiroba.platform.vault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token that requests are made with: given, read from a file that Vault's agent renews, or got for an AppRole. One that ends
 * is renewed at two thirds of its time, and got anew where that does not help any more.
 */
final class VaultToken {

    private static final Logger log = LoggerFactory.getLogger(VaultToken.class);

    private final VaultHttp http;
    private final Map<String, String> environment;
    private String token = "";
    private Term term = Term.ENDLESS;
    private boolean isKept;

    VaultToken(VaultHttp http, Map<String, String> environment) {
        this.http = http;
        this.environment = Map.copyOf(environment);
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    private boolean isFromFile() {
        return variable("VAULT_TOKEN").isEmpty()
                && !variable("VAULT_TOKEN_FILE").isEmpty();
    }

    /** Whether this program logs in for it, and so may revoke it. */
    boolean isOwn() {
        return variable("VAULT_TOKEN").isEmpty() && !isFromFile();
    }

    synchronized String current() throws IOException {
        if (isFromFile()) {
            token = VaultHttp.header(
                    Files.readString(Path.of(variable("VAULT_TOKEN_FILE"))).strip());
        } else if (token.isEmpty()) {
            token = isOwn() ? logIn() : VaultHttp.header(variable("VAULT_TOKEN"));
        }
        return token;
    }

    private String logIn() throws IOException {
        var role = variable("VAULT_ROLE_ID");
        if (role.isEmpty()) {
            throw new IOException("set VAULT_TOKEN, VAULT_TOKEN_FILE, or VAULT_ROLE_ID and VAULT_SECRET_ID");
        }
        var answer = http.post(
                        "auth/approle/login", "", Map.of("role_id", role, "secret_id", variable("VAULT_SECRET_ID")))
                .path("auth");
        term = Term.of(
                Duration.ofSeconds(answer.path("lease_duration").asLong(0)),
                answer.path("renewable").asBoolean(false));
        return VaultHttp.header(answer.path("client_token").asString(""));
    }

    /** Another token in the place of one that was refused; false if it was not the token that was wrong, or there is no other. */
    synchronized boolean replace(String refused) throws IOException {
        if (!current().equals(refused)) {
            return true;
        }
        if (!isOwn() || isValid(refused)) {
            return false;
        }
        token = logIn();
        return true;
    }

    private boolean isValid(String candidate) throws IOException {
        try {
            http.get("auth/token/lookup-self", candidate);
            return true;
        } catch (VaultException e) {
            if (e.status() == VaultException.FORBIDDEN) {
                return false;
            }
            throw e;
        }
    }

    /** Renews it if it is time, or gets another before it ends. */
    synchronized void keep() throws IOException {
        var now = current();
        if (!isKept) {
            isKept = true;
            if (!isOwn() && !isFromFile()) {
                term = lookUp(now);
            }
        }
        if (isFromFile() || !term.isDue()) {
            return;
        }
        if (term.isRenewable()) {
            try {
                var answer = http.post("auth/token/renew-self", now, Map.of()).path("auth");
                var granted = Duration.ofSeconds(answer.path("lease_duration").asLong(0));
                if (!term.isShort(granted)) {
                    term = term.renewed(granted);
                    return;
                }
            } catch (VaultException e) {
                if (e.status() != VaultException.FORBIDDEN && e.status() != VaultException.BAD_REQUEST) {
                    term = term.retried();
                    throw e;
                }
            }
        }
        if (isOwn()) {
            term = term.retried(); // if this fails
            token = logIn();
        } else {
            log.warn(
                    "VAULT_TOKEN ends in {} s and cannot be renewed",
                    term.left().toSeconds());
            term = term.reminded();
        }
    }

    private Term lookUp(String given) {
        try {
            var data = http.get("auth/token/lookup-self", given).path("data");
            return Term.of(
                    Duration.ofSeconds(data.path("ttl").asLong(0)),
                    data.path("renewable").asBoolean(false));
        } catch (IOException e) {
            log.debug("the time of VAULT_TOKEN is not known", e);
            return Term.ENDLESS;
        }
    }

    /** Ends the token that this program logged in for, and with it its leases. */
    synchronized void revoke() throws IOException {
        if (isOwn() && !token.isEmpty()) {
            http.post("auth/token/revoke-self", token, Map.of());
            token = "";
        }
    }
}
