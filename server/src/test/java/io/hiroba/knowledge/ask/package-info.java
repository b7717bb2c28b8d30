@NullMarked
package io.hiroba.knowledge.ask;

import org.jspecify.annotations.NullMarked;
