/** The benchmark of the inbox, against one table without partitions, links or a mirror. */
@NullMarked
package io.hiroba.bench.inbox;

import org.jspecify.annotations.NullMarked;
