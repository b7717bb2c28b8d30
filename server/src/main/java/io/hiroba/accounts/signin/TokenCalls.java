package io.hiroba.accounts.signin;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import java.util.Optional;

/** Finds out who calls over gRPC, by the API token in the metadata; whoever brings none that is good is refused. */
public final class TokenCalls implements ServerInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Caller> CALLER = Context.key("hiroba.caller");

    private final Tokens tokens;

    public TokenCalls(Tokens tokens) {
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

    /** Who makes the call that the present thread answers. */
    public static Caller caller() {
        return Optional.ofNullable(CALLER.get()).orElseThrow(AccountsProblem::notSignedIn);
    }
}
