package io.hiroba.records.tuning;

import io.hiroba.records.schema.Schema;

/**
 * An index that would help, by what queries asked for.
 *
 * @param uses how often, within {@link Proposals#PERIOD}
 * @param reason a sentence for people
 */
public record Proposal(Schema schema, HotIndex index, long uses, String reason) {}
