package io.hiroba.platform.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes a span of each call, named by its method. */
public final class CallTracing implements ServerInterceptor {

    private static final Metadata.Key<String> TRACEPARENT =
            Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

    private final Tracing tracing;

    public CallTracing(Tracing tracing) {
        this.tracing = tracing;
    }

    /** The same service where nothing is traced. */
    ServerServiceDefinition around(ServerServiceDefinition service) {
        return tracing.isOn() ? ServerInterceptors.intercept(service, this) : service;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        var method = call.getMethodDescriptor().getFullMethodName();
        var span = tracing.beginRequest(headers.get(TRACEPARENT), CallMetadata.remote(call), method)
                .set("rpc.system", "grpc")
                .set("rpc.method", method);
        var ended = new AtomicBoolean();
        var traced = new SimpleForwardingServerCall<Q, A>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                end(span, ended, status.getCode());
                super.close(status, trailers);
            }
        };
        ServerCall.Listener<Q> listener;
        try {
            listener = span.<ServerCall.Listener<Q>, RuntimeException>within(() -> next.startCall(traced, headers));
        } catch (RuntimeException e) {
            end(span, ended, Status.Code.UNKNOWN);
            throw e;
        }
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onMessage(Q message) {
                within(() -> super.onMessage(message));
            }

            @Override
            public void onHalfClose() {
                within(super::onHalfClose);
            }

            @Override
            public void onReady() {
                within(super::onReady);
            }

            @Override
            public void onCancel() {
                end(span, ended, Status.Code.CANCELLED);
                super.onCancel();
            }

            private void within(Runnable work) {
                span.<Boolean, RuntimeException>within(() -> {
                    work.run();
                    return true;
                });
            }
        };
    }

    private static void end(TraceSpan span, AtomicBoolean ended, Status.Code code) {
        if (ended.compareAndSet(false, true)) {
            span.set("rpc.grpc.status_code", code.value());
            if (isFailure(code)) {
                span.fail(code.name());
            }
            span.end();
        }
    }

    /** Whether the server is at fault, and not the caller. */
    private static boolean isFailure(Status.Code code) {
        return switch (code) {
            case UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
            case OK,
                    CANCELLED,
                    INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    ABORTED,
                    OUT_OF_RANGE,
                    UNAUTHENTICATED -> false;
        };
    }
}
