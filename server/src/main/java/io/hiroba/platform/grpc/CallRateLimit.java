package io.hiroba.platform.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.RateLimiter;

/** Counts calls against the same budgets as requests over HTTP: of the user, or else of the address. */
public final class CallRateLimit implements ServerInterceptor {

    private final RateLimiter limiter;
    private final ClientAddress addresses;
    private final CallAuthentication callers;

    public CallRateLimit(RateLimiter limiter, ClientAddress addresses, CallAuthentication callers) {
        this.limiter = limiter;
        this.addresses = addresses;
        this.callers = callers;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        limiter.count(address(call, headers), callers.isClaimed(headers), () -> callers.user(headers))
                .requireAdmitted();
        return next.startCall(call, headers);
    }

    private String address(ServerCall<?, ?> call, Metadata headers) {
        return ClientAddress.bucket(CallMetadata.client(call, headers, addresses));
    }
}
