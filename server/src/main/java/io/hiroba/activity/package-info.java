/**
 * Cards that tell people what others did to them and to their posts.
 *
 * <p>Invariants: a card is its reader's alone; it is written from the event log in the order of its reader's partition, and
 * by nobody else; reading changes {@code is_read} only, and never hides an act that the reader has not seen. What somebody
 * wants to be told is in {@code settings}, the mail that sums it up in {@code digest}.
 */
@NullMarked
package io.hiroba.activity;

import org.jspecify.annotations.NullMarked;
