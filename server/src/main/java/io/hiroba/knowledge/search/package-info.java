/** Finding chunks: by meaning, by words, or by both. */
@NullMarked
package io.hiroba.knowledge.search;

import org.jspecify.annotations.NullMarked;
