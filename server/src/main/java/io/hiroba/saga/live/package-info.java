/**
 * Telling whoever watches a saga what becomes of it.
 *
 * <p>Invariants: who watches is told of each attempt once, in the order in which they ended, and then of the state that they
 * led to; whoever has lost the role is told nothing more. Nothing is asked of the database while nobody watches.
 */
@NullMarked
package io.hiroba.saga.live;

import org.jspecify.annotations.NullMarked;
