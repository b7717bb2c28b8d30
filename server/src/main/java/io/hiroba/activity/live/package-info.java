/**
 * Telling readers of their cards while they read.
 *
 * <p>Invariants: a stream is told of each state of a card at most once, and in the order in which a reader's cards got
 * their acts; what is told are the cards as a list would show them at that moment.
 */
@NullMarked
package io.hiroba.activity.live;

import org.jspecify.annotations.NullMarked;
