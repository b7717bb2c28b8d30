/** The event log: appended to in the transaction of the change, consumed exactly once in the transaction of the effect. */
@NullMarked
package io.hiroba.platform.events;

import org.jspecify.annotations.NullMarked;
