/**
 * A memory that is searched: sources, the chunks they fall into, and in sub-packages conversations that become sources,
 * documents that are read, vectors that chunks get, searches and answers.
 *
 * <p>Whatever makes knowledge writes it through {@link io.hiroba.knowledge.SourceWriter}: source and chunks in one
 * transaction, in which the database also lets each chunk wait for its vector. Who may read a chunk stands in the chunk
 * and beside its vector, and is asked in the statement that finds it, never afterwards. Whoever may not read a source is
 * told that there is none.
 */
@NullMarked
package io.hiroba.knowledge;

import org.jspecify.annotations.NullMarked;
