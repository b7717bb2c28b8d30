/**
 * A little community to look around in, filled once and only on request.
 *
 * <p>What the people say is in {@code people.yaml} and {@code threads.md}; who follows and likes whom is drawn with a fixed
 * seed. Every act goes through the facades of accounts and social, with the clock set to its moment, so that events,
 * counters, feeds and search come about as they do in life. An account or a post is made in one transaction with the
 * note that it was made; everything else may be done twice without harm. So a filling that is cut short anywhere goes on
 * where it was.
 */
@NullMarked
package io.hiroba.demo;

import org.jspecify.annotations.NullMarked;
