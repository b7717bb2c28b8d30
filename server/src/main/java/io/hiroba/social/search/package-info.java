/**
 * Full-text search of posts, outside the write path: a consumer of the event log maintains the index.
 *
 * <p>Invariants: an entry depends only on the current content and tags of its post, so that repeated or late events are
 * harmless; an indexer locks the post, then its entry, and reads afterwards, so that an older text never replaces a newer
 * one and there is no deadlock with deletions; the order of results does not depend on the clock.
 */
@NullMarked
package io.hiroba.social.search;

import org.jspecify.annotations.NullMarked;
