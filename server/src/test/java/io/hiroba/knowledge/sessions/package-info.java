@NullMarked
package io.hiroba.knowledge.sessions;

import org.jspecify.annotations.NullMarked;
