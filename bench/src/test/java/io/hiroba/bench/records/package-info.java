@NullMarked
package io.hiroba.bench.records;

import org.jspecify.annotations.NullMarked;
