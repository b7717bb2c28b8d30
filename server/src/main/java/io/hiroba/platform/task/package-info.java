/** Background work that repeats, survives its own failures and stops when the node does. */
@NullMarked
package io.hiroba.platform.task;

import org.jspecify.annotations.NullMarked;
