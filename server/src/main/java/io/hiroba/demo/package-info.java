/**
 * A demo community, created once and only on request.
 *
 * <p>People and posts are in {@code people.yaml} and {@code threads.md}; follows and likes are random with a fixed seed. Every
 * act goes through the facades of accounts and social, with the clock set to its time, so that events, counters, feeds and
 * search come about as usual. An account or a post is created in one transaction with the record that it was; everything else
 * is idempotent. So an interrupted run continues where it stopped.
 */
@NullMarked
package io.hiroba.demo;

import org.jspecify.annotations.NullMarked;
