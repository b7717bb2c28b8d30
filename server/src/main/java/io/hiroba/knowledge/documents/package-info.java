/**
 * Documents: fetched from the web, parsed into sections with paragraphs, lists, tables, code and messages, and cut into
 * chunks. Their content is untrusted: its cost is bounded, only public addresses are fetched, and a document that cannot be
 * read is refused with the reason.
 */
@NullMarked
package io.hiroba.knowledge.documents;

import org.jspecify.annotations.NullMarked;
