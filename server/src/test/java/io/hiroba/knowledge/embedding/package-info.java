@NullMarked
package io.hiroba.knowledge.embedding;

import org.jspecify.annotations.NullMarked;
