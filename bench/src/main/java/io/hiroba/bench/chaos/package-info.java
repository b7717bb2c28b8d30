/**
 * Breaking servers on purpose: processes and database connections are killed while people go on, and afterwards what the
 * servers made of it is compared with what it must be.
 */
@NullMarked
package io.hiroba.bench.chaos;

import org.jspecify.annotations.NullMarked;
