@NullMarked
package io.hiroba.knowledge;

import org.jspecify.annotations.NullMarked;
