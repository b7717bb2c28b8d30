/** Background work: loops that survive failures, signals that wake them, and deletion in batches. */
@NullMarked
package io.hiroba.platform.task;

import org.jspecify.annotations.NullMarked;
