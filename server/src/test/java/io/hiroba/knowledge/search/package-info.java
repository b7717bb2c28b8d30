@NullMarked
package io.hiroba.knowledge.search;

import org.jspecify.annotations.NullMarked;
