/** Sources as people handle them: handed in as text, file or address, listed with their progress, shown and deleted. */
@NullMarked
package io.hiroba.knowledge.sources;

import org.jspecify.annotations.NullMarked;
