@NullMarked
package io.hiroba.platform.task;

import org.jspecify.annotations.NullMarked;
