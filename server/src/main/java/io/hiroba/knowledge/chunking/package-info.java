/** Texts cut into chunks that a model can take: counted in tokens, and cut where a reader would cut. */
@NullMarked
package io.hiroba.knowledge.chunking;

import org.jspecify.annotations.NullMarked;
