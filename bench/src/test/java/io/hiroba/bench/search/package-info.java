@NullMarked
package io.hiroba.bench.search;

import org.jspecify.annotations.NullMarked;
