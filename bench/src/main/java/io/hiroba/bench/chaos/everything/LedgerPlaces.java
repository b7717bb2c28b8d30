package io.hiroba.bench.chaos.everything;

import io.hiroba.bench.chaos.ChaosUser;

/**
 * The places that a ledger is written to.
 *
 * @param user who writes, and is an admin
 * @param project its id
 * @param agent the id of the one that is asked
 */
record LedgerPlaces(ChaosUser user, String project, String agent) {

    /** The nickname of the agent. */
    static final String AGENT = "Scribe";

    String writer() {
        return user.hex();
    }
}
