package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/**
 * An entry of an agent's log of its actions.
 *
 * @param payload a JSON object without a schema
 */
record AiAction(long id, String payload) {

    Instant at() {
        return Ids.createdAt(id);
    }
}
