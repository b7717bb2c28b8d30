/** The benchmarks of sagas, against hand-written statements and DBOS Transact. */
@NullMarked
package io.hiroba.bench.saga;

import org.jspecify.annotations.NullMarked;
