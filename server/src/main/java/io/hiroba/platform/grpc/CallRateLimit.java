package io.hiroba.platform.grpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.RateLimiter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Counts calls against the same budgets as requests over HTTP: of the user, or else of the address. */
public final class CallRateLimit implements ServerInterceptor {

    private static final Metadata.Key<String> FORWARDED_FOR =
            Metadata.Key.of("x-forwarded-for", Metadata.ASCII_STRING_MARSHALLER);

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
        var values = headers.getAll(FORWARDED_FOR);
        var forwarded = values == null ? List.<String>of() : ClientAddress.hops(values);
        return ClientAddress.bucket(addresses.of(remote(call), forwarded));
    }

    private static InetAddress remote(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress socket
                ? socket.getAddress()
                : InetAddress.getLoopbackAddress();
    }
}
