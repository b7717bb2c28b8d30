@NullMarked
package io.hiroba.bench.chaos.everything;

import org.jspecify.annotations.NullMarked;
