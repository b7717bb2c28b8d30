/** Tests of events for programs outside. */
@NullMarked
package io.hiroba.webhooks;

import org.jspecify.annotations.NullMarked;
