/**
 * Chaos tests: while clients go on, a nemesis kills and freezes servers and terminates their database connections;
 * afterwards the stored state is compared with the expected one.
 */
@NullMarked
package io.hiroba.bench.chaos;

import org.jspecify.annotations.NullMarked;
