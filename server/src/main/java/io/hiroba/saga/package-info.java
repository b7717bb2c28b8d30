/**
 * Workflows across services that come to their end or are undone, whatever dies.
 *
 * <p>Invariants: a saga's state and the log of the attempt that led to it change in one statement; only the node that knows
 * the saga's fence writes it; what is undone is undone from the last completed step to the first. {@code workflow} holds
 * what there is to do, {@code engine} does it, {@code call} reaches the services.
 */
@NullMarked
package io.hiroba.saga;

import org.jspecify.annotations.NullMarked;
