@NullMarked
package io.hiroba.knowledge.chunking;

import org.jspecify.annotations.NullMarked;
