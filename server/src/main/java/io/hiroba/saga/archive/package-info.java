/**
 * Keeping sagas that have ended out of the tables: written to files, then deleted.
 *
 * <p>Invariants: a saga is deleted only once the file that holds it is durable; a batch is deleted as a whole or not at all.
 */
@NullMarked
package io.hiroba.saga.archive;

import org.jspecify.annotations.NullMarked;
