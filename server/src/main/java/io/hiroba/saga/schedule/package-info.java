/** Schedules, which start sagas by a cron expression or at an interval. */
@NullMarked
package io.hiroba.saga.schedule;

import org.jspecify.annotations.NullMarked;
