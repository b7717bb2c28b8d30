/** The event log: written in the transaction of the act, consumed exactly once in the transaction of the effect. */
@NullMarked
package io.hiroba.platform.events;

import org.jspecify.annotations.NullMarked;
