/**
 * A searchable knowledge base: sources, the chunks they are cut into, rules by which posts become sources, and in
 * sub-packages documents, chat sessions that are archived as sources, embeddings, search and pages.
 *
 * <p>Every writer of knowledge goes through {@link io.hiroba.knowledge.SourceWriter}: source and chunks in one transaction,
 * in which the database also queues each chunk for its embedding. Who may read a chunk is stored in the chunk and beside its
 * vector, and is a condition of the statement that finds it, never a filter afterwards. A source that the caller may not read
 * does not exist for them.
 *
 * <p>The content of posts is read through a view of the social feature, whose classes are not known here.
 */
@NullMarked
package io.hiroba.knowledge;

import org.jspecify.annotations.NullMarked;
