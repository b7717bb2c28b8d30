/**
 * Posts, replies, likes, tags, mentions, follows, blocks and feeds.
 *
 * <p>Invariants: every act is committed together with its event; a post's snippet is made of its content; what a list
 * shows was visible to the reader when its statement ran; counters are exact at every moment; nobody follows or blocks
 * themselves, and where one blocks the other, neither follows the other. Each list is one statement, answered from an
 * index and paged by its last item, so that nothing is skipped or repeated while others write. The home feed costs the
 * same for few followees and for thousands, because its entries are written ahead of the reading, from the event log.
 * Live events are a hint to look again: a stream may miss a post that took very long to commit, a list never does.
 */
@NullMarked
package io.hiroba.social;

import org.jspecify.annotations.NullMarked;
