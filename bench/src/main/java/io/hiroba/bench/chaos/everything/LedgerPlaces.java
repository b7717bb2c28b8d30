package io.hiroba.bench.chaos.everything;

import io.hiroba.bench.chaos.ChaosUser;
import java.util.List;
import java.util.Map;

/**
 * The places that a ledger is written to.
 *
 * @param user who writes, and is an admin
 * @param names what stands for the places in requests
 */
record LedgerPlaces(ChaosUser user, Map<String, String> names) {

    /** The nickname of the agent. */
    static final String AGENT = "Scribe";

    String fill(String template) {
        return fill(template, Map.of());
    }

    String fill(String template, Map<String, String> more) {
        var text = template;
        for (var all : List.of(names, more)) {
            for (var each : all.entrySet()) {
                text = text.replace("{" + each.getKey() + "}", each.getValue());
            }
        }
        return text;
    }
}
