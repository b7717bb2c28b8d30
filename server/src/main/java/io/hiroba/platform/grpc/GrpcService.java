package io.hiroba.platform.grpc;

import io.grpc.BindableService;

/** A service of the gRPC server. Its methods may throw problems, which become statuses. */
public interface GrpcService extends BindableService {

    /** Ends streams that would not end by themselves: the server is stopping. */
    default void end() {}
}
