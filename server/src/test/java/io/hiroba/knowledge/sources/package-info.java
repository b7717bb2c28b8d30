@NullMarked
package io.hiroba.knowledge.sources;

import org.jspecify.annotations.NullMarked;
