/**
 * Files of records: taken in line by line, durably, and written out.
 *
 * <p>A file that comes is kept in the database until all of it is read, so that any node can go on with it. What is read is
 * written in chunks, and how far that is stands in the same transaction.
 */
@NullMarked
package io.hiroba.records.transfer;

import org.jspecify.annotations.NullMarked;
