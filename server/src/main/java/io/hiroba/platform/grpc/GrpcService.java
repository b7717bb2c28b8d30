package io.hiroba.platform.grpc;

import io.grpc.BindableService;

/** A service of the gRPC server. Its methods may throw problems, which become statuses. */
public interface GrpcService extends BindableService {

    /** The server stops: streams that would go on for ever are to be ended. */
    default void end() {}
}
