/**
 * Posts, replies, likes, tags, mentions, follows, blocks and feeds.
 *
 * <p>Invariants: every change is committed together with its event; a post's snippet is derived from its content; a list
 * shows only what the reader could see when its statement ran; counters are always exact; nobody follows or blocks
 * themselves, and there is no follow where there is a block. Each list is one statement on one index with keyset
 * pagination, so that concurrent writes cause no gaps or repeats. The home feed costs the same for few followees and for
 * thousands, because the newest part of it is written ahead of reads, from the event log. Live events are hints: a stream may miss a
 * post that took very long to commit, a list never does.
 */
@NullMarked
package io.hiroba.social;

import org.jspecify.annotations.NullMarked;
