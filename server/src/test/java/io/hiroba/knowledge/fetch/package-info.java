@NullMarked
package io.hiroba.knowledge.fetch;

import org.jspecify.annotations.NullMarked;
