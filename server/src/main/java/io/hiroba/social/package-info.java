/**
 * Posts, replies, likes, tags and mentions.
 *
 * <p>Invariants: every act is committed together with its event; a post's snippet is made of its content; what a list
 * shows was visible to the reader when its statement ran; counters are exact at every moment. Who follows or blocks whom
 * is in {@code follow}, the lists of posts and the home feed in {@code feed}.
 */
@NullMarked
package io.hiroba.social;

import org.jspecify.annotations.NullMarked;
