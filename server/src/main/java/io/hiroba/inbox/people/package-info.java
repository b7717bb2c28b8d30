/**
 * Who is who: which accounts here are which people elsewhere, what they belong to, and what becomes of their items when
 * that changes.
 *
 * <p>Invariants: a name elsewhere belongs to one account; nobody gets what waits for a name before they are believed to
 * have it; who is back before the hour is over has lost nothing.
 */
@NullMarked
package io.hiroba.inbox.people;

import org.jspecify.annotations.NullMarked;
