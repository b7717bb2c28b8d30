/** How a step reaches the service that carries it out. */
@NullMarked
package io.hiroba.saga.call;

import org.jspecify.annotations.NullMarked;
