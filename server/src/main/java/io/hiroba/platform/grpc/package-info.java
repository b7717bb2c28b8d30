/** The gRPC server: where it listens, who is let in, and how failures are told. */
@NullMarked
package io.hiroba.platform.grpc;

import org.jspecify.annotations.NullMarked;
