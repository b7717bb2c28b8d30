package io.hiroba.platform.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/** Reads the metadata of the call that the current thread handles. */
public final class CallMetadata implements ServerInterceptor {

    private static final Context.Key<Metadata> HEADERS = Context.key("hiroba.headers");

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
}
