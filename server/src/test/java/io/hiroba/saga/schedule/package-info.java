@NullMarked
package io.hiroba.saga.schedule;

import org.jspecify.annotations.NullMarked;
