/** Questions that members keep, run again, share, and are told by of records that begin to match. */
@NullMarked
package io.hiroba.records.saved;

import org.jspecify.annotations.NullMarked;
