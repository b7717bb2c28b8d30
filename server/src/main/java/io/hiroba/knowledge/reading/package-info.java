/**
 * Documents of many kinds, read into one form: sections with their headings, and in each of them paragraphs, lists,
 * tables, code and messages. Whatever is read comes from strangers: what it may cost is bounded, and what cannot be read
 * is refused with a sentence that says why.
 */
@NullMarked
package io.hiroba.knowledge.reading;

import org.jspecify.annotations.NullMarked;
