/**
 * Telling readers of new posts while they read.
 *
 * <p>What is told is a hint to look again: a stream may miss a post that took very long to commit, a list never does.
 */
@NullMarked
package io.hiroba.social.live;

import org.jspecify.annotations.NullMarked;
