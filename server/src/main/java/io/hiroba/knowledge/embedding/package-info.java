/**
 * Vectors of chunks: providers that make them, the spaces they are comparable in, the queue of chunks that wait, the
 * workers that take from it, and the dead letters of those that nobody could embed.
 *
 * <p>A chunk waits in the queue of a space until its vector is written in the transaction that takes it out. Whoever
 * works at it holds a claim with a lease; a worker that dies leaves nothing behind but a lease that ends. A provider is
 * called outside any transaction.
 */
@NullMarked
package io.hiroba.knowledge.embedding;

import org.jspecify.annotations.NullMarked;
