/** Questions to the records: what is asked, compiled to one walk along an index, and what is found. */
@NullMarked
package io.hiroba.records.query;

import org.jspecify.annotations.NullMarked;
