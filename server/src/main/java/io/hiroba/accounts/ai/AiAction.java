package io.hiroba.accounts.ai;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/**
 * Something an agent noted that it did.
 *
 * @param payload a JSON object of the agent's own making
 */
public record AiAction(long id, String payload) {

    public Instant at() {
        return Ids.createdAt(id);
    }
}
