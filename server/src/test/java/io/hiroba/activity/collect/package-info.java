@NullMarked
package io.hiroba.activity.collect;

import org.jspecify.annotations.NullMarked;
