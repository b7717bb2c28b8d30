/**
 * Sagas: workflows across services that complete or are compensated, whatever fails.
 *
 * <p>Invariants: a saga's state and the log of the attempt that led to it change in one statement; only the node with the
 * current fence writes it; completed steps are undone from the last to the first; a saga is deleted only once the archive
 * file that holds it is durable. {@code workflow} defines the steps, {@code engine} executes them, {@code call} calls the
 * services, {@code pages} shows them.
 */
@NullMarked
package io.hiroba.saga;

import org.jspecify.annotations.NullMarked;
