/**
 * Index tuning: statistics of values for the query planner, counts of their use, and the hot indexes that follow from
 * both. An owner creates suggested indexes, or the project lets that happen automatically. Results never depend on it,
 * only their speed.
 */
@NullMarked
package io.hiroba.records.tuning;

import org.jspecify.annotations.NullMarked;
