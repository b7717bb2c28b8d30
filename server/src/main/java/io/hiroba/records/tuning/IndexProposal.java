package io.hiroba.records.tuning;

import io.hiroba.records.Schema;

/**
 * A suggested index.
 *
 * @param uses how often, within {@link IndexAdvisor#PERIOD}
 * @param reason a sentence for people
 */
public record IndexProposal(Schema schema, HotIndex index, long uses, String reason) {}
