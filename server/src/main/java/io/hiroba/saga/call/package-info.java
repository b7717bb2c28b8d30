/** Calls of services: over HTTP, over gRPC, and in this program. */
@NullMarked
package io.hiroba.saga.call;

import org.jspecify.annotations.NullMarked;
