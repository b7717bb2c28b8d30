/**
 * Notification cards: what others did to a reader and to their posts, a card per subject and day.
 *
 * <p>Invariants: a card belongs to one reader; only the aggregator writes it, from the event log in the order of its
 * reader's partition; reading changes {@code is_read} only, and never hides an act that the reader has not seen.
 * The event stream sends each state of a card at most once, in the order of its reader's cards, as a list would show it then.
 */
@NullMarked
package io.hiroba.activity;

import org.jspecify.annotations.NullMarked;
