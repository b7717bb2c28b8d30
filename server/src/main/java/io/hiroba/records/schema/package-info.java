/** What records look like: schemas, their attributes, how they may change, and who sees which part. */
@NullMarked
package io.hiroba.records.schema;

import org.jspecify.annotations.NullMarked;
