/**
 * What the store knows of its own values: how many records there are, how many have a value, which values are common and
 * how the others spread. The query compiler picks the condition to walk by these; they are never exact and never needed
 * for a right answer.
 */
@NullMarked
package io.hiroba.records.statistics;

import org.jspecify.annotations.NullMarked;
