package io.hiroba.accounts;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/** Authenticates gRPC calls by the API token in their metadata; calls without a valid one are rejected. */
public final class TokenInterceptor implements ServerInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Caller> CALLER = Context.key("hiroba.caller");

    private final Tokens tokens;

    TokenInterceptor(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        var caller = Optional.ofNullable(headers.get(AUTHORIZATION))
                .flatMap(Authentication::bearer)
                .flatMap(tokens::resolve)
                .orElseThrow(AccountsProblem::notSignedIn);
        return Contexts.interceptCall(Context.current().withValue(CALLER, caller), call, headers, next);
    }

    /** The caller of the call that the current thread handles. */
    public static Caller caller() {
        return Optional.ofNullable(CALLER.get()).orElseThrow(AccountsProblem::notSignedIn);
    }
}
