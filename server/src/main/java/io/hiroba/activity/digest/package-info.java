/** A mail that sums up what somebody has not read yet, daily or weekly, for those who want one. */
@NullMarked
package io.hiroba.activity.digest;

import org.jspecify.annotations.NullMarked;
