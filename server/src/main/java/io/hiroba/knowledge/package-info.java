/**
 * A searchable knowledge base: sources, their chunks, rules by which posts become sources, and in sub-packages
 * documents, chat sessions that are archived as sources, embeddings, search and pages.
 *
 * <p>Every writer of knowledge goes through {@link io.hiroba.knowledge.SourceWriter}: source and chunks in one
 * transaction, in which the database also queues each chunk for embedding. Read access is stored in the chunk and
 * beside its vector, and is a condition of the search statement, never a filter afterwards. A source that the caller
 * may not read does not exist for them.
 *
 * <p>Posts are read through a view of the social feature, whose classes are not used here.
 */
@NullMarked
package io.hiroba.knowledge;

import org.jspecify.annotations.NullMarked;
