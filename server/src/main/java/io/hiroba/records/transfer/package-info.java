/**
 * Imports and exports of files of records.
 *
 * <p>An uploaded file is stored in the database until it is imported, so that any node can continue. Records are
 * written in chunks, each with the progress in the same transaction.
 */
@NullMarked
package io.hiroba.records.transfer;

import org.jspecify.annotations.NullMarked;
