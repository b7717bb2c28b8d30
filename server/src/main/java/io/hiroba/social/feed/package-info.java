/**
 * Lists of posts, and the home feed.
 *
 * <p>Invariants: each list is one statement, answered from an index and paged by its last item, so that nothing is
 * skipped or repeated while others write; the home feed costs the same for few followees and for thousands, because its
 * entries are written ahead of the reading, from the event log.
 */
@NullMarked
package io.hiroba.social.feed;

import org.jspecify.annotations.NullMarked;
