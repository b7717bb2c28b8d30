/** Queries on records: parsed, resolved, planned, compiled to one index scan each, and saved ones with their notifier. */
@NullMarked
package io.hiroba.records.query;

import org.jspecify.annotations.NullMarked;
