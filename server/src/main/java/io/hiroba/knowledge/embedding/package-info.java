/**
 * Embeddings of chunks: the providers that compute vectors, the spaces they are comparable in, the queue of chunks, its
 * workers, and the dead letters of chunks that could not be embedded.
 *
 * <p>A chunk stays in the queue of a space until its vector is written in the transaction that removes it. A worker holds a
 * claim with a lease; a worker that dies leaves nothing behind but a lease that expires. Providers are called outside
 * transactions.
 */
@NullMarked
package io.hiroba.knowledge.embedding;

import org.jspecify.annotations.NullMarked;
