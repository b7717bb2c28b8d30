@NullMarked
package io.hiroba.knowledge.reading;

import org.jspecify.annotations.NullMarked;
