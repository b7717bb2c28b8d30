/**
 * Search over chunks by vector, by keyword or both, and answers to questions with citations: by a chat model where one is
 * configured, by the best chunks alone otherwise.
 */
@NullMarked
package io.hiroba.knowledge.search;

import org.jspecify.annotations.NullMarked;
