/** The benchmark of records against native columns, an entity-attribute-value table and JSONB with a GIN index. */
@NullMarked
package io.hiroba.bench.records;

import org.jspecify.annotations.NullMarked;
