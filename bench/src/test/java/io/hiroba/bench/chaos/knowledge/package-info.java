@NullMarked
package io.hiroba.bench.chaos.knowledge;

import org.jspecify.annotations.NullMarked;
