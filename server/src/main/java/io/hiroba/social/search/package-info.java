/**
 * Full-text search of posts, outside the write path: a consumer of the event log keeps the table of tokens.
 *
 * <p>Invariants: what is indexed follows from a post's present content and tags alone, so handling an event again or late
 * does no harm; whoever indexes a post locks its row first and reads the post afterwards, so that an older text never
 * replaces a newer one; the order of results does not change with the clock.
 */
@NullMarked
package io.hiroba.social.search;

import org.jspecify.annotations.NullMarked;
