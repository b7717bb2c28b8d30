/**
 * The inbox: items to do, from GitLab, from other programs and from Hiroba itself.
 *
 * <p>Invariants, kept by the database: an item is about exactly one resource, which exists; there is at most one item
 * that is not done for each user, resource and action, except for mentions and requests for access; the tallies of a user
 * always match their items.
 */
@NullMarked
package io.hiroba.inbox;

import org.jspecify.annotations.NullMarked;
