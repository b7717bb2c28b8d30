package io.hiroba.platform.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.hiroba.platform.http.ClientAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Reads the metadata of the call that the current thread handles. */
public final class CallMetadata implements ServerInterceptor {

    private static final Context.Key<Metadata> HEADERS = Context.key("hiroba.headers");

    private static final Metadata.Key<String> FORWARDED_FOR =
            Metadata.Key.of("x-forwarded-for", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return Contexts.interceptCall(Context.current().withValue(HEADERS, headers), call, headers, next);
    }

    /** The last value, if there are several. */
    public static Optional<String> value(String name) {
        var headers = HEADERS.get();
        return headers == null
                ? Optional.empty()
                : Optional.ofNullable(headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    }

    /** The address of the client of a call, as for requests over HTTP. */
    public static InetAddress client(ServerCall<?, ?> call, Metadata headers, ClientAddress addresses) {
        var values = headers.getAll(FORWARDED_FOR);
        var forwarded = values == null ? List.<String>of() : ClientAddress.hops(values);
        return addresses.of(remote(call), forwarded);
    }

    /** The other end of the connection, which may be a proxy. */
    static InetAddress remote(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress socket
                ? socket.getAddress()
                : InetAddress.getLoopbackAddress();
    }
}
