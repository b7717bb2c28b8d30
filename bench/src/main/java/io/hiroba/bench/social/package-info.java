/** The benchmarks of social, against the same statements in plain JDBC and pgbench and against other plans. */
@NullMarked
package io.hiroba.bench.social;

import org.jspecify.annotations.NullMarked;
