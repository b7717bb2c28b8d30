package io.hiroba.accounts;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.hiroba.platform.grpc.CallAuthentication;
import io.hiroba.platform.grpc.CallMetadata;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.OperationScopes;
import io.hiroba.platform.http.RateLimiter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Authenticates gRPC calls by the API token in their metadata; calls without a valid one are rejected. */
public final class TokenInterceptor implements CallAuthentication {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> USER_AGENT =
            Metadata.Key.of("user-agent", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Call> CALL = Context.key("hiroba.call");

    private final Tokens tokens;
    private final RevocableStreams streams;
    private final ClientAddress addresses;

    TokenInterceptor(Tokens tokens, RevocableStreams streams, ClientAddress addresses) {
        this.tokens = tokens;
        this.streams = streams;
        this.addresses = addresses;
    }

    /** A call under way, with what is to be done when it is over. */
    private record Call(Caller caller, RevocableStreams streams, AtomicReference<Runnable> afterwards) {

        void over() {
            afterwards.getAndSet(() -> {}).run();
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        var token = bearer(headers)
                .flatMap(tokens::resolve)
                .orElseThrow(AccountsProblem::notSignedIn)
                .from(origin(call, headers));
        var caller = token.scopes().isAll() ? token : token.within(scope(call.getMethodDescriptor()));
        var current = new Call(caller, streams, new AtomicReference<>(() -> {}));
        var listener = Contexts.interceptCall(Context.current().withValue(CALL, current), call, headers, next);
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onCancel() {
                current.over();
                super.onCancel();
            }

            @Override
            public void onComplete() {
                current.over();
                super.onComplete();
            }
        };
    }

    /** The scope of the operation of the OpenAPI document that is named like the method. */
    private static TokenScope scope(MethodDescriptor<?, ?> method) {
        return Optional.ofNullable(method.getBareMethodName())
                .map(name -> Character.toLowerCase(name.charAt(0)) + name.substring(1))
                .flatMap(OperationScopes::named)
                .flatMap(TokenScope::find)
                .orElseThrow(AccountsProblem::notSignedIn);
    }

    @Override
    public Optional<String> user(Metadata headers) {
        return bearer(headers)
                .flatMap(tokens::resolve)
                .map(caller -> RateLimiter.byToken(caller.user().hex()));
    }

    @Override
    public boolean isClaimed(Metadata headers) {
        return bearer(headers)
                .filter(secret -> secret.isWellFormed(BearerSecret.TOKEN))
                .isPresent();
    }

    private Caller.Origin origin(ServerCall<?, ?> call, Metadata headers) {
        var agent = headers.get(USER_AGENT);
        var address = CallMetadata.client(call, headers, addresses).getHostAddress();
        return new Caller.Origin(address, agent == null ? "" : agent, "", true);
    }

    private static Optional<BearerSecret> bearer(Metadata headers) {
        return Optional.ofNullable(headers.get(AUTHORIZATION)).flatMap(Authentication::bearer);
    }

    /** The caller of the call that the current thread handles. */
    public static Caller caller() {
        return current().caller();
    }

    /** Runs {@code end} if the token of the current call is revoked before the call is over. */
    public static void whenRevoked(Runnable end) {
        var call = current();
        call.afterwards().set(call.streams().add(call.caller(), end));
    }

    private static Call current() {
        return Optional.ofNullable(CALL.get()).orElseThrow(AccountsProblem::notSignedIn);
    }
}
