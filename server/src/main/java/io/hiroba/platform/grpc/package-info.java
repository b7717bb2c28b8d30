/** The gRPC server: its port, authentication and error statuses. */
@NullMarked
package io.hiroba.platform.grpc;

import org.jspecify.annotations.NullMarked;
