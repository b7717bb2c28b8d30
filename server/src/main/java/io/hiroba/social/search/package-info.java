/**
 * Full-text search of posts, outside the write path: a consumer of the event log keeps the table of tokens.
 *
 * <p>Invariants: what is indexed follows from a post's present content and tags alone, so handling an event again or
 * late does no harm; whoever indexes a post locks the post, then its entry, and reads afterwards, so that an older text
 * never replaces a newer one and nobody who deletes it waits in a circle; the order of results does not change with the
 * clock.
 */
@NullMarked
package io.hiroba.social.search;

import org.jspecify.annotations.NullMarked;
