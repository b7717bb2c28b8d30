@NullMarked
package io.hiroba.activity.digest;

import org.jspecify.annotations.NullMarked;
