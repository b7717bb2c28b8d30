/** Views: ways to look at the records of a schema that members keep, for themselves or for all. */
@NullMarked
package io.hiroba.records.views;

import org.jspecify.annotations.NullMarked;
