/** From the event log to cards and to those who watch them: how many a second, and how soon. */
@NullMarked
package io.hiroba.bench.activity;

import org.jspecify.annotations.NullMarked;
