/** Typed records against a table with real columns, values in one text column, and documents under a GIN index. */
@NullMarked
package io.hiroba.bench.records;

import org.jspecify.annotations.NullMarked;
