package io.hiroba.platform.vault;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/**
 * An answer of Vault with the time that it is valid for.
 *
 * @param id names the lease; empty for what ends by nobody's doing
 * @param token the one that asked: the lease ends with it
 */
record VaultLease(String id, Duration duration, boolean isRenewable, JsonNode data, String token) {

    static VaultLease of(JsonNode answer, String token) {
        return new VaultLease(
                answer.path("lease_id").asString(""),
                Duration.ofSeconds(answer.path("lease_duration").asLong(0)),
                answer.path("renewable").asBoolean(false),
                answer.path("data"),
                token);
    }

    /** Without the secrets in it. */
    @Override
    public String toString() {
        return id;
    }
}
