@NullMarked
package io.hiroba.platform.events;

import org.jspecify.annotations.NullMarked;
