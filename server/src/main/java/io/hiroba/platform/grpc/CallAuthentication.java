package io.hiroba.platform.grpc;

import io.grpc.Metadata;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/** Authenticates calls, and throws a problem for those without valid credentials. */
public interface CallAuthentication extends ServerInterceptor {

    /** The stable name of the caller, as for requests over HTTP; empty for missing or wrong credentials. */
    Optional<String> user(Metadata headers);

    /** Whether the call has credentials that must be looked up to be verified. */
    boolean isClaimed(Metadata headers);
}
