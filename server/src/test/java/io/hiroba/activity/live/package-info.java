@NullMarked
package io.hiroba.activity.live;

import org.jspecify.annotations.NullMarked;
